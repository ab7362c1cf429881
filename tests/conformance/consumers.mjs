// What readers from npm find on a site, as JSON: node consumers.mjs BASE_URL. Copied to a folder that
// has the packages.

import { Readable } from 'node:stream';
import { parseSitemapXml } from '@nuxtjs/sitemap/utils';
import robotsParser from 'robots-parser';
import { XMLToSitemapItemStream } from 'sitemap';
import Sitemapper from 'sitemapper';

const [base] = process.argv.slice(2);
const text = async (url) => (await fetch(url)).text();

// These two read one file; an index is followed here.
async function files(url) {
  const xml = await text(url);
  if (!xml.includes('<sitemapindex')) return [xml];
  const children = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc.replaceAll('&amp;', '&'));
  return (await Promise.all(children.map(files))).flat();
}
async function sitemapJs(xml) {
  const pages = [];
  for await (const page of Readable.from([xml]).pipe(new XMLToSitemapItemStream())) pages.push([page.url, page.lastmod]);
  return pages;
}
async function nuxt(xml) {
  const { urls, warnings } = await parseSitemapXml(xml);
  if (warnings.length) throw new Error(JSON.stringify(warnings));
  return urls.map((page) => (typeof page === 'string' ? [page] : [page.loc, page.lastmod]));
}
async function everywhere(read, start) {
  return (await Promise.all((await files(start)).map(read))).flat();
}

const robots = robotsParser(`${base}robots.txt`, await text(`${base}robots.txt`)).getSitemaps();
const start = robots[0];
const { sites } = await new Sitemapper({ url: start, fields: { loc: true, lastmod: true } }).fetch();
console.log(JSON.stringify({
  pages: {
    'sitemap.js': await everywhere(sitemapJs, start),
    nuxt: await everywhere(nuxt, start),
    sitemapper: sites.map((site) => [site.loc, site.lastmod]),
  },
  robots: { 'robots-parser': robots },
}));
