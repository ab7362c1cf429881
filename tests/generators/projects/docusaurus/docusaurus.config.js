/** A site in two languages, with two versions of its manual. */
module.exports = {
  title: 'Tea',
  url: 'https://example.org',
  baseUrl: '/tea/',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [
    [
      'classic',
      {
        docs: { path: 'manual', routeBasePath: 'learn', editUrl: 'https://example.org/o/r/edit/main/' },
        blog: { path: 'news', routeBasePath: 'news' },
      },
    ],
  ],
};
