(() => {
  "use strict";
  const form = document.getElementById("controls");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const main = document.getElementById("pages");
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const sections = [...main.children].map((element, place) => ({
    element,
    place,
    body: element.querySelector("tbody"),
    rows: [...element.querySelectorAll("tbody > tr")].map((row, rank) => ({
      row,
      rank,
      text: folded(row.cells[0].textContent + " " + row.cells[1].textContent),
      day: row.querySelector("time")?.textContent ?? "",
    })),
  }));
  const pages = (count) => {
    const { one, many, nothing } = form.dataset;
    if (count < 2) return count ? one : nothing;
    return many.replace("{n}", String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f"));
  };
  const filter = () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, rows } of sections) {
      let shown = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      element.hidden = !shown;
      count += shown;
    }
    const { part } = form.dataset;
    found.value = words.length ? pages(count) + (part ? ` (${part})` : "") : "";
  };
  const sort = () => {
    const byDay = form.elements.order.value === "day";
    const newest = (a, b) => (byDay && a.day !== b.day ? (a.day < b.day ? 1 : -1) : 0);
    for (const section of sections) {
      section.rows.sort((a, b) => newest(a, b) || a.rank - b.rank);
      section.body.append(...section.rows.map(({ row }) => row));
      section.day = section.rows[0].day;
    }
    sections.sort((a, b) => newest(a, b) || a.place - b.place);
    main.append(...sections.map(({ element }) => element));
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  for (const radio of form.elements.order) radio.addEventListener("change", sort);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
  });
  if (search.value) filter();
  sort();
})();
