// The parser of sitemap.js as a service: for each line with the path of a file, a line of JSON with
// its entries, or with {error}. Copied to a folder that has the package.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { ErrorLevel, XMLToSitemapItemStream } from 'sitemap';

async function parse(path) {
  const file = createReadStream(path);
  const xml = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  const entries = [];
  for await (const entry of xml.pipe(new XMLToSitemapItemStream({ level: ErrorLevel.THROW }))) entries.push(entry);
  return entries;
}

for await (const path of createInterface({ input: process.stdin })) {
  const answer = await parse(path).catch((error) => ({ error: String(error) }));
  console.log(JSON.stringify(answer));
}
