import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://example.org',
  base: '/tea',
  redirects: { '/kettle': '/tea/brewing/pot/' },
  integrations: [
    starlight({
      title: 'Tea',
      editLink: { baseUrl: 'https://github.com/me/tea/edit/main/' },
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } },
    }),
  ],
});
