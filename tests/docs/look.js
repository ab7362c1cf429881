// Looks at each page as on a screen, light and dark, and on a phone; reports what is wrong there.
const report = { light: {}, dark: {}, wide: {} };

const tooWide = ({ document }) => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1;
  const wide = [...document.body.querySelectorAll("*")].filter(isWide);
  return wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120));
};

// Colours follow from what an element is and what it is in: of pages without anything new they are
// known. They take most of the time.
const known = new Set();
const kind = ({ localName, className }) => `${localName}.${className}`;
const hasNewColours = ({ document }) => {
  const before = known.size;
  for (const element of document.querySelectorAll("body *"))
    known.add(`${kind(element.parentElement)} > ${kind(element)}`);
  return known.size > before;
};
const colours = ["color-contrast"];

try {
  for (const address of window.pages) {
    const opening = await opened(address, { width: 1280 });
    const still = opening.document.createElement("style");
    still.textContent = "* { transition: none !important }"; // else colours change slowly
    opening.document.head.append(still);
    const isNew = hasNewColours(opening);
    const rules = { "color-contrast": { enabled: isNew } };
    report.light[address] = await violations(opening, { rules });
    report.wide[`${address} 1280`] = tooWide(opening);
    // As the theme does for readers who prefer it; only colours differ.
    opening.document.body.dataset.mdColorScheme = "slate";
    report.dark[address] = isNew ? await violations(opening, { runOnly: colours }) : [];
    opening.frameElement.style.width = "390px";
    await new Promise((resolve) => opening.requestAnimationFrame(resolve));
    report.wide[`${address} 390`] = tooWide(opening);
    opening.frameElement.remove();
  }
} catch (error) {
  report.error = String(error.stack ?? error);
}
fetch("/said", { method: "POST", body: JSON.stringify(report) });
