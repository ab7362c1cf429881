// Prints each entry that @nuxtjs/sitemap reads in a file, as JSON; warnings are mistakes.
import { readFileSync } from "node:fs";
import { parseSitemapXml } from "@nuxtjs/sitemap/utils";

const { urls, warnings } = await parseSitemapXml(readFileSync(process.argv[2], "utf8"));
if (warnings.length) throw new Error(JSON.stringify(warnings));
for (const url of urls) console.log(JSON.stringify(url));
