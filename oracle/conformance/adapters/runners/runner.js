// Judge a function by vectors: require("./runner.js").check("mdav.json", (records, k) => groups).
// Records are rows of numbers, groups lists of record numbers; what is invalid must be thrown at.
"use strict";
const fs = require("node:fs");

const SHAPES = ["kinds", "series", "dissimilarity", "constraints", "strata", "blocks", "sampling_weights", "released"];
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(\/\d+)?$/i;

function number(text) { // "7", "-0.25", "4e-2" or "1/3"; NaN if it is none
  const [above, below] = text.split("/");
  return NUMBER.test(text) ? Number(above) / Number(below ?? 1) : NaN;
}

function asked(vector) { // tables of numbers, without a scale or a parameter
  return vector.standardise === "none" && vector.seed === null &&
    Object.keys(vector.parameters).length === 0 &&
    !SHAPES.some((name) => name in vector || name in vector.expectation);
}

function text(groups) { // groups are sets
  const sorted = groups.map((group) => [...group].sort((a, b) => a - b));
  return JSON.stringify(sorted.sort((a, b) => a[0] - b[0]));
}

function right({ records, k, expectation: { kind, partitions, least, greatest } }, group) {
  let groups;
  try {
    groups = group(records.map((row) => row.map(number)), k);
  } catch {
    return kind === "reject";
  }
  if (kind === "reject" || !Array.isArray(groups)) return false;
  if (partitions) return partitions.some((one) => text(one) === text(groups));
  const all = groups.flat().sort((a, b) => a - b);
  return all.length === records.length && all.every((record, i) => record === i) &&
    groups.every(({ length }) => length >= least && length <= (greatest ?? length));
}

exports.check = function check(file, group) {
  const vectors = JSON.parse(fs.readFileSync(file, "utf8")).vectors.filter(asked);
  const wrong = vectors.filter((vector) => !right(vector, group));
  for (const { id } of wrong) console.log(`wrong: ${id}`);
  console.log(`${vectors.length - wrong.length} passed, ${wrong.length} failed`);
  return wrong.length === 0 && vectors.length > 0;
};
