// Uses the pages in frames as a reader does, and reports what is seen.
const style = (window, selector, property) =>
  window.getComputedStyle(window.document.querySelector(selector))[property];
const seen = (window) =>
  [...window.document.querySelectorAll("main tbody tr")].filter((row) => row.getClientRects().length);
const titles = (window) => seen(window).map((row) => row.cells[0].textContent);
const days = (window) => seen(window).map((row) => row.querySelector("time")?.textContent ?? "");
const headings = (window) => [...window.document.querySelectorAll("h2")].map((each) => each.textContent);
const found = (window) => window.document.getElementById("found").value;
const search = (window, text) => {
  const field = window.document.getElementById("search");
  field.value = text;
  field.dispatchEvent(new window.Event("input", { bubbles: true }));
};
const sort = (window, order) => window.document.querySelector(`input[value=${order}]`).click();
const key = (window, init) => {
  const event = new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  window.document.activeElement.dispatchEvent(event);
  return window.document.activeElement.id;
};

const small = async () => {
  const window = await opened("/small/sitemap.html");
  const report = {
    title: window.document.title,
    resources: window.performance.getEntriesByType("resource").length,
    alerted: window.alerted ?? false,
    all: titles(window),
    background: style(window, "body", "backgroundColor"),
  };
  search(window, "MATE");
  report.withoutAccents = [titles(window), found(window), headings(window)];
  search(window, "leaves green");
  report.twoWords = [titles(window), found(window)];
  search(window, "<script>");
  report.markup = titles(window);
  search(window, "nowhere");
  report.nothing = [titles(window), found(window), headings(window).length];
  search(window, "");
  report.cleared = [titles(window).length, found(window)];
  sort(window, "day");
  report.byDay = days(window);
  report.months = headings(window);
  report.newest = found(window);
  sort(window, "path");
  report.byPath = titles(window);
  window.document.body.focus();
  report.slashWithControl = key(window, { key: "/", ctrlKey: true });
  report.slash = key(window, { key: "/" });
  report.tabStops = [...window.document.querySelectorAll("a, input, summary, [tabindex='0']")]
    .filter((element) => element.tabIndex >= 0)
    .slice(0, 2)
    .map((element) => element.className || element.textContent);
  report.violations = await violations(window);
  return report;
};

const phone = async () => {
  const window = await opened("/small/sitemap.html", { width: 360 });
  search(window, "tea");
  return {
    found: titles(window),
    width: window.document.documentElement.scrollWidth,
    violations: await violations(window),
  };
};

const withoutScript = async () => {
  const window = await opened("/small/sitemap.html", { sandbox: "allow-same-origin" });
  return { form: style(window, "form", "display"), titles: titles(window) };
};

const rightToLeft = async () => {
  const window = await opened("/arabic/sitemap.html");
  const right = (element) => Math.round(element.getBoundingClientRect().right);
  const { documentElement: root, body } = window.document;
  const [first, , last] = seen(window)[0].cells;
  return {
    lang: root.lang,
    direction: style(window, "body", "direction"),
    startsRight: right(first) > right(last),
    fits: right(body) <= root.clientWidth,
    violations: await violations(window),
  };
};

const big = async () => {
  const window = await opened("/big/sitemap.html");
  const report = { all: [titles(window).length, found(window)] };
  search(window, "page-7775");
  report.last = [titles(window), headings(window), found(window)];
  sort(window, "day");
  search(window, "");
  report.byDay = days(window);
  sort(window, "path");
  report.again = [titles(window).length, found(window)];
  return report;
};

// Where each name of a column begins: measured on a copy, since what CSS adds has no boxes to ask for.
const columnNames = (window) => {
  const root = window.document.documentElement;
  const { content, font, tabSize, whiteSpace } = window.getComputedStyle(root, "::before");
  const copy = window.document.createElementNS("http://www.w3.org/1999/xhtml", "div");
  Object.assign(copy.style, { font, tabSize, whiteSpace, position: "absolute" });
  copy.textContent = content.slice(1, -1).replace(/\\9 ?/g, "\t");
  root.append(copy);
  const left = (start) => {
    const range = window.document.createRange();
    range.setStart(copy.firstChild, start);
    range.setEnd(copy.firstChild, start + 1);
    return range.getBoundingClientRect().left - copy.getBoundingClientRect().left;
  };
  const names = [...copy.textContent.matchAll(/[^\t]+/g)].map(({ 0: name, index }) => [name, left(index)]);
  copy.remove();
  return Object.fromEntries(names);
};

const xml = async (address, width = 1200) => {
  const window = await opened(address, { width });
  const root = window.document.documentElement;
  const rows = [...root.children];
  const box = (element) => element.getBoundingClientRect();
  const [first, last] = [rows.at(0), rows.at(-1)];
  const start = box(first).left;
  const lefts = (name) => [...new Set([...root.querySelectorAll(name)].map((each) => box(each).left - start))];
  const lines = (element) => Math.round(box(element).height / parseFloat(window.getComputedStyle(element).lineHeight));
  return {
    title: window.getComputedStyle(root, "::after").content,
    number: window.getComputedStyle(last, "::before").content,
    background: window.getComputedStyle(root).backgroundColor,
    rows: rows.filter((row) => row.getClientRects().length).length,
    below: box(first).bottom <= box(last).top,
    names: columnNames(window),
    columns: Object.fromEntries(["lastmod", "changefreq", "priority", "loc"].map((name) => [name, lefts(name)])),
    linesOfDates: [...new Set([...root.querySelectorAll("lastmod")].map(lines))],
    selected: window.getComputedStyle(first.querySelector("loc")).userSelect,
    hidden: [...first.children].filter((child) => !child.getClientRects().length).map((each) => each.nodeName),
    fits: root.scrollWidth <= root.clientWidth,
  };
};

window.addEventListener("load", async () => {
  const report = {};
  try {
    report.small = await small();
    report.phone = await phone();
    report.withoutScript = await withoutScript();
    report.rightToLeft = await rightToLeft();
    report.urlset = await xml("/small/sitemap.xml");
    report.index = await xml("/index/sitemap.xml");
    report.plain = await xml("/big/sitemap.xml");
    report.phoneXml = await xml("/small/sitemap.xml", 390);
    if (!location.search) report.big = await big();
  } catch (error) {
    report.error = `${error} ${error.stack}`;
  }
  await fetch("/said", { method: "POST", body: JSON.stringify(report) });
});
