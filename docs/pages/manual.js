// What the theme lacks for those who read by keyboard or by ear.
document.querySelector(".navbar")?.setAttribute("role", "banner");
document.querySelectorAll("pre, table").forEach((block) => (block.tabIndex = 0));
