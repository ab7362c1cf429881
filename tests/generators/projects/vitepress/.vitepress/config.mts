import { defineConfig } from 'vitepress'

// The texts are in a folder of their own, and one of them has another address.
export default defineConfig({
  title: 'Tea',
  base: '/tea/',
  srcDir: 'texts',
  cleanUrls: true,
  sitemap: { hostname: 'https://example.org/tea/' },
  rewrites: { 'old/pot.md': 'brewing/pot.md' },
  srcExclude: ['parts/**'],
  themeConfig: { editLink: { pattern: 'https://github.com/me/tea/edit/main/texts/:path' } },
})
