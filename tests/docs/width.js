// Reports the pages that are wider than a phone or a screen, with what is too wide in them.
const report = {};
try {
  for (const width of [390, 1280]) {
    for (const address of window.pages) {
      const opening = await opened(address, { width });
      const { documentElement } = opening.document;
      if (documentElement.scrollWidth > documentElement.clientWidth) {
        const isWide = (element) =>
          element.getBoundingClientRect().right > documentElement.clientWidth + 1;
        const wide = [...opening.document.body.querySelectorAll("*")].filter(isWide);
        report[`${address} ${width}`] = wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120));
      }
      opening.frameElement.remove();
    }
  }
} catch (error) {
  report.error = String(error.stack ?? error);
}
fetch("/said", { method: "POST", body: JSON.stringify(report) });
