// Searches the manual as its pages do: `node search.cjs SITE WORDS...` prints the best three for each.
const { readFileSync } = require("node:fs");
const [site, ...questions] = process.argv.slice(2);
const lunr = require(`${site}/search/lunr.js`);
const { config, docs } = JSON.parse(readFileSync(`${site}/search/search_index.json`, "utf-8"));
lunr.tokenizer.separator = new RegExp(config.separator);
const index = lunr(function () {
  this.field("title");
  this.field("text");
  this.ref("location");
  docs.forEach((doc) => this.add(doc));
});
const best = (words) => index.search(words).slice(0, 3).map(({ ref }) => ref);
console.log(JSON.stringify(Object.fromEntries(questions.map((words) => [words, best(words)]))));
