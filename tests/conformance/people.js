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

// The labels of the plot that cover a part of another, or are cut off at an edge.
const crowded = (window) => {
  const plot = window.document.querySelector("svg").getBoundingClientRect();
  const labels = [...window.document.querySelectorAll("svg text")];
  const boxes = labels.map((label) => [label.textContent, label.getBoundingClientRect()]);
  const overlap = ([, a], [, b]) =>
    a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  const isCut = ([, box]) => box.left < plot.left - 1 || box.right > plot.right + 1;
  const bad = boxes.filter((one, n) => isCut(one) || boxes.some((other, m) => n !== m && overlap(one, other)));
  return { labels: labels.length, bad: bad.map(([text]) => text) };
};

const plots = async () => {
  const report = {};
  for (const site of ["small", "arabic", "weeks", "quarters", "years", "japanese"]) {
    for (const width of [360, 1200]) {
      const window = await opened(`/${site}/sitemap.html`, { width });
      report[`${site} ${width}`] = crowded(window);
      window.frameElement.remove();
    }
  }
  const { document } = await opened("/weeks/sitemap.html");
  report.week = [document.querySelector("svg title").textContent, document.querySelector("svg text:last-of-type").textContent];
  report.sameDay = (await opened("/one-day/sitemap.html")).document.querySelectorAll("figure").length;
  return report;
};

const small = async () => {
  const window = await opened("/small/sitemap.html");
  const report = {
    title: window.document.title,
    resources: window.performance.getEntriesByType("resource").length,
    alerted: window.alerted ?? false,
    all: titles(window),
    plot: window.document.querySelectorAll("svg rect").length,
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
    newestLeft: Number(window.document.querySelector("svg text:last-of-type").getAttribute("x")) < 100,
    fits: right(body) <= root.clientWidth,
    violations: await violations(window),
  };
};

const until = async (isSo) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
};

const big = async () => {
  const window = await opened("/big/sitemap.html");
  const report = { parts: window.document.querySelectorAll("#parts a").length, own: titles(window).length };
  search(window, "page-7775");
  report.before = found(window);
  await until(() => !found(window).includes("Part"));
  report.last = [titles(window), headings(window), found(window)];
  sort(window, "day");
  search(window, "");
  report.byDay = days(window);
  report.all = found(window);
  sort(window, "path");
  report.again = [titles(window).length, found(window)];
  return report;
};

const alone = async () => {
  const window = await opened("/alone/sitemap.html");
  search(window, "page-7775");
  await until(() => window.performance.getEntriesByType("resource").length);
  return found(window);
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
    report.plots = await plots();
    report.plain = await xml("/big/sitemap.xml");
    report.phoneXml = await xml("/small/sitemap.xml", 390);
    if (!location.search) [report.big, report.alone] = [await big(), await alone()];
  } catch (error) {
    report.error = `${error} ${error.stack}`;
  }
  await fetch("/said", { method: "POST", body: JSON.stringify(report) });
});
