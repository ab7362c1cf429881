// What the theme lacks for those who read by keyboard or by ear: wide tables can be scrolled, and
// parts of a table of contents are no landmarks. It makes its buttons to copy when their blocks come
// into view, and takes blocks out of the order of tabs where nothing hovers.
const mend = () => {
  const scrollable = ":is(pre > code, .md-typeset__scrollwrap):not([tabindex])";
  document.querySelectorAll(scrollable).forEach((element) => (element.tabIndex = 0));
  const noLandmarks = "nav.md-code__nav, .md-nav--secondary nav";
  document.querySelectorAll(noLandmarks).forEach((nav) => {
    nav.removeAttribute("aria-label");
    nav.setAttribute("role", "none");
  });
};
mend();
const changes = { childList: true, subtree: true, attributeFilter: ["tabindex"] };
new MutationObserver(mend).observe(document.body, changes);
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
