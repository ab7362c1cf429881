// Opens pages in frames and reports what axe-core finds wrong with each.
const opened = async (address) => {
  const frame = document.createElement("iframe");
  frame.style.cssText = "width: 1200px; height: 900px";
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  frame.src = address;
  document.body.append(frame);
  await loaded;
  return frame;
};

const violations = async ({ contentWindow: window }) => {
  const script = window.document.createElement("script");
  script.src = "/axe.js";
  const loaded = new Promise((resolve) => script.addEventListener("load", resolve));
  window.document.head.append(script);
  await loaded;
  const { violations } = await window.axe.run(window.document);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
};

const report = {};
try {
  for (const address of window.pages) {
    const frame = await opened(address);
    report[address] = await violations(frame);
    frame.remove();
  }
} catch (error) {
  report.error = String(error.stack ?? error);
}
fetch("/said", { method: "POST", body: JSON.stringify(report) });
