// Searches the manual as its pages do: `node search.cjs SITE WORDS...` prints what each shows first.
//
// A page of the manual starts a worker with the index, and asks it; so does this. The page shows a box
// for each page that is found, with a link to the page and to those sections that score as high as the
// best. The others are folded, so they do not count here.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");
const BOXES = 3;
const [site, ...questions] = process.argv.slice(2);
const read = (name) => readFileSync(`${site}/${name}`, "utf-8");
const config = JSON.parse(read("index.html").match(/id="__config"[^>]*>(.*?)<\/script>/s)[1]);
const [program, question] = config.search.split("?");
const index = JSON.parse(read("search/search_index.json"));

let hear, told;
const worker = { console, location: { search: `?${question}` } };
worker.postMessage = (answer) => told(answer.data);
worker.addEventListener = (_, listener) => (hear = listener);
worker.importScripts = (name) => vm.runInContext(read(name), worker);
worker.self = worker;
vm.createContext(worker);
worker.importScripts(program);
const ask = (type, data) =>
  new Promise((resolve) => {
    told = resolve;
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
