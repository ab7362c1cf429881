// The search: the theme's own worker, which is asked for the words that tell sections apart.
//
// The theme puts a wildcard after each word, so "in" finds "index", and "sitemap" finds the rare
// `sitemap_url_scheme`, which counts for much; and it prefers pages to their sections. Here, words of
// the language (as lunr knows them) and those that nearly all pages have are left out of a question,
// unless nothing else is in it; only its last word, which may not be typed to its end, is a beginning;
// and what has more of the words comes first, be it a page or a section.
const common = new Set();
let typed = new Map(); // the words of the question by their stems, in which it is asked
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? [];
const stem = (word) => lunr.stemmer(new lunr.Token(word)).toString();

const count = (docs) => {
  const pages = new Set(docs.map(({ location }) => location.split("#")[0]));
  const places = new Map();
  for (const { location, title, text } of docs) {
    for (const word of wordsOf(`${title} ${text}`.replace(/<[^>]*>/g, " ")).map(stem)) {
      places.set(word, (places.get(word) ?? new Set()).add(location.split("#")[0]));
    }
  }
  places.forEach((found, word) => found.size > 0.9 * pages.size && common.add(word));
};

const asked = (question) => {
  if (/[*~^]|(?:^|\s)[+-]\w/.test(question)) return question; // somebody knows the language of lunr
  const words = wordsOf(question);
  const telling = words.filter((word) => lunr.stopWordFilter(word) && !common.has(stem(word)));
  typed = new Map((telling.length ? telling : words).map((word) => [stem(word), word]));
  const stems = [...typed.keys()];
  return stems.map((word) => `${word}^9`).concat(stems.slice(-1)).join(" ");
};

const fair = (items) => {
  for (const item of items.flat()) {
    const terms = Object.entries(item.terms);
    const share = terms.filter(([, isFound]) => isFound).length / terms.length || 0;
    item.terms = Object.fromEntries(terms.map(([term, is]) => [typed.get(term) ?? term, is]));
    item.score *= share / (1 + (item.parent ? share : 1 + share) ** 2);
  }
  items.forEach((box) => box.sort((one, other) => other.score - one.score));
  return items.sort(([one], [other]) => other.score - one.score);
};

const listen = self.addEventListener.bind(self);
self.addEventListener = (type, heard) =>
  listen(type, ({ data: message }) => {
    if (message.type === 0) count(message.data.docs);
    heard({ data: message.type === 2 ? { ...message, data: asked(message.data) } : message });
  });
const post = self.postMessage.bind(self);
self.postMessage = (message) => {
  if (message.type === 3) fair(message.data.items);
  post(message);
};
importScripts(location.search.slice(1));
