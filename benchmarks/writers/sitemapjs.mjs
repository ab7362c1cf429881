// sitemap.js as its manual shows it: node sitemapjs.mjs WORKLOAD COUNT FOLDER

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SitemapAndIndexStream, SitemapStream } from 'sitemap';
import { BASE, pages } from './workloads.mjs';

const [workload, count, folder] = process.argv.slice(2);

const sitemaps = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream(number) {
    const sitemap = new SitemapStream({ hostname: BASE });
    const name = `sitemap-${number}.xml`;
    const file = sitemap.pipe(createWriteStream(`${folder}/${name}`));
    return [new URL(name, BASE).toString(), sitemap, file];
  },
});
await pipeline(
  Readable.from(pages(workload, Number(count))),
  sitemaps,
  createWriteStream(`${folder}/sitemap.xml`),
);
