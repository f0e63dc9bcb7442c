// The checks of check_site.py that need a browser; `given` says what to look at.
const wait = ms => new Promise(done => setTimeout(done, ms));
function colour(text) {
  const n = text.match(/[\d.]+/g).map(Number);
  return text.startsWith("color(srgb") ? [...n.slice(0, 3).map(v => 255 * v), n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1];
}
function light(c) {
  const f = c.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * f[0] + .7152 * f[1] + .0722 * f[2];
}
function behind(e, view) {
  for (; e; e = e.parentElement) {
    const style = view.getComputedStyle(e), c = colour(style.backgroundColor);
    if (style.backgroundImage !== "none") return null;
    if (c[3] === 1) return c;
    if (c[3] > 0) return null;
  }
  return [255, 255, 255, 1];
}
function contrasts(d, view) {
  const found = new Set();
  const texts = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest("svg")) continue;
    const style = view.getComputedStyle(e), c = colour(style.color), b = behind(e, view), box = e.getBoundingClientRect();
    if (!b || c[3] < 1 || box.width < 2 || box.right < 0) continue;
    const [x, y] = [light(c), light(b)].sort((p, q) => q - p), size = parseFloat(style.fontSize);
    const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    const ratio = (x + .05) / (y + .05);
    if (ratio < (large ? 3 : 4.5) - .005) found.add(`contrast ${ratio.toFixed(2)} of ${e.localName}.${e.className}: ${texts.currentNode.data.trim().slice(0, 30)}`);
  }
  return [...found].slice(0, 5);
}
function shape(d) {
  const found = [];
  if (!d.documentElement.lang) found.push("no language");
  if (!d.title) found.push("no title");
  for (const e of d.querySelectorAll("img:not([alt])")) found.push("a picture without a description: " + e.src);
  for (const e of d.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (e.checkVisibility() && !e.labels?.length && !e.getAttribute("aria-label") && !e.title && !e.placeholder) found.push("a field without a label: " + e.outerHTML.slice(0, 60));
  const ids = [...d.querySelectorAll("[id]")].map(e => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push("an id twice: " + id);
  let level = 0;
  for (const e of d.querySelectorAll(":is(main, article) :is(h1, h2, h3, h4, h5, h6)")) {
    if (+e.localName[1] > level + 1) found.push("a heading skips a level: " + e.textContent);
    level = +e.localName[1];
  }
  if (d.querySelectorAll("h1").length !== 1) found.push(d.querySelectorAll("h1").length + " headings of the first level");
  return found;
}
async function looked(page, width, height, theme) {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = height;
  document.body.replaceChildren(frame);
  localStorage.setItem("theme", theme);
  await new Promise(done => { frame.onload = done; frame.src = "/" + page; setTimeout(done, 20000); });
  await wait(60);
  const view = frame.contentWindow, d = frame.contentDocument, found = [];
  if (d.body.dataset.theme !== undefined) d.body.dataset.theme = theme;
  if (d.documentElement.scrollWidth > width) {
    const wide = [...d.querySelectorAll("main *, article *")].filter(e => e.getBoundingClientRect().right > width + 1);
    found.push(`overflow: ${d.documentElement.scrollWidth} px, by ${wide.slice(-1)[0]?.outerHTML.slice(0, 80)}`);
  }
  for (const entry of view.performance.getEntriesByType("resource"))
    if (new URL(entry.name).origin !== location.origin && !/^(data|blob):/.test(entry.name)) found.push("a request to another host: " + entry.name);
  if (page === "index.html") for (const selector of given.first) {
    const seen = [...d.querySelectorAll(selector)], low = seen.filter(e => e.getBoundingClientRect().bottom > height || e.getBoundingClientRect().height < 5);
    if (selector === ".starts a" ? seen.length !== 4 : seen.length !== 1) found.push(`${selector}: ${seen.length} of them`);
    if (low.length) found.push(`${selector}: ${low.length} below the first screen`);
  }
  found.push(...contrasts(d, view));
  if (width === given.sizes[0][0] && theme === "light") found.push(...shape(d));
  if (given.axe) {
    const script = d.createElement("script");
    script.src = "/" + given.axe;
    await new Promise(done => { script.onload = done; d.head.append(script); });
    const ran = await view.axe.run(d, { resultTypes: ["violations"] });
    for (const v of ran.violations) found.push(`axe ${v.id} (${v.impact}), ${v.nodes.length} times: ${v.nodes[0].target}`);
  }
  return found.map(text => [page, width, theme, text]);
}
async function searched() {
  const frame = document.createElement("iframe");
  document.body.replaceChildren(frame);
  frame.src = "/search.html?q=" + encodeURIComponent(given.searched);
  let results = [];
  for (let i = 0; i < 200 && !results.length; i++) {
    await wait(100);
    results = [...frame.contentDocument?.querySelectorAll("#search-results li > a") ?? []];
  }
  await wait(500);
  const names = [...frame.contentDocument.querySelectorAll("#search-results li > a")].map(a => a.textContent);
  return names.length ? [] : [["search.html", 0, "", `nothing is found for ${given.searched}`]];
}
const told = found => fetch("/found", { method: "POST", body: JSON.stringify(found) });
(async () => {
  await told(await searched());
  for (const page of given.pages) {
    const found = [];
    for (const [width, height] of given.sizes) for (const theme of given.themes)
      try { found.push(...await looked(page, width, height, theme)); }
      catch (error) { found.push([page, width, theme, "not checked: " + error]); }
    await told(found);
  }
  await fetch("/end", { method: "POST", body: "[]" });
})();
