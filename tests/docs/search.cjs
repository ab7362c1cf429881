// Searches the manual as its pages do: `node search.cjs SITE WORDS...` prints what each shows first.
//
// A page of the manual starts the theme's worker with the index, and asks it; so does this. It shows
// a box for each page that is found, with a link to the page and to those sections that score as high
// as the best. The others are folded, so they do not count here.
const { readFileSync, readdirSync } = require("node:fs");
const vm = require("node:vm");
const BOXES = 3;
const [site, ...questions] = process.argv.slice(2);
const folder = `${site}/assets/javascripts/workers`;
const program = readdirSync(folder).find((name) => /^search\..*\.js$/.test(name));
const index = JSON.parse(readFileSync(`${site}/search/search_index.json`, "utf-8"));

let hear;
const worker = { console, addEventListener: (_, listener) => (hear = listener) };
worker.self = worker;
vm.runInNewContext(readFileSync(`${folder}/${program}`, "utf-8"), worker);
const ask = (type, data) =>
  new Promise((resolve) => {
    worker.postMessage = (answer) => resolve(answer.data);
    hear({ data: { type, data } });
  });

const shown = (box) =>
  box
    .filter(({ location, score }) => score >= box[0].score || !location.includes("#"))
    .map(({ location }) => location);

(async () => {
  await ask(0, { ...index, options: {} });
  const answers = {};
  for (const words of questions) {
    const { items } = await ask(2, words);
    answers[words] = items.slice(0, BOXES).flatMap(shown);
  }
  console.log(JSON.stringify(answers));
})();
