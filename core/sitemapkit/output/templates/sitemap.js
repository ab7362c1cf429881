(() => {
  "use strict";
  const form = document.getElementById("controls");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const sections = [...document.querySelectorAll("main > section")].map((element) => ({
    element,
    body: element.querySelector("tbody"),
    rows: [...element.querySelectorAll("tbody > tr")].map((row) => ({
      row,
      text: (row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase(),
      path: row.cells[1].textContent,
      day: row.querySelector("time")?.dateTime ?? "",
    })),
  }));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, rows } of sections) {
      let shown = 0;
      for (const { row, text } of rows) {
        const fits = words.every((word) => text.includes(word));
        row.hidden = !fits;
        shown += fits;
      }
      element.hidden = !shown;
      count += shown;
    }
    found.value = !words.length ? "" : count ? form.dataset.pages.replace("{n}", count) : form.dataset.nothing;
  };
  const sort = () => {
    const byDay = form.elements.order.value === "day";
    const before = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    for (const { body, rows } of sections) {
      rows.sort((a, b) => (byDay && before(b.day, a.day)) || before(a.path, b.path));
      body.append(...rows.map(({ row }) => row));
    }
    if (byDay) sections.sort((a, b) => before(b.rows[0].day, a.rows[0].day));
    else sections.sort((a, b) => a.place - b.place);
    document.querySelector("main").append(...sections.map(({ element }) => element));
  };
  sections.forEach((section, place) => { section.place = place; });
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  for (const radio of form.elements.order) radio.addEventListener("change", sort);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
})();
