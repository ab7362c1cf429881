// Opens pages in frames, and asks axe-core what is wrong with them.
const opened = async (address, { width = 1200, sandbox } = {}) => {
  const frame = document.createElement("iframe");
  if (sandbox) frame.sandbox = sandbox;
  frame.style.cssText = `width: ${width}px; height: 900px`;
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  frame.src = address;
  document.body.append(frame);
  await loaded;
  return frame.contentWindow;
};

const violations = async (window, options) => {
  const script = window.document.createElement("script");
  script.src = "/axe.js";
  const loaded = new Promise((resolve) => script.addEventListener("load", resolve));
  window.document.head.append(script);
  await loaded;
  const all = { resultTypes: ["violations"], ...options };
  const { violations } = await window.axe.run(window.document, all);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
};
