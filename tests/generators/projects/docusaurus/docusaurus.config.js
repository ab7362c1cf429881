/** A site with two versions of its manual. */
const SOURCES = 'https://gitlab.com/me/tea/-/edit/main/';

module.exports = {
  title: 'Tea',
  url: 'https://example.org',
  baseUrl: '/tea/',
  presets: [
    [
      'classic',
      {
        docs: { path: 'manual', routeBasePath: 'learn', editUrl: SOURCES },
        blog: { path: 'news', routeBasePath: 'news', editUrl: SOURCES },
      },
    ],
  ],
};
