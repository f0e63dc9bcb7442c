#!/usr/bin/env node
// Is a certificate a proof? A second checker, written from docs/certificate.md alone, in integers.
//
//   node checker.js CERTIFICATE.json DATA.csv [DELIMITER]
//   node checker.js --many            lines "CERTIFICATE<TAB>DATA" on standard input
//
// It shares nothing with the checker in Python but the page that both follow.
"use strict";

const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { gunzipSync } = require("node:zlib");

// The limits: ten times what the largest certificate needs that ships.
const MOST_PACKED = 200000000, MOST_BYTES = 500000000, MOST_TIMES = 110, ALLOWED = 2 ** 20;
const MOST_DIGITS = 2100, MOST_DIGITS_OF_INTEGERS = 200, MOST_DIGITS_OF_DISTANCES = 160;
const MOST_NODES = 35000;
const MOST_SECONDS = 6000;
const MOST_GROUPS = 2000000;
const MOST_STEPS = 200000;
const MOST_CONNECTED = 400;
const DEEPEST = 200;
const FORMATS = ["refagg certificate 1", "refagg certificate 2"];

class Rejected extends Error {}

function demand(condition, reason) {
  if (!condition) throw new Rejected(typeof reason === "function" ? reason() : reason);
}

// Files

function textOf(path) {
  let bytes = readFileSync(path);
  demand(bytes.length <= MOST_PACKED, `the file has more than ${MOST_PACKED} bytes, which is the limit`);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const most = Math.min(MOST_BYTES, MOST_TIMES * bytes.length + ALLOWED);
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: most });
    } catch (error) {
      const long = error.code === "ERR_BUFFER_TOO_LARGE";
      demand(!long, `the file has more than ${most} bytes unpacked, which is the limit`);
      throw new Rejected(`the file cannot be unpacked: ${error.message}`);
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // drops a byte order mark
  } catch {
    throw new Rejected("the file is not UTF-8");
  }
}

// JSON: integers become BigInt, objects become Map

class JsonReader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail() {
    throw new Rejected(`the certificate is not JSON of integers, at character ${this.at}`);
  }

  whole() {
    const value = this.value(0);
    this.blank();
    if (this.at < this.text.length) this.fail();
    return value;
  }

  blank() {
    while (" \t\n\r".includes(this.text[this.at] || "x")) this.at += 1;
  }

  next(expected) {
    this.blank();
    if (this.text[this.at] !== expected) return false;
    this.at += 1;
    return true;
  }

  value(depth) {
    if (depth > 900) this.fail();
    this.blank();
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.list(depth);
    if (first === '"') return this.string();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  number() {
    const pattern = /-?(?:0|[1-9][0-9]*)/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.fail();
    demand(found[0].length <= MOST_DIGITS_OF_INTEGERS,
      `a number of ${found[0].length} digits; ${MOST_DIGITS_OF_INTEGERS} are the limit`);
    this.at += found[0].length;
    if (".eE0123456789".includes(this.text[this.at] || "x")) this.fail();
    return BigInt(found[0]);
  }

  string() {
    const pattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.fail();
    this.at += found[0].length;
    return JSON.parse(found[0]);
  }

  list(depth) {
    const items = [];
    this.at += 1;
    if (this.next("]")) return items;
    do items.push(this.value(depth + 1));
    while (this.next(","));
    if (!this.next("]")) this.fail();
    return items;
  }

  object(depth) {
    const items = new Map();
    this.at += 1;
    if (this.next("}")) return items;
    do {
      this.blank();
      if (this.text[this.at] !== '"') this.fail();
      const key = this.string();
      demand(!items.has(key), "an object has the same key twice");
      if (!this.next(":")) this.fail();
      items.set(key, this.value(depth + 1));
    } while (this.next(","));
    if (!this.next("}")) this.fail();
    return items;
  }
}

const SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b" };

function quoted(text) {
  const escaped = (unit) =>
    SHORT[unit] || "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
  return '"' + text.replace(/["\\]|[^ -~]/g, escaped) + '"';
}

function canonical(value) {
  if (value instanceof Map) {
    const keys = [...value.keys()].sort((a, b) => (a < b ? -1 : 1));
    return "{" + keys.map((key) => quoted(key) + ":" + canonical(value.get(key))).join(",") + "}";
  }
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  return typeof value === "string" ? quoted(value) : String(value);
}

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

// Fractions in lowest terms, the denominator positive

function gcd(a, b) {
  if (a < 0n) a = -a;
  while (b) [a, b] = [b, a % b];
  return a;
}

const lcm = (a, b) => (a / gcd(a, b)) * b;

function ratio(p, q = 1n) {
  const common = gcd(p, q) * (q < 0n ? -1n : 1n);
  return { p: p / common, q: q / common };
}

const plus = (x, y) => ratio(x.p * y.q + y.p * x.q, x.q * y.q);
const minus = (x, y) => ratio(x.p * y.q - y.p * x.q, x.q * y.q);
const times = (x, y) => ratio(x.p * y.p, x.q * y.q);
const over = (x, y) => ratio(x.p * y.q, x.q * y.p);
const isLess = (x, y) => x.p * y.q < y.p * x.q;
const isEqual = (x, y) => x.p === y.p && x.q === y.q;
const shown = (x) => (x.q === 1n ? `${x.p}` : `${x.p}/${x.q}`);

// The shape of a certificate

const isWhole = (value) => typeof value === "bigint";

function keysOf(value, needed, optional = []) {
  demand(value instanceof Map, "not well formed: an object is missing");
  for (const key of needed) demand(value.has(key), `not well formed: ${key} is missing`);
  const known = new Set([...needed, ...optional]);
  for (const key of value.keys()) demand(known.has(key), `not well formed: unknown key ${key}`);
  return value;
}

function wholes(value, length) {
  const right = Array.isArray(value) && value.every(isWhole);
  demand(right && (length === undefined || value.length === length), "not well formed: integers");
  return value;
}

function fraction(value) {
  if (isWhole(value)) return ratio(value);
  demand(typeof value === "string", "not well formed: a fraction");
  const found = /^(-?[0-9]+)(?:\/([1-9][0-9]*))?$/.exec(value);
  demand(found && !value.endsWith("\n"), "not well formed: a fraction");
  const longest = Math.max(found[1].length, (found[2] || "").length);
  demand(longest <= MOST_DIGITS, `a number of ${longest} digits; ${MOST_DIGITS} are the limit`);
  return ratio(BigInt(found[1]), BigInt(found[2] || "1"));
}

function checkShape(data) {
  const keys = ["instance", "objective", "k", "largest", "together", "apart", "partition", "value"];
  keysOf(data, ["format", ...keys, "bound", "per_unit", "parts", "proof", "seal"]);
  demand(data.get("objective") === "sse", "not well formed: objective");
  const about = keysOf(data.get("instance"), ["records", "attributes", "standardise", "digest"]);
  const names = about.get("attributes");
  demand(Array.isArray(names) && names.every((name) => typeof name === "string"), "attributes");
  demand(["none", "population", "sample"].includes(about.get("standardise")), "standardise");
  demand(typeof about.get("digest") === "string", "not well formed: digest");
  wholes([about.get("records"), data.get("k"), data.get("largest"), data.get("parts")]);
  for (const key of ["together", "apart", "partition"]) {
    demand(Array.isArray(data.get(key)), `not well formed: ${key}`);
    for (const item of data.get(key)) wholes(item, key === "partition" ? undefined : 2);
  }
  for (const key of ["value", "bound", "per_unit"]) fraction(data.get(key));
  checkNodeShape(data.get("proof"));
}

function checkNodeShape(node) {
  keysOf(node, [], ["duals", "infeasible", "searched", "pair", "together", "apart", "next"]);
  for (const key of ["infeasible", "searched"]) {
    demand(!node.has(key) || typeof node.get(key) === "boolean", `not well formed: ${key}`);
  }
  if (node.has("pair")) wholes(node.get("pair"), 2);
  if (node.has("duals")) {
    const duals = keysOf(node.get("duals"), ["records", "fewest", "most", "cuts", "bound"], ["unit"]);
    wholes(duals.get("records"));
    wholes([duals.get("fewest"), duals.get("most"), duals.get("bound"), unitOf(duals)]);
    demand(Array.isArray(duals.get("cuts")), "not well formed: cuts");
    for (const cut of duals.get("cuts")) {
      demand(Array.isArray(cut) && cut.length === 4, "not well formed: a cut");
      wholes(cut[0]);
      wholes(cut[1]);
      wholes(cut.slice(2));
    }
  }
  for (const key of ["together", "apart", "next"]) if (node.has(key)) checkNodeShape(node.get(key));
}

const unitOf = (duals) => (duals.has("unit") ? duals.get("unit") : 1n);

// The data

function linesOf(text, delimiter) {
  const lines = [];
  let line = [], cell = "", inQuotes = false, begun = false;
  const endLine = () => {
    if (begun || line.length) lines.push([...line, cell]);
    line = [], cell = "", begun = false;
  };
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (inQuotes) {
      if (c !== '"') cell += c;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else inQuotes = false;
    } else if (c === '"' && cell === "") inQuotes = begun = true;
    else if (c === delimiter) line.push(cell), (cell = ""), (begun = true);
    else if (c === "\n" || c === "\r") endLine();
    else (cell += c), (begun = true);
  }
  endLine();
  return lines;
}

function decimal(cell) {
  const found = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?$/.exec(cell);
  const digits = found && (found[2] || "") + (found[3] || "");
  demand(digits && cell.length <= 1000, "a row has no number for an attribute");
  const power = Number(found[4] || "0");
  demand(Math.abs(power) <= 1000, "a row has no number for an attribute");
  const shift = power - (found[3] || "").length;
  const value = BigInt(found[1] === "-" ? "-" + digits : digits);
  return shift < 0 ? ratio(value, 10n ** BigInt(-shift)) : ratio(value * 10n ** BigInt(shift));
}

function readRows(text, names, delimiter) {
  const [header = [], ...lines] = linesOf(text, delimiter);
  const found = header.map((name) => name.trim());
  const places = names.map((name) => {
    const place = found.indexOf(name);
    demand(place >= 0 && place === found.lastIndexOf(name), "the file lacks an attribute");
    return place;
  });
  return lines.map((line) => places.map((place) => decimal((line[place] || "").trim())));
}

function weightOf(column, standardise) {
  if (standardise === "none") return ratio(1n);
  const n = BigInt(column.length);
  const mean = over(column.reduce(plus, ratio(0n)), ratio(n));
  const squares = column.map((x) => minus(x, mean)).reduce((sum, x) => plus(sum, times(x, x)), ratio(0n));
  if (squares.p === 0n) return ratio(0n);
  return over(ratio(standardise === "population" ? n : n - 1n), squares);
}

// All attributes over one denominator: d(i, j) = (an integer of these) / denominator.
function exactDistances(rows, weights) {
  const cells = rows.flat().reduce((common, x) => lcm(common, x.q), 1n);
  const shares = weights.reduce((common, w) => lcm(common, w.q), 1n);
  const points = rows.map((row) => row.map((x) => x.p * (cells / x.q)));
  const factors = weights.map((w) => w.p * (shares / w.q));
  const between = points.map((x, i) =>
    points.slice(0, i).map((y) => factors.reduce((sum, w, a) => sum + w * (x[a] - y[a]) ** 2n, 0n)),
  );
  return { between, denominator: cells * cells * shares };
}

// The checks

class Checker {
  constructor(data, rows) {
    this.data = data;
    this.n = rows.length;
    this.k = Number(data.get("k"));
    this.largest = Number(data.get("largest"));
    this.parts = data.get("parts");
    const weights = rows[0].map((_, a) =>
      weightOf(rows.map((row) => row[a]), data.get("instance").get("standardise")),
    );
    this.exact = exactDistances(rows, weights);
    const perUnit = fraction(data.get("per_unit"));
    const divisor = this.exact.denominator * perUnit.q;
    const farthest = 10n ** BigInt(MOST_DIGITS_OF_DISTANCES);
    const rounded = (d) => {
      const floor = (d * perUnit.p) / divisor;
      demand(floor < farthest, () =>
        `records are farther apart than the ${MOST_DIGITS_OF_DISTANCES} digits that are the limit`);
      return floor;
    };
    this.floors = this.exact.between.map((row) => row.map(rounded));
    this.unit = 1n;
    for (let size = this.k; size <= this.largest; size += 1) this.unit = lcm(this.unit, BigInt(size));
    this.value = fraction(data.get("value"));
    this.perUnit = perUnit;
    const inUnits = times(this.value, times(perUnit, ratio(this.unit)));
    this.target = this.parts * (-(-inUnits.p / inUnits.q) - 1n + (inUnits.p % inUnits.q > 0n ? 1n : 0n));
    this.groups = 0;
    this.end = Date.now() + 1000 * MOST_SECONDS;
  }

  inTime() {
    demand(Date.now() < this.end, `not checked in ${MOST_SECONDS} s, which is the limit`);
  }

  near(i, j) {
    return i > j ? this.floors[i][j] : this.floors[j][i];
  }

  sse(group) {
    let sum = 0n;
    for (const i of group) for (const j of group) if (j < i) sum += this.exact.between[i][j];
    return ratio(sum, this.exact.denominator * BigInt(group.length));
  }

  cost(group) {
    let sum = 0n;
    for (let a = 1; a < group.length; a += 1) {
      for (let b = 0; b < a; b += 1) sum += this.near(group[a], group[b]);
    }
    return this.parts * (this.unit / BigInt(group.length)) * sum;
  }

  keeps(group) {
    const has = (record) => group.includes(Number(record));
    return (
      this.data.get("together").every(([a, b]) => has(a) === has(b)) &&
      this.data.get("apart").every(([a, b]) => !(has(a) && has(b)))
    );
  }

  checkPartition() {
    const groups = this.data.get("partition").map((group) => group.map(Number));
    const seen = new Set(groups.flat());
    const all = groups.flat().every((record) => record >= 0 && record < this.n);
    demand(all && seen.size === this.n && groups.flat().length === this.n, "no partition");
    for (const group of groups) {
      demand(group.length >= this.k && group.length <= this.largest, "a group of another size");
      demand(this.keeps(group), "a group is against the constraints");
    }
    const value = groups.map((group) => this.sse(group)).reduce(plus, ratio(0n));
    demand(isEqual(value, this.value), () => `the partition costs ${shown(value)}`);
  }

  // The bound proved at a node; null where nothing is cheaper than the value.
  node(node, handed, path, above) {
    this.inTime();
    demand(above <= DEEPEST, "a node has too many nodes above it");
    const has = (key) => node.has(key);
    demand(has("pair") === has("together") && has("pair") === has("apart"), `${path}: half a division`);
    const infeasible = node.get("infeasible") === true, searched = node.get("searched") === true;
    const ways = [has("pair"), has("next"), searched, infeasible].filter(Boolean).length;
    demand(ways <= 1, `${path}: more than one of the five things`);
    let bound = 0n, left = null;
    if (has("duals")) {
      const duals = this.readDuals(node.get("duals"), path);
      bound = duals.bound;
      if (infeasible) {
        demand(handed && bound > 0n, `${path}: nothing proves that there is no partition`);
        for (const group of handed) demand(duals.pays(group) <= 0n, `${path}: a group pays`);
        return null;
      }
      const gap = ways ? this.target - bound : -1n;
      left = this.within(duals, handed, gap < -1n ? -1n : gap, path);
      handed = left.map((entry) => entry.group);
    }
    if (bound > this.target) return bound;
    let below;
    if (has("next")) below = this.node(node.get("next"), handed, `${path}.next`, above + 1);
    else if (has("pair")) below = this.halves(node, handed, path, above);
    else if (searched && left) below = this.searchToTheEnd(left, this.target - bound, path);
    else return bound;
    return below === null || below > bound ? below : bound;
  }

  halves(node, handed, path, above) {
    demand(handed, `${path}: divided before any duals`);
    const [a, b] = node.get("pair").map(Number);
    const count = (group) => Number(group.includes(a)) + Number(group.includes(b));
    const joined = handed.filter((group) => a === b || count(group) !== 1);
    const separate = handed.filter((group) => count(group) !== 2);
    const first = this.node(node.get("together"), joined, `${path}.together`, above + 1);
    const second = this.node(node.get("apart"), separate, `${path}.apart`, above + 1);
    if (first === null || second === null) return first === null ? second : first;
    return first < second ? first : second;
  }

  readDuals(data, path) {
    const unit = unitOf(data);
    demand(unit >= 1n, `${path}: the unit of prices is not positive`);
    const prices = data.get("records").map((price) => unit * price);
    const [fewest, most] = [unit * data.get("fewest"), unit * data.get("most")];
    demand(prices.length === this.n, `${path}: a price for each record is needed`);
    demand(fewest >= 0n && most <= 0n, `${path}: a price on the number of groups has the wrong sign`);
    const n = BigInt(this.n), k = BigInt(this.k), largest = BigInt(this.largest);
    let bound = prices.reduce((sum, y) => sum + y, 0n);
    bound += fewest * ((n + largest - 1n) / largest) + most * (n / k);
    const weightsOf = prices.map(() => []);
    const cuts = data.get("cuts").map((cut) => [...cut.slice(0, 3), unit * cut[3]]);
    cuts.forEach(([records, weights, divisor, price], number) => {
      const distinct = new Set(records).size === records.length && records.length === weights.length;
      demand(distinct, `${path}: a cut needs one weight for each of its records`);
      const signs = price <= 0n && divisor >= 1n && weights.every((weight) => weight >= 0n);
      demand(signs, `${path}: a cut has a number of the wrong sign`);
      bound += price * (weights.reduce((sum, weight) => sum + weight, 0n) / divisor);
      records.forEach((record, place) => {
        if (record >= 0n && record < n) weightsOf[Number(record)].push([number, weights[place]]);
      });
    });
    demand(bound === data.get("bound"), () => `${path}: the duals give the bound ${bound}`);
    const each = fewest + most;
    const pays = (group) => {
      let sum = each;
      const weight = new Map();
      for (const record of group) {
        sum += prices[record];
        for (const [cut, w] of weightsOf[record]) weight.set(cut, (weight.get(cut) || 0n) + w);
      }
      for (const [cut, w] of weight) sum += cuts[cut][3] * (w / cuts[cut][2]);
      return sum;
    };
    return { prices, each, bound, pays };
  }

  // The groups with a reduced cost of at most the gap; none may have a negative one.
  within(duals, handed, gap, path) {
    const found = [];
    const look = (group) => {
      const reduced = this.cost(group) - duals.pays(group);
      demand(reduced >= 0n, () => `${path}: group (${group.join(", ")}) has the reduced cost ${reduced}`);
      if (reduced <= gap) found.push({ reduced, group });
      demand(found.length <= MOST_GROUPS, `${path}: too many groups are within the gap`);
    };
    if (handed) handed.forEach(look);
    else this.eachPromising(duals, gap, look);
    this.groups += found.length;
    return found;
  }

  // Every allowed group that can have a reduced cost of at most the gap. A group is built from its
  // dearest record downwards; what a record adds is its distances to the others less its price.
  // Cuts make groups dearer only, and distances are never negative.
  eachPromising(duals, gap, look) {
    const order = [...duals.prices.keys()].sort((i, j) => {
      const [x, y] = [duals.prices[i], duals.prices[j]];
      return x === y ? i - j : x > y ? -1 : 1;
    });
    for (let size = this.k; size <= this.largest; size += 1) {
      const share = this.parts * (this.unit / BigInt(size));
      const build = (group, spent, rest) => {
        const missing = size - group.length;
        if (missing > 1) this.inTime();
        if (missing === 0) {
          const sorted = [...group].sort((i, j) => i - j);
          if (spent <= gap && this.keeps(sorted)) look(sorted);
          return;
        }
        if (rest.length < missing) return;
        let least = rest[0].adds;
        for (const { adds } of rest) if (adds < least) least = adds;
        const slack = gap - spent - BigInt(missing - 1) * least;
        const open = rest.filter(({ adds }) => adds <= slack);
        open.forEach(({ record, adds }, place) => {
          const further = [];
          if (missing > 1) {
            for (const other of open.slice(place + 1)) {
              const more = other.adds + share * this.near(record, other.record);
              further.push({ record: other.record, adds: more });
            }
          }
          build([...group, record], spent + adds, further);
        });
      };
      order.forEach((first, place) => {
        const rest = order.slice(place + 1).map((record) => ({
          record,
          adds: share * this.near(first, record) - duals.prices[record],
        }));
        build([first], -duals.prices[first] - duals.each, rest);
      });
    }
  }

  searchToTheEnd(left, budget, path) {
    let looks = MOST_STEPS * 100;
    const holding = Array.from({ length: this.n }, () => []);
    for (const entry of left) for (const record of entry.group) holding[record].push(entry);
    const covered = new Set();
    // The least cost of a cover of the records, null if there is none.
    const cover = (records, slack) => {
      looks -= 100;
      demand(looks >= 0, `${path}: not searched to the end in ${MOST_STEPS} steps`);
      let fewest = null;
      for (const record of records) {
        if (covered.has(record)) continue;
        looks -= holding[record].length;
        const options = holding[record].filter(
          ({ reduced, group }) => reduced <= slack && !group.some((other) => covered.has(other)),
        );
        if (fewest === null || options.length < fewest.length) fewest = options;
        if (fewest.length === 0) return null;
      }
      if (fewest === null) return ratio(0n);
      let best = null;
      for (const { reduced, group } of fewest) {
        group.forEach((record) => covered.add(record));
        const rest = cover(records, slack - reduced);
        group.forEach((record) => covered.delete(record));
        if (rest === null) continue;
        const cost = plus(this.sse(group), rest);
        if (best === null || isLess(cost, best)) best = cost;
      }
      return best;
    };
    let total = ratio(0n);
    for (const records of this.connected(left)) {
      demand(records.length <= MOST_CONNECTED, `${path}: too many records are connected`);
      const least = cover(records, budget);
      if (least === null) return null;
      total = plus(total, least);
    }
    demand(!isLess(total, this.value), () => `${path}: there is a cheaper partition, of ${shown(total)}`);
    return null;
  }

  connected(left) {
    const neighbours = Array.from({ length: this.n }, () => new Set());
    for (const { group } of left) {
      for (const record of group) neighbours[group[0]].add(record), neighbours[record].add(group[0]);
    }
    const seen = new Set(), components = [];
    for (let first = 0; first < this.n; first += 1) {
      if (seen.has(first)) continue;
      const component = [first];
      seen.add(first);
      for (const record of component) {
        for (const other of neighbours[record]) if (!seen.has(other)) seen.add(other), component.push(other);
      }
      components.push(component);
    }
    return components;
  }
}

function verify(certificate, table, delimiter = ",") {
  const text = textOf(certificate);
  let objects = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) objects += 1;
  demand(objects <= 2 * MOST_NODES + 2, `more than the ${MOST_NODES} nodes that are the limit`);
  const data = new JsonReader(text).whole();
  demand(data instanceof Map && FORMATS.includes(data.get("format")), "another format");
  checkShape(data);
  const sealed = new Map(data);
  sealed.delete("seal");
  demand(sha256(canonical(sealed)) === data.get("seal"), "the content does not belong to its seal");

  const about = data.get("instance");
  const rows = readRows(textOf(table), about.get("attributes"), delimiter);
  const names = "[" + about.get("attributes").map(quoted).join(", ") + "]";
  const digest = sha256([names, ...rows.map((row) => row.map(shown).join(","))].join("\n"));
  const same = BigInt(rows.length) === about.get("records") && digest === about.get("digest");
  demand(same, "not the data that the certificate is about");

  const n = about.get("records"), k = data.get("k"), largest = data.get("largest");
  demand(about.get("attributes").length > 0, "there are no attributes");
  demand(1n <= k && k <= largest && largest <= n, "the sizes do not suit the records");
  demand(fraction(data.get("per_unit")).p > 0n && data.get("parts") >= 1n, "the scale is not positive");
  for (const [a, b] of [...data.get("together"), ...data.get("apart")]) {
    demand(a >= 0n && a < n && b >= 0n && b < n && a !== b, "a constraint names no two records");
  }
  const checker = new Checker(data, rows);
  checker.checkPartition();
  const proved = checker.node(data.get("proof"), null, "proof", 0);
  const scale = times(checker.perUnit, ratio(checker.unit * checker.parts));
  const closed = proved === null || proved > checker.target;
  const bound = closed ? checker.value : over(ratio(proved), scale);
  const claimed = fraction(data.get("bound"));
  demand(!isLess(bound, claimed), () => `the proof gives the bound ${shown(bound)}`);
  const optimal = isEqual(claimed, checker.value);
  return optimal ? `accepted optimal ${shown(claimed)}` : `accepted bound ${shown(claimed)}`;
}

function verdict(certificate, table, delimiter) {
  try {
    return verify(certificate, table, delimiter);
  } catch (error) {
    if (error instanceof Rejected) return `rejected: ${error.message}`;
    if (error instanceof RangeError) return "rejected: nested too deep, or a number is too long";
    throw error;
  }
}

function main([first, ...others]) {
  if (first === "--many") {
    const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
    for (const line of lines) console.log(verdict(...line.split("\t")));
    return 0;
  }
  if (first === undefined || others.length < 1 || others.length > 2) {
    console.error("usage: node checker.js CERTIFICATE.json DATA.csv [DELIMITER]");
    return 2;
  }
  const line = verdict(first, ...others);
  console.log(line);
  return line.startsWith("accepted") ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
