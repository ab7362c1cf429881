(() => {
  "use strict";
  const form = document.getElementById("controls");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const main = document.getElementById("pages");
  const nav = document.getElementById("sections");
  const { one, many, separator, nothing, unknown } = form.dataset;
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const pages = (count) => {
    if (count === 1) return one;
    return many.replace("{n}", String(count).replace(/\B(?=(\d{3})+$)/g, separator));
  };
  const all = [...document.querySelectorAll("main tbody > tr")].map((row) => ({
    row,
    section: row.closest("section").querySelector("h2 bdi").textContent,
    text: folded(row.cells[0].textContent + " " + row.cells[1].textContent),
    day: row.querySelector("time")?.textContent ?? "",
  }));
  // Sections are made once, by name, and found in the page if they are there.
  const elements = new Map([...main.children].map((each) => [each.querySelector("h2 bdi").textContent, each]));
  const sectionOf = (name) => {
    if (!elements.has(name)) {
      const element = elements.values().next().value.cloneNode(true);
      const heading = element.querySelector("h2");
      heading.id = `s${elements.size + 1}`;
      heading.querySelector("bdi").textContent = name;
      element.setAttribute("aria-labelledby", heading.id);
      elements.set(name, element);
    }
    return elements.get(name);
  };
  const filled = ([name, rows]) => {
    const element = sectionOf(name);
    element.querySelector("h2 small bdi").textContent = pages(rows.length);
    element.querySelector("tbody").replaceChildren(...rows.map(({ row }) => row));
    return element;
  };
  const show = () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    const byDay = form.elements.order.value === "day";
    const isWhole = !words.length && !byDay;
    const shown = all.filter(({ text }) => words.every((word) => text.includes(word)));
    if (byDay) shown.sort((a, b) => (a.day === b.day ? 0 : a.day < b.day ? 1 : -1));
    const groups = new Map();
    for (const row of shown) {
      const name = byDay ? row.day.slice(0, 7) || unknown : row.section;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(row);
    }
    for (const element of elements.values()) element.querySelector("tbody").replaceChildren();
    main.replaceChildren(...[...groups].map(filled));
    if (nav) nav.hidden = !isWhole;
    found.value = isWhole ? "" : shown.length ? pages(shown.length) : nothing;
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", show);
  for (const radio of form.elements.order) radio.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
  });
  show();
})();
