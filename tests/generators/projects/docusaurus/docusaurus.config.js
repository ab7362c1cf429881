/** A site with two versions of its manual. */
module.exports = {
  title: 'Tea',
  url: 'https://example.org',
  baseUrl: '/tea/',
  presets: [
    [
      'classic',
      {
        docs: { path: 'manual', routeBasePath: 'learn' },
        blog: { path: 'news', routeBasePath: 'news' },
      },
    ],
  ],
};
