// What one writes oneself in Node, with care: template strings, URLs encoded, checked and escaped.
//   node strings.mjs WORKLOAD COUNT FOLDER

import { closeSync, openSync, writeSync } from 'node:fs';
import { pages } from './workloads.mjs';

const [workload, count, folder] = process.argv.slice(2);

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"' +
  ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n';
const CLEAN = /^https?:\/\/[A-Za-z0-9.:-]+\/[A-Za-z0-9\-._~:/?@!$()*+,;=%]*$/;
const NEEDS_ESCAPE = /[&'"<>]/g;
const ESCAPES = { '&': '&amp;', "'": '&apos;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

function xml(url) {
  if (CLEAN.test(url) && url.length < 2048) return url;
  const encoded = encodeURI(url);
  if (encoded.length > 2047 || !/^https?:\/\//.test(encoded)) throw new Error(url);
  return encoded.replace(NEEDS_ESCAPE, (c) => ESCAPES[c]);
}

let number = 0;
let urls = 0;
let file;
let text = '';

function flush(limit) {
  if (text.length > limit) {
    writeSync(file, text);
    text = '';
  }
}

function finish() {
  if (file === undefined) return;
  text += '</urlset>\n';
  flush(0);
  closeSync(file);
}

for (const page of pages(workload, Number(count))) {
  if (urls % 50000 === 0) {
    finish();
    file = openSync(`${folder}/sitemap-${++number}.xml`, 'w');
    text = HEAD;
  }
  urls++;
  let extras = '';
  for (const { url } of page.img ?? []) extras += `<image:image><image:loc>${xml(url)}</image:loc></image:image>`;
  for (const { lang, url } of page.links ?? []) extras += `<xhtml:link rel="alternate" hreflang="${lang}" href="${xml(url)}"/>`;
  text += `<url><loc>${xml(page.url)}</loc><lastmod>${page.lastmod.toISOString()}</lastmod><changefreq>${page.changefreq}</changefreq><priority>${page.priority.toFixed(1)}</priority>${extras}</url>\n`;
  flush(65536);
}
finish();
