#!/usr/bin/env node
// Is a certificate a proof? A second checker, written from docs/certificate.md alone, in integers.
//
//   node checker.js CERTIFICATE.json DATA.csv [DELIMITER]
//   node checker.js --many [DELIMITER]    lines "CERTIFICATE<TAB>DATA" on standard input
//
// It shares nothing with the checker in Python but the page that both follow.
"use strict";

const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { gunzipSync } = require("node:zlib");

// The limits: ten times what the largest certificate needs that ships, or more.
const MOST_PACKED = 200000000, MOST_BYTES = 500000000, MOST_TIMES = 110, ALLOWED = 2 ** 20;
const MOST_DIGITS = 2200, MOST_DIGITS_OF_DISTANCES = 160;
const MOST_ENTRY = 1000000n, MOST_VECTOR = 9000; // of vectors
const MOST_OBJECTS = 100000, DEEPEST = 300, MOST_GROUPS = 2000000, MOST_STEPS = 10000000000;
const FORMAT = "refagg certificate 3";

class Rejected extends Error {}

function demand(condition, reason) {
  if (!condition) throw new Rejected(typeof reason === "function" ? reason() : reason);
}

// Files

function textOf(path) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Rejected(`${path} cannot be read: ${error.message}`);
  }
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

  fail(found = "it is not JSON of integers") {
    throw new Rejected(`the certificate, at character ${this.at}: ${found}`);
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
    if (found[0].length > MOST_DIGITS) this.fail(`over the limit of ${MOST_DIGITS} digits`);
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
      if (items.has(key)) this.fail("an object with the same key twice");
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

function keysOf(value, needed, where) {
  const right = value instanceof Map && value.size === needed.length && needed.every((key) => value.has(key));
  demand(right, `${where}: expected an object with the keys ${needed.join(", ")}`);
}

function listOf(value, where, check) {
  demand(Array.isArray(value), `${where}: expected a list`);
  value.forEach((item, place) => check(item, `${where}[${place}]`));
}

function wholes(value, where, length) {
  const right = Array.isArray(value) && value.every(isWhole);
  demand(right && (length === undefined || value.length === length), `${where}: expected integers`);
}

const pairs = (value, where) => listOf(value, where, (item, place) => wholes(item, place, 2));

function fraction(value, where) {
  const found = typeof value === "string" && /^(-?[0-9]+)(?:\/([1-9][0-9]*))?$/.exec(value);
  demand(found && !value.endsWith("\n"), `${where}: expected "p" or "p/q"`);
  const longest = Math.max(found[1].replace("-", "").length, (found[2] || "").length);
  demand(longest <= MOST_DIGITS, `${where}: ${longest} digits; ${MOST_DIGITS} are the limit`);
  return ratio(BigInt(found[1]), BigInt(found[2] || "1"));
}

// The whole certificate, with each rejection's place. Pairs are lists of two integers.

const KEYS = [
  "format", "records", "attributes", "standardise", "digest", "k", "largest", "together", "apart",
  "partition", "value", "bound", "per_unit", "parts", "cuts", "proof", "seal",
];

function checkShape(data) {
  keysOf(data, KEYS, "certificate");
  for (const key of ["records", "k", "largest", "parts"]) {
    demand(isWhole(data.get(key)), `certificate.${key}: expected an integer`);
  }
  for (const key of ["digest", "seal"]) {
    demand(typeof data.get(key) === "string", `certificate.${key}: expected a text`);
  }
  listOf(data.get("attributes"), "certificate.attributes", (name, where) =>
    demand(typeof name === "string", `${where}: expected a text`));
  demand(areDifferent(data.get("attributes")), "certificate.attributes: a name is there twice");
  const scales = ["none", "population", "sample"];
  demand(scales.includes(data.get("standardise")), "certificate.standardise: expected a scale");
  for (const key of ["together", "apart"]) pairs(data.get(key), `certificate.${key}`);
  listOf(data.get("partition"), "certificate.partition", (group, where) => wholes(group, where));
  for (const key of ["value", "bound", "per_unit"]) fraction(data.get(key), `certificate.${key}`);
  listOf(data.get("cuts"), "certificate.cuts", (cut, where) => {
    demand(Array.isArray(cut) && cut.length === 3, `${where}: expected a cut`);
    wholes(cut[0], `${where}[0]`);
    wholes(cut[1], `${where}[1]`);
    demand(isWhole(cut[2]), `${where}[2]: expected an integer`);
  });
  checkNodeShape(data.get("proof"), "certificate.proof", 0);
}

function areDifferent(list) {
  return new Set(list).size === list.length;
}

function checkNodeShape(node, where, above) {
  demand(above <= DEEPEST, `${where}: more than ${DEEPEST} nodes above it, which is the limit`);
  demand(node instanceof Map, `${where}: expected a node`);
  if (node.has("pair")) {
    keysOf(node, ["filters", "pair", "together", "apart"], where);
    wholes(node.get("pair"), `${where}.pair`, 2);
    for (const key of ["together", "apart"]) checkNodeShape(node.get(key), `${where}.${key}`, above + 1);
  } else if (node.has("vectors")) {
    keysOf(node, ["filters", "unit", "records", "most", "scales", "vectors", "triangles"], where);
    for (const key of ["unit", "most"]) demand(isWhole(node.get(key)), `${where}.${key}: expected an integer`);
    for (const key of ["records", "scales"]) wholes(node.get(key), `${where}.${key}`);
    listOf(node.get("vectors"), `${where}.vectors`, (vector, place) => wholes(vector, place));
    listOf(node.get("triangles"), `${where}.triangles`, (entry, place) => wholes(entry, place, 4));
  } else {
    keysOf(node, ["filters", "costs", "duals"], where);
    demand(["rounded", "exact"].includes(node.get("costs")), `${where}.costs: expected rounded or exact`);
    checkDualsShape(node.get("duals"), `${where}.duals`);
  }
  listOf(node.get("filters"), `${where}.filters`, checkDualsShape);
}

function checkDualsShape(duals, where) {
  keysOf(duals, ["unit", "records", "fewest", "most", "cuts"], where);
  wholes(duals.get("records"), `${where}.records`);
  for (const key of ["unit", "fewest", "most"]) {
    demand(isWhole(duals.get(key)), `${where}.${key}: expected an integer`);
  }
  pairs(duals.get("cuts"), `${where}.cuts`);
}

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

function decimal(cell, where) {
  const found = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(cell);
  const digits = found && (found[2] || "") + (found[3] || "");
  demand(digits && cell.length <= MOST_DIGITS, `${where}: expected a number`);
  const shift = Number(found[4] || "0") - (found[3] || "").length;
  const value = BigInt(found[1] === "-" ? "-" + digits : digits);
  return shift < 0 ? ratio(value, 10n ** BigInt(-shift)) : ratio(value * 10n ** BigInt(shift));
}

function trimmed(text) {
  const isBlank = (at) => text[at] === " " || text[at] === "\t";
  let first = 0, last = text.length;
  while (first < last && isBlank(first)) first += 1;
  while (first < last && isBlank(last - 1)) last -= 1;
  return text.slice(first, last);
}

function readRows(text, names, delimiter) {
  const [header = [], ...lines] = linesOf(text, delimiter);
  const found = header.map(trimmed);
  const places = names.map((name) => {
    const place = found.indexOf(name);
    demand(place >= 0 && place === found.lastIndexOf(name), `expected the attribute ${name} once in the first line`);
    return place;
  });
  return lines.map((line, record) =>
    places.map((place, a) => decimal(trimmed(line[place] || ""), `record ${record}, ${names[a]}`)));
}

function weightOf(column, standardise) {
  if (standardise === "none") return ratio(1n);
  const n = BigInt(column.length);
  const mean = over(column.reduce(plus, ratio(0n)), ratio(n));
  const squares = column.map((x) => minus(x, mean)).reduce((sum, x) => plus(sum, times(x, x)), ratio(0n));
  if (squares.p === 0n) return ratio(0n);
  return over(ratio(standardise === "population" ? n : n - 1n), squares);
}

// Squared distances in units of 1 / perUnit: integers, divided by `common`.
function exactDistances(rows, weights, perUnit) {
  const cells = rows.flat().reduce((common, x) => lcm(common, x.q), 1n);
  const points = rows.map((row) => row.map((x) => x.p * (cells / x.q)));
  const shares = weights.map((w) => over(times(perUnit, w), ratio(cells * cells)));
  const common = shares.reduce((all, share) => lcm(all, share.q), 1n);
  const factors = shares.map((share) => share.p * (common / share.q));
  const between = (i, j) => {
    let sum = 0n;
    for (let a = 0; a < factors.length; a += 1) sum += factors[a] * (points[i][a] - points[j][a]) ** 2n;
    return sum;
  };
  return { between, common, divisor: factors.reduce(gcd, 0n) };
}

function overPairs(distance, group) {
  let sum = 0n;
  for (let a = 1; a < group.length; a += 1) {
    for (let b = 0; b < a; b += 1) sum += distance(group[a], group[b]);
  }
  return sum;
}

function keeps(group, together, apart) {
  const has = (record) => group.includes(Number(record));
  return together.every(([a, b]) => has(a) === has(b)) && !apart.some(([a, b]) => has(a) && has(b));
}

// The checks

class Checker {
  constructor(data, rows) {
    this.n = rows.length;
    this.k = Number(data.get("k"));
    this.largest = Number(data.get("largest"));
    this.parts = data.get("parts");
    this.together = data.get("together");
    this.apart = data.get("apart");
    this.partition = data.get("partition");
    this.value = fraction(data.get("value"), "certificate.value");
    this.perUnit = fraction(data.get("per_unit"), "certificate.per_unit");
    this.unit = 1n;
    for (let size = this.k; size <= this.largest; size += 1) this.unit = lcm(this.unit, BigInt(size));
    this.share = (size) => this.parts * (this.unit / BigInt(size));
    this.scale = times(this.perUnit, ratio(this.unit * this.parts));
    const inUnits = times(this.value, times(this.perUnit, ratio(this.unit)));
    const up = inUnits.p > 0n && inUnits.p % inUnits.q > 0n ? 1n : 0n;
    this.target = this.parts * (inUnits.p / inUnits.q + up - 1n);
    const weights = rows[0].map((_, a) => weightOf(rows.map((row) => row[a]), data.get("standardise")));
    Object.assign(this, exactDistances(rows, weights, this.perUnit));
    this.cuts = data.get("cuts").map(([records, weights_, divisor], number) => {
      const right = records.length === weights_.length && divisor >= 1n &&
        weights_.every((w) => w >= 0n) && records.every((r) => r >= 0n && r < BigInt(this.n)) &&
        areDifferent(records);
      demand(right, `certificate.cuts[${number}]: expected different records, weights, a divisor`);
      const sum = weights_.reduce((all, w) => all + w, 0n);
      return { records: records.map(Number), weights: weights_, divisor, most: sum / divisor };
    });
    const grain = this.parts * this.divisor; // exact costs are multiples of this
    this.grain = grain > 1n ? grain : 1n;
    this.steps = 0;
  }

  step(steps, where) {
    this.steps += steps;
    demand(this.steps <= MOST_STEPS, `${where}: over the limit of ${MOST_STEPS} steps`);
  }

  measure() {
    const farthest = 10n ** BigInt(MOST_DIGITS_OF_DISTANCES);
    this.floors = Array.from({ length: this.n }, () => new Array(this.n).fill(0n));
    for (let i = 0; i < this.n; i += 1) {
      for (let j = 0; j < i; j += 1) {
        const floor = this.between(i, j) / this.common;
        demand(floor < farthest, "certificate.per_unit: distances over the limit of digits");
        this.floors[i][j] = this.floors[j][i] = floor;
      }
    }
    this.nearest = this.floors.map((row) => { // the sums of each record's least 0, 1, 2, ... distances
      const sums = [0n], others = [...row].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0)).slice(1, this.largest);
      for (const distance of others) sums.push(sums.at(-1) + distance);
      return sums;
    });
  }

  cost(group, distance) {
    return this.share(group.length) * overPairs(distance, group);
  }

  checkPartition() {
    const groups = this.partition.map((group) => group.map(Number));
    const records = groups.flat(), seen = new Set(records);
    const all = records.every((record) => record >= 0 && record < this.n);
    demand(all && seen.size === this.n && records.length === this.n,
      "certificate.partition: expected each record in one group");
    let sum = ratio(0n);
    groups.forEach((group, place) => {
      const right = group.length >= this.k && group.length <= this.largest;
      demand(right && keeps(group, this.together, this.apart),
        `certificate.partition[${place}]: (${group.join(", ")}) is not allowed`);
      sum = plus(sum, ratio(overPairs(this.between, group), BigInt(group.length)));
    });
    const value = over(sum, times(this.perUnit, ratio(this.common)));
    demand(isEqual(value, this.value), () => `certificate.value: the partition costs ${shown(value)}`);
  }

  // The bound that a node proves; above the target where nothing is cheaper than the value. A scope
  // is the constraints that its groups keep and, once they are listed, the groups with their costs.
  node(node, scope, where) {
    let best = null;
    node.get("filters").forEach((duals, place) => {
      const proved = this.within(duals, scope, `${where}.filters[${place}]`, true);
      if (best === null || proved.bound > best) best = proved.bound;
      scope = { ...scope, groups: proved.kept };
    });
    const bound = this.rest(node, scope, where);
    return best === null || bound > best ? bound : best;
  }

  // The bound of what follows the filters of a node.
  rest(node, scope, where) {
    if (node.has("pair")) {
      const pair = node.get("pair");
      const first = this.node(node.get("together"), this.half(scope, [pair], []), `${where}.together`);
      const second = this.node(node.get("apart"), this.half(scope, [], [pair]), `${where}.apart`);
      return first < second ? first : second;
    }
    if (node.has("vectors")) {
      demand(!scope.groups, `${where}: expected vectors before groups are listed`);
      return this.cone(node, where);
    }
    const closed = (scope) => this.within(node.get("duals"), scope, `${where}.duals`, false).bound;
    if (node.get("costs") === "rounded") return closed(scope);
    demand(scope.groups, `${where}: expected groups that a filter has listed`);
    const groups = scope.groups.map(({ group }) => ({ cost: this.cost(group, this.between), group }));
    const value = times(times(this.value, this.scale), ratio(this.common)).p; // a whole number
    demand(closed({ ...scope, groups }) > value - this.grain, `${where}: expected the value as the bound`);
    return this.target + 1n;
  }

  // Vectors: of a group, the sum of all products of two is a square, and a triangle adds no more than
  // 0. So the least that each row can have in a group adds up to a bound.
  cone(node, where) {
    const n = this.n, unit = node.get("unit"), most = node.get("most");
    const [prices, scales, vectors] = ["records", "scales", "vectors"].map((key) => node.get(key));
    const right = [prices, scales, vectors].every((list) => list.length === n);
    demand(right && unit >= 1n && most <= 0n, `${where}: expected ${n} vectors, scales and prices, and right signs`);
    const known = (r) => r >= 0n && r < BigInt(n);
    node.get("triangles").forEach(([i, j, m, price], place) =>
      demand([i, j, m].every(known) && price >= 0n, `${where}.triangles[${place}]: expected records, a price >= 0`));
    const small = vectors.map((vector, i) => {
      const right_ = vector.length <= MOST_VECTOR && vector.every((x) => x <= MOST_ENTRY && -x <= MOST_ENTRY);
      demand(right_, `${where}.vectors[${i}]: over the limit of ${MOST_VECTOR} entries to ${MOST_ENTRY}`);
      return Float64Array.from(vector, Number);
    });
    const rows = this.floors.map((row) => row.map((distance) => this.parts * distance));
    for (let i = 0; i < n; i += 1) {
      for (let j = 0; j <= i; j += 1) {
        const a = small[i], b = small[j], length = Math.min(a.length, b.length);
        let product = 0; // exact: at most 9000 products to 10^12
        for (let at = 0; at < length; at += 1) product += a[at] * b[at];
        const less = scales[i] * scales[j] * BigInt(product) + unit * (prices[i] + prices[j]);
        rows[i][j] -= less;
        if (i !== j) rows[j][i] -= less;
      }
      rows[i][i] -= unit * most;
    }
    for (const [i, j, m, price] of node.get("triangles")) {
      rows[i][j] += unit * price;
      rows[i][m] += unit * price;
      rows[i][i] -= unit * price;
      rows[j][m] -= unit * price;
    }
    let twice = prices.reduce((sum, y) => sum + 2n * y, most * (BigInt(n) / BigInt(this.k)));
    twice *= this.unit * unit;
    rows.forEach((row, i) => {
      const others = row.filter((_, j) => j !== i).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      let sum = row[i], best = null;
      for (let size = 1; size <= this.largest; size += 1) {
        if (size > 1) sum += others[size - 2];
        const costs = size >= this.k ? (this.unit / BigInt(size)) * sum : null;
        if (costs !== null && (best === null || costs < best)) best = costs;
      }
      twice += best;
    });
    return twice > 0n ? (twice + 1n) / 2n : twice / 2n; // rounded up
  }

  half(scope, together, apart) {
    const groups = scope.groups && scope.groups.filter(({ group }) => keeps(group, together, apart));
    return { ...scope, together: [...scope.together, ...together], apart: [...scope.apart, ...apart], groups };
  }

  pricesOf(data, where) {
    const unit = data.get("unit"), n = BigInt(this.n), k = BigInt(this.k), largest = BigInt(this.largest);
    const right = unit >= 1n && data.get("records").length === this.n && data.get("fewest") >= 0n;
    demand(right && data.get("most") <= 0n && areDifferent(data.get("cuts").map(([number]) => number)),
      `${where}: expected ${n} prices, unit > 0, most <= 0 <= fewest, no cut twice`);
    const prices = data.get("records").map((price) => unit * price);
    const [fewest, most] = [unit * data.get("fewest"), unit * data.get("most")];
    let bound = prices.reduce((sum, y) => sum + y, 0n);
    bound += fewest * ((n + largest - 1n) / largest) + most * (n / k);
    const weightsOf = prices.map(() => []);
    const rates = data.get("cuts").map(([number, price], place) => {
      const known = number >= 0n && number < BigInt(this.cuts.length) && price <= 0n;
      demand(known, `${where}.cuts[${place}]: expected a cut and a price <= 0`);
      const cut = this.cuts[Number(number)];
      bound += unit * price * cut.most;
      cut.records.forEach((record, i) => weightsOf[record].push([place, cut.weights[i]]));
      return [unit * price, cut.divisor];
    });
    const each = fewest + most;
    const pays = (group) => {
      let sum = each;
      const shares = new Map();
      for (const record of group) {
        sum += prices[record];
        for (const [cut, w] of weightsOf[record]) shares.set(cut, (shares.get(cut) || 0n) + w);
      }
      for (const [cut, w] of shares) sum += rates[cut][0] * (w / rates[cut][1]);
      return sum;
    };
    return { prices, each, bound, pays, entries: weightsOf.reduce((sum, of) => sum + of.length, 0) };
  }

  // The bound of duals, and the groups within the gap; none may have a negative reduced cost.
  within(data, scope, where, lists) {
    const duals = this.pricesOf(data, where), kept = [];
    const gap = lists && this.target >= duals.bound ? this.target - duals.bound : -1n;
    const look = (cost, group) => {
      const reduced = cost - duals.pays(group);
      demand(reduced >= 0n, () => `${where}: group (${group.join(", ")}) has a negative reduced cost`);
      if (reduced <= gap) kept.push({ cost, group });
      demand(kept.length <= MOST_GROUPS, `${where}: over the limit of ${MOST_GROUPS} groups`);
    };
    this.step(duals.entries, where);
    if (scope.groups) {
      this.step(scope.groups.length, where);
      for (const { cost, group } of scope.groups) look(cost, group);
    } else {
      const near = (i, j) => this.floors[i][j];
      this.eachPromising(duals, gap, where, (group) => {
        if (keeps(group, scope.together, scope.apart)) look(this.cost(group, near), group);
      });
    }
    return { bound: duals.bound, kept };
  }

  // Every group that can have a reduced cost of at most the gap, from its dearest record on; what a
  // record adds is its distances to those chosen less its price. Of m records that are missing, each
  // has m - 1 distances to the others, which are at least its m - 1 least ones; their sum has each
  // distance twice, so that half of it is added. Cuts make groups dearer only.
  eachPromising({ prices, each }, gap, where, look) {
    const total = (entries) => entries.reduce((sum, entry) => sum + entry.least, 0n);
    const order = [...prices.keys()].sort((i, j) => {
      const [x, y] = [prices[i], prices[j]];
      return x === y ? j - i : x > y ? -1 : 1;
    });
    for (let size = this.k; size <= this.largest; size += 1) {
      const share = this.share(size);
      const halves = this.nearest.map((sums) => sums.map((sum) => (share * sum) / 2n));
      const build = (group, slack, rest) => {
        const missing = size - group.length;
        if (missing === 0) return look([...group].sort((i, j) => i - j));
        this.step(rest.length, where);
        if (rest.length < missing) return undefined;
        for (const one of rest) one.least = one.adds + halves[one.record][missing - 1];
        rest.sort((a, b) => (a.least < b.least ? -1 : a.least > b.least ? 1 : 0));
        const most = slack - total(rest.slice(0, missing - 1));
        let end = rest.length;
        while (end > 0 && rest[end - 1].least > most) end -= 1;
        for (let place = 0; place + missing <= end; place += 1) {
          if (total(rest.slice(place, place + missing)) > slack) return undefined;
          const { record, adds } = rest[place], row = this.floors[record], further = [];
          if (missing > 1) {
            for (let other = place + 1; other < end; other += 1) {
              const { record: next, adds: before } = rest[other];
              further.push({ record: next, adds: before + share * row[next] });
            }
          }
          build([...group, record], slack - adds, further);
        }
        return undefined;
      };
      order.forEach((first, place) => {
        const row = this.floors[first];
        const rest = order.slice(place + 1).map((record) => ({
          record,
          adds: share * row[record] - prices[record],
        }));
        build([first], gap + prices[first] + each, rest);
      });
    }
  }
}

function verify(certificate, table, delimiter = ",") {
  const text = textOf(certificate);
  let objects = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) objects += 1;
  demand(objects <= MOST_OBJECTS, `more than ${MOST_OBJECTS} objects, which is the limit`);
  const data = new JsonReader(text).whole();
  demand(data instanceof Map && data.get("format") === FORMAT, `the format is not ${FORMAT}`);
  checkShape(data);
  const open = new Map(data).set("seal", "");
  demand(sha256(canonical(open)) === data.get("seal"), "certificate.seal: something was changed");

  const rows = readRows(textOf(table), data.get("attributes"), delimiter);
  const names = "[" + data.get("attributes").map(quoted).join(", ") + "]";
  const digest = sha256([names, ...rows.map((row) => row.map(shown).join(","))].join("\n"));
  const same = BigInt(rows.length) === data.get("records") && digest === data.get("digest");
  demand(same, "certificate.digest: it is about other data");

  const n = data.get("records"), k = data.get("k"), largest = data.get("largest");
  const perUnit = fraction(data.get("per_unit"), "certificate.per_unit");
  const right = 1n <= k && k <= largest && largest <= n && perUnit.p > 0n && data.get("parts") >= 1n;
  demand(right, `certificate: expected 1 <= k <= largest <= ${n}, per_unit > 0, parts > 0`);
  for (const [a, b] of [...data.get("together"), ...data.get("apart")]) {
    const two = a >= 0n && a < n && b >= 0n && b < n && a !== b;
    demand(two, `certificate.together, apart: ${a} and ${b} are not two records`);
  }
  const checker = new Checker(data, rows);
  checker.checkPartition();
  checker.measure();
  const scope = { together: data.get("together"), apart: data.get("apart"), groups: null };
  const proved = checker.node(data.get("proof"), scope, "certificate.proof");
  const bound = proved > checker.target ? checker.value : over(ratio(proved > 0n ? proved : 0n), checker.scale);
  const claimed = fraction(data.get("bound"), "certificate.bound");
  demand(!isLess(bound, claimed), () => `certificate.bound: the proof gives ${shown(bound)}`);
  const optimal = isEqual(claimed, checker.value);
  return optimal ? `accepted optimal ${shown(claimed)}` : `accepted bound ${shown(claimed)}`;
}

function oneLine(text) {
  const escaped = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escaped);
}

function verdict(certificate, table, delimiter) {
  try {
    return verify(certificate, table, delimiter);
  } catch (error) {
    if (error instanceof Rejected) return `rejected: ${oneLine(error.message)}`;
    if (error instanceof RangeError) return "rejected: nested too deep, or a number is too long";
    throw error;
  }
}

function main([first, ...others]) {
  if (first === "--many") {
    const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
    for (const line of lines) console.log(verdict(...line.split("\t"), ...others));
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
