"use strict";
(() => {
const REMAINING = -1, ALL = -2, GROUP = -10, COLOURS = 8, LISTED = 26, NOISE = 1e-12;
const NS = "http://www.w3.org/2000/svg";
const short = (number, digits = 4) => String(Number(number.toPrecision(Math.min(digits, 15))));
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;
const set = records => `{${[...records].sort((a, b) => a - b).join(", ")}}`;
const mean = points => [0, 1].map(j => points.reduce((sum, p) => sum + p[j], 0) / points.length);

function draw(svg, tag, attributes, text) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  svg.append(made);
  return made;
}
function toggle(members, items, key = item => item) {
  for (const item of items || []) {
    if (members.has(key(item))) members.delete(key(item)); else members.set(key(item), item);
  }
}
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = list => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// Labels beside points, where they cover no other label and no dot; one that has no place is not drawn.
class Labels {
  constructor(svg, width, height, dots) { Object.assign(this, { svg, width, height, taken: dots.map(([x, y]) => [x - 6, y - 6, x + 6, y + 6]) }); }
  add([x, y], texts, type, size = 12, far = 9) {
    const tries = texts.flatMap(text => {
      const wide = text.length * size * .56;
      const places = [[far, -5], [-far - wide, -5], [far, size + 2], [-far - wide, size + 2], [-wide / 2, -far - 2], [-wide / 2, size + far]];
      return places.map(([dx, dy]) => [text, x + dx, y + dy, wide]);
    });
    const found = tries.find(([, left, base, wide]) => this.free([left, base - size * .8, left + wide, base + 3]));
    if (!found) return;
    const [text, left, base, wide] = found;
    this.taken.push([left, base - size * .8, left + wide, base + 3]);
    draw(this.svg, "text", { x: left, y: base, class: type }, text);
  }
  free([a, b, c, d]) {
    return a >= 2 && b >= 0 && c <= this.width - 2 && d <= this.height && !this.taken.some(([e, f, g, h]) => a < g && e < c && b < h && f < d);
  }
}

function start(section) {
  section.dataset.ready = "";
  const data = JSON.parse(section.querySelector("script[type='application/json']").textContent);
  for (const named of [data.axes, data.categories, data.lines, data.sums]) Object.setPrototypeOf(named, null);
  const at = name => section.querySelector(`.rp-${name}`), all = name => section.querySelectorAll(name);
  const lists = [...all(".rp-all")], names = Object.keys(data.axes);
  let run = 0, step = 0, timer = null;
  const frames = () => data.runs[run].frames;
  const last = () => frames().length - 1;

  for (const key of ["x", "y"]) {
    for (const name of names) at(key).append(new Option(name, name));
  }

  // What there is after a step: all changes until then, and what only this step shows.
  function state(upTo) {
    const now = { groups: new Map(), remaining: new Map(), edges: new Map(), bars: new Map(), moved: new Map(), order: [], centres: [], shares: [] };
    for (const frame of frames().slice(0, upTo + 1)) {
      for (const [record, group] of frame.g || []) {
        if (group < 0) now.groups.delete(record); else now.groups.set(record, group);
      }
      toggle(now.remaining, frame.r);
      toggle(now.edges, frame.e, String);
      toggle(now.bars, frame.b);
      for (const [record, values] of frame.v || []) now.moved.set(record, values);
      now.order = frame.o || now.order;
      now.centres = frame.c || now.centres;
      now.shares = frame.u || now.shares;
    }
    const frame = frames()[upTo];
    now.members = new Map();
    for (const [record, group] of now.groups) now.members.set(group, [...now.members.get(group) || [], record]);
    return { ...now, marks: frame.m || [], tied: frame.d || [], links: frame.l || [], shown: frame.h || [] };
  }

  // Places that are no records': on axes that are sums of the values of a point.
  function sum(name, values, constant = true) {
    if (!data.sums[name]) return null;
    const [coefficients, more] = data.sums[name];
    const terms = [...coefficients.map((a, j) => a * values[j]), constant ? more : 0];
    const total = terms.reduce((a, b) => a + b), size = terms.reduce((a, b) => a + Math.abs(b), 0);
    return Math.abs(total) > NOISE * size ? total : 0;
  }
  function range(name) {
    const found = data.runs[run].records.map(record => data.axes[name][record]);
    for (const frame of frames()) {
      for (const centre of frame.c || []) found.push(sum(name, centre) ?? found[0]);
      for (const [record, values] of frame.v || []) found.push(data.axes[name][record] + (sum(name, values, false) || 0));
    }
    if (data.lines[name]) found.push(data.lines[name][0]);
    return [found.reduce((a, b) => Math.min(a, b)), found.reduce((a, b) => Math.max(a, b))];
  }

  // An axis: from values to pixels, where each record is, and the ticks.
  function axis(name, from, to, gap, unit) {
    const values = data.axes[name], categories = data.categories[name];
    if (categories) {
      const band = (to - from) / categories.length, every = Math.max(1, Math.ceil(gap / Math.abs(band)));
      const middle = v => from + (v + .5) * band;
      const spread = record => categories.length < values.length ? ((record * .618034) % 1 - .5) * band * .7 : 0;
      return {
        places: values.map((v, record) => middle(v) + spread(record)), of: middle,
        ticks: categories.map((text, v) => [middle(v), text]).filter((_, v) => v % every === 0),
      };
    }
    const [low, high] = range(name), scale = unit || Math.abs(to - from) / (high - low || 1);
    const centre = (from + to) / 2, way = Math.sign(to - from);
    const of = v => high > low ? centre + way * (v - (low + high) / 2) * scale : centre;
    const ticks = data.stacks.includes(name) || data.alike.includes(name) ? [] : (high > low ? [low, high] : [low]);
    const digits = 4 + Math.max(0, Math.ceil(Math.log10(Math.max(-low, high) / (high - low || 1))));
    return { places: values.map(of), of, ticks: ticks.map(v => [of(v), short(v, digits)]) };
  }

  function frameOfPicture(svg, nameX, nameY) {
    const width = Math.max(260, svg.clientWidth), flat = data.stacks.includes(nameY);
    const tallest = flat ? 12 * (2 + range(nameY)[1]) + 110 : Math.min(width * .8, 460);
    const height = Math.round(Math.max(flat ? 150 : 260, tallest));
    const left = data.stacks.includes(nameY) ? 20 : data.alike.includes(nameY) ? 34 : data.categories[nameY] ? 96 : 62;
    const box = { width, height, left, right: width - 8, top: 8, bottom: height - 46 };
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    let unit = 0;
    const inset = 24, [x0, x1, y0, y1] = [box.left + inset, box.right - inset, box.bottom - inset, box.top + inset];
    if (data.alike.includes(nameX) && data.alike.includes(nameY)) {
      const spans = [nameX, nameY].map(name => { const [a, b] = range(name); return b - a || 1; });
      unit = Math.min((x1 - x0) / spans[0], (y0 - y1) / spans[1]);
    }
    box.across = axis(nameX, x0, x1, 90, unit);
    box.up = flat ? stack(nameY, y0) : axis(nameY, y0, y1, 20, unit);
    box.place = record => [box.across.places[record], box.up.places[record]];
    return box;
  }
  function stack(name, bottom) {
    const of = height => bottom - height * 17;
    return { places: data.axes[name].map(of), of, ticks: [] };
  }

  function drawAxes(svg, box, nameX, nameY) {
    const { left, right, top, bottom, height } = box, flat = data.stacks.includes(nameY);
    draw(svg, "path", { d: flat ? `M${left} ${bottom}H${right}` : `M${left} ${top}V${bottom}H${right}`, fill: "none", stroke: "var(--rp-line)" });
    for (const [x, text] of box.across.ticks) {
      draw(svg, "path", { d: `M${x} ${bottom}v5`, stroke: "var(--rp-line)" });
      draw(svg, "text", { x, y: bottom + 17, "text-anchor": "middle", class: "rp-quiet" }, cut(text, 12));
    }
    for (const [y, text] of box.up.ticks) {
      draw(svg, "path", { d: `M${left} ${y}h-5`, stroke: "var(--rp-line)" });
      draw(svg, "text", { x: left - 7, y: y + 4, "text-anchor": "end", class: "rp-quiet" }, cut(text, 10));
    }
    draw(svg, "text", { x: (left + right) / 2, y: height - 8, "text-anchor": "middle", class: "rp-quiet" }, nameX);
    const half = (top + bottom) / 2;
    if (!flat) draw(svg, "text", { x: 13, y: half, "text-anchor": "middle", transform: `rotate(-90 13 ${half})`, class: "rp-quiet" }, nameY);
    for (const [name, along] of [[nameX, box.across], [nameY, box.up]]) {
      if (!data.lines[name]) continue;
      const v = along.of(data.lines[name][0]);
      draw(svg, "path", { d: name === nameX ? `M${v} ${top}V${bottom}` : `M${left} ${v}H${right}`, stroke: "var(--rp-mark)", "stroke-width": 1.5 });
    }
  }

  function drawGroups(svg, now, box, averaged) {
    for (const [group, records] of now.members) {
      const points = records.map(box.place), colour = `var(--rp-c${group % COLOURS})`;
      const shape = { points: hull(points).map(p => p.join(",")).join(" "), "stroke-linejoin": "round" };
      if (now.centres.length) continue;
      draw(svg, "polygon", { ...shape, fill: colour, stroke: colour, "stroke-width": 20, opacity: .2, class: "rp-group" });
      if (!averaged || records.length < 2) continue;
      const [x, y] = mean(points);
      draw(svg, "path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, fill: colour, stroke: "var(--rp-paper)" });
    }
    for (const records of now.shown) {
      const points = hull(records.map(box.place)).map(p => p.join(",")).join(" ");
      draw(svg, "polygon", { points, fill: "none", stroke: "var(--rp-paper)", "stroke-width": 24, "stroke-linejoin": "round", opacity: 0 });
      for (const p of records.map(box.place)) draw(svg, "circle", { cx: p[0], cy: p[1], r: 12, fill: "none", stroke: "var(--rp-mark)", "stroke-dasharray": "4 3" });
      draw(svg, "polygon", { points, fill: "none", stroke: "var(--rp-mark)", "stroke-dasharray": "4 3" });
    }
  }

  function drawLines(svg, now, box) {
    const path = (a, b, more) => draw(svg, "path", { d: `M${a.join(" ")}L${b.join(" ")}`, fill: "none", stroke: "var(--rp-ink)", ...more });
    for (const [a, b] of now.edges.values()) path(box.place(a), box.place(b), { "stroke-width": 2, opacity: .55 });
    if (now.order.length) {
      draw(svg, "polyline", { points: now.order.map(r => box.place(r).join(",")).join(" "), fill: "none", stroke: "var(--rp-pale)", "stroke-width": 1.2, opacity: .7 });
    }
    const point = end => {
      if (end >= 0) return box.place(end);
      const some = end === REMAINING ? [...now.remaining.keys()] : end === ALL ? data.runs[run].records : now.members.get(GROUP - end);
      return some && some.length ? mean(some.map(box.place)) : null;
    };
    for (const [from, to] of now.links) {
      const a = point(from), b = point(to);
      if (a && b) path(a, b, { stroke: "var(--rp-mark)", "stroke-width": 1.6, "stroke-dasharray": "5 4" });
    }
    for (const [record, values] of now.moved) {
      const a = box.place(record), b = moved(box, record, values), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
      path(a, b, { stroke: "var(--rp-mark)", "stroke-width": 1.6 });
      const wing = turn => `L${b[0] - 7 * Math.cos(angle + turn)} ${b[1] - 7 * Math.sin(angle + turn)}`;
      if (Math.hypot(b[0] - a[0], b[1] - a[1]) > 4) draw(svg, "path", { d: `M${b.join(" ")}${wing(.5)}${wing(-.5)}z`, fill: "var(--rp-mark)" });
    }
  }
  function moved(box, record, values) {
    const along = (name, scale, place) => data.sums[name] ? scale.of(data.axes[name][record] + sum(name, values, false)) : place;
    const [x, y] = box.place(record);
    return [along(at("x").value, box.across, x), along(at("y").value, box.up, y)];
  }

  function centres(now, box) {
    const places = now.centres.map(c => [sum(at("x").value, c), sum(at("y").value, c)]);
    return places.some(p => p.includes(null)) ? [] : places.map(([x, y]) => [box.across.of(x), box.up.of(y)]);
  }
  function drawCentres(svg, now, box) {
    const points = centres(now, box);
    if (!points.length) return;
    now.shares.forEach((row, i) => {
      const record = data.runs[run].records[i], a = box.place(record), drawn = now.groups.get(record);
      row.forEach((share, centre) => {
        const strong = drawn === undefined ? share : Number(drawn === centre);
        if (strong > .02) draw(svg, "path", { d: `M${a.join(" ")}L${points[centre].join(" ")}`, stroke: `var(--rp-c${centre % COLOURS})`, "stroke-width": 1.6, opacity: strong * .75 });
      });
    });
    points.forEach(([x, y], centre) => draw(svg, "path", { d: `M${x} ${y - 10}l10 10l-10 10l-10 -10z`, fill: `var(--rp-c${centre % COLOURS})`, stroke: "var(--rp-ink)", "stroke-width": 1.5, class: "rp-centre" }));
  }

  function drawRecords(svg, now, box) {
    const records = data.runs[run].records, share = new Map();
    now.shares.forEach((row, i) => share.set(records[i], row));
    const size = records.length > 400 ? 2.2 : records.length > 100 ? 3.2 : 5;
    records.forEach((record, number) => {
      const [x, y] = box.place(record), there = now.remaining.has(record), row = share.get(record);
      const group = now.groups.get(record) ?? (row && row.indexOf(Math.max(...row)));
      const plain = group === undefined;
      const dot = draw(svg, "circle", {
        cx: x, cy: y, r: size, class: "rp-record",
        fill: !plain ? `var(--rp-c${group % COLOURS})` : there ? "var(--rp-paper)" : "var(--rp-line)",
        stroke: plain && there ? "var(--rp-ink)" : "var(--rp-paper)", "stroke-width": plain && there ? 1.5 : 1,
        ...(row && !now.groups.has(record) ? { "fill-opacity": Math.max(...row) } : {}),
      });
      draw(dot, "title", {}, data.texts[record] === undefined ? `record ${number}` : `record ${number}: ${data.texts[record]}`);
    });
  }
  function drawLabels(svg, now, box) {
    const records = data.runs[run].records, dots = records.map(box.place);
    const labels = new Labels(svg, box.width, box.height, [...dots, ...centres(now, box).flatMap(([x, y]) => [[x - 5, y], [x + 5, y]])]);
    labels.taken.push([0, box.top, 22, box.bottom]);  // the name of the vertical axis
    for (const [record, name] of now.marks) if (name) labels.add(box.place(record), [name], "rp-name", 14, 12);
    if (records.length <= box.width / 6) {
      records.forEach((record, number) => {
        const text = data.texts[record], full = text && records.length <= LISTED ? [`${number}: ${cut(text, 14)}`] : [];
        labels.add(dots[number], [...full, String(number)], "rp-quiet");
      });
    }
    const { left, right, bottom, top } = box;
    for (const [name, along, across] of [[at("x").value, box.across, true], [at("y").value, box.up, false]]) {
      if (!data.lines[name]) continue;
      const v = along.of(data.lines[name][0]), ends = [.55, .35, .2, .75, .02].map(t => across ? [v, bottom - t * (bottom - top)] : [left + t * (right - left), v]);
      const before = labels.taken.length;
      for (const end of ends) if (labels.taken.length === before) labels.add(end, [data.lines[name][1]], "rp-name", 13, 4);
    }
  }

  function drawMarks(svg, now, box) {
    for (const record of now.tied) {
      const [cx, cy] = box.place(record);
      draw(svg, "circle", { cx, cy, r: 13, fill: "none", stroke: "var(--rp-mark)", "stroke-dasharray": "3 3", class: "rp-tied" });
    }
    for (const [record] of now.marks) {
      const [x, y] = box.place(record);
      draw(svg, "circle", { cx: x, cy: y, r: 9.5, fill: "none", stroke: "var(--rp-mark)", "stroke-width": 2.2, class: "rp-mark" });
    }
  }

  function picture(now) {
    const svg = at("plot"), nameX = at("x").value, nameY = at("y").value;
    const box = frameOfPicture(svg, nameX, nameY);
    const averaged = ![nameX, nameY].some(name => data.categories[name] || name === data.number || data.stacks.includes(name));
    svg.replaceChildren();
    drawAxes(svg, box, nameX, nameY);
    drawGroups(svg, now, box, averaged);
    drawLines(svg, now, box);
    if (averaged && now.remaining.size && !now.centres.length && !frames().some(frame => frame.v)) {
      const [x, y] = mean([...now.remaining.keys()].map(box.place));
      draw(svg, "path", { d: `M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14`, stroke: "var(--rp-ink)", "stroke-width": 2.2, class: "rp-average" });
    }
    drawCentres(svg, now, box);
    drawRecords(svg, now, box);
    drawMarks(svg, now, box);
    drawLabels(svg, now, box);
    svg.setAttribute("aria-label", described(now));
  }
  function described(now) {
    const own = new Map(data.runs[run].records.map((record, number) => [record, number]));
    const groups = [...now.members.values()].map(records => set(records.map(r => own.get(r))));
    const said = groups.length > 12 ? `${groups.length} groups` : groups.length ? `Groups: ${groups.join(", ")}` : "No group yet";
    return `${said}. ${now.remaining.size} records remain.`;
  }

  function tree(now) {
    const svg = at("tree"), { leaves, bars } = data.runs[run];
    if (!svg) return;
    svg.toggleAttribute("hidden", !leaves);
    if (!leaves) return;
    const width = Math.max(260, svg.clientWidth), height = 210, left = 54, bottom = height - 34;
    const most = bars.reduce((high, bar) => Math.max(high, bar[2]), 0) || 1;
    const x = place => left + 10 + (width - left - 22) * (leaves.length > 1 ? place / (leaves.length - 1) : .5);
    const y = value => bottom - (bottom - 14) * value / most;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    draw(svg, "path", { d: `M${left} 8V${bottom}`, stroke: "var(--rp-line)" });
    for (const value of [0, most]) draw(svg, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end", class: "rp-quiet" }, short(value));
    draw(svg, "text", { x: 12, y: bottom / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${bottom / 2})`, class: "rp-quiet" }, "height");
    for (const number of now.bars.keys()) {
      const [a, low, high, b, other, joined] = bars[number];
      draw(svg, "path", { d: `M${x(a)} ${y(low)}V${y(high)}H${x(b)}V${y(other)}`, fill: "none", stroke: "var(--rp-ink)", "stroke-width": 1.6, ...(joined ? { "stroke-dasharray": "4 3" } : {}) });
    }
    const records = data.runs[run].records, room = (width - left) / leaves.length;
    leaves.forEach((number, place) => {
      const group = now.groups.get(records[number]), fill = group === undefined ? "var(--rp-pale)" : `var(--rp-c${group % COLOURS})`;
      draw(svg, "circle", { cx: x(place), cy: bottom + 6, r: 3.5, fill });
      if (room > 13) draw(svg, "text", { x: x(place), y: bottom + 24, "text-anchor": "middle", style: `fill: ${fill}` }, number);
    });
    svg.setAttribute("aria-label", `Dendrogram with ${now.bars.size} of ${bars.length} bars`);
  }

  // The text of the algorithm: the step, the lines that are carried out, and what they called.
  function text() {
    const { s: labels = [], n: lines = [] } = frames()[step];
    for (const item of all("[data-step]")) item.classList.toggle("rp-lit", labels.includes(item.dataset.step));
    const called = lines.slice(-2).map(line => line[0]);
    for (const figure of all("figure[data-module]")) {
      const own = figure.dataset.module;
      let lit = false;
      for (const line of figure.querySelectorAll("[data-line]")) {
        const number = Number(line.dataset.line);
        const here = lines.some(([module, from, to]) => module === own && from <= number && number <= to);
        line.classList.toggle("rp-lit", here);
        lit = lit || here;
      }
      figure.hidden = !("main" in figure.dataset) && !(lit && called.includes(own)) && !figure.hasAttribute("data-kept");
    }
  }

  // The records that are texts: all of a few, and those of the step of many.
  function named(now) {
    const records = data.runs[run].records, met = new Set([...now.marks.map(([record]) => record), ...now.shown.flat()]);
    const list = data.texts.length ? records.filter(record => records.length <= LISTED || met.has(record)) : [];
    at("named").hidden = !data.texts.length;
    at("named").replaceChildren(...list.map(record => {
      const item = document.createElement("li"), group = now.groups.get(record);
      item.textContent = `${records.indexOf(record)}: ${data.texts[record]}`;
      item.style.borderLeftColor = group === undefined ? "var(--rp-line)" : `var(--rp-c${group % COLOURS})`;
      item.classList.toggle("rp-lit", met.has(record));
      return item;
    }));
  }

  function show() {
    const now = state(step), items = lists[run].querySelectorAll("li"), said = items[step].textContent;
    picture(now);
    tree(now);
    text();
    if (at("now").textContent !== said) at("now").textContent = said;
    named(now);
    at("step").max = last();
    at("step").value = step;
    at("step").setAttribute("aria-valuetext", said);
    at("count").textContent = `${step} of ${last()}`;
    for (const one of all("[aria-current]")) one.removeAttribute("aria-current");
    items[step].firstChild.setAttribute("aria-current", "step");
  }
  function go(to) {
    step = Math.max(0, Math.min(last(), to));
    show();
  }
  const PLAY = "M7 4l12 8-12 8z", PAUSE = "M8 5v14M16 5v14";
  function playing(on) {
    at("play").setAttribute("aria-label", on ? "Pause" : "Play");
    at("play").title = on ? "Pause" : "Play";
    at("play").querySelector("path").setAttribute("d", on ? PAUSE : PLAY);
  }
  function stop() { clearInterval(timer); timer = null; playing(false); }
  function play() {
    if (timer) { stop(); return; }
    if (step === last()) go(0);
    playing(true);
    timer = setInterval(() => { if (step === last()) stop(); else go(step + 1); }, Number(at("speed").value));
  }
  function begin() {
    [at("x").value, at("y").value] = data.runs[run].first;
    lists.forEach((list, i) => { list.hidden = i !== run; });
    go(0);
  }
  const to = target => () => { stop(); go(target()); };
  at("run").addEventListener("change", () => { stop(); run = at("run").selectedIndex; begin(); });
  at("x").addEventListener("change", show);
  at("y").addEventListener("change", show);
  at("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
  at("step").addEventListener("input", to(() => Number(at("step").value)));
  at("first").addEventListener("click", to(() => 0));
  at("last").addEventListener("click", to(last));
  at("back").addEventListener("click", to(() => step - 1));
  at("on").addEventListener("click", to(() => step + 1));
  at("play").addEventListener("click", play);
  lists.forEach(list => list.querySelectorAll("button").forEach((button, i) => button.addEventListener("click", to(() => i))));
  const KEYS = { ArrowLeft: to(() => step - 1), ArrowRight: to(() => step + 1), Home: to(() => 0), End: to(last), " ": play };
  const whole = document.body.classList.contains("run-player-page");  // which has nothing else
  (whole ? document : section).addEventListener("keydown", event => {
    if (["INPUT", "SELECT", "SUMMARY"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    if (!KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  new ResizeObserver(show).observe(at("pictures"));
  begin();
}
document.querySelectorAll(".run-player:not([data-ready])").forEach(start);
})();
