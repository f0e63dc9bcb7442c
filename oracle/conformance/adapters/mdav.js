// MDAV as a program that answers JSON lines, to be copied and changed. Node.js, no packages.
//   oracle conform --algorithm mdav -- node mdav.js
"use strict";

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(\/\d+)?$/i;

function number(text) { // "7", "-0.25", "4e-2" or "1/3"; NaN if it is none
  const [above, below] = text.split("/");
  return NUMBER.test(text) ? Number(above) / Number(below ?? 1) : NaN;
}

function distance(a, b) {
  return a.reduce((sum, x, j) => sum + (x - b[j]) ** 2, 0);
}

function average(rows) { // of differences from the first row, which keeps digits far from 0
  return rows[0].map((first, j) => first + rows.reduce((s, row) => s + (row[j] - first), 0) / rows.length);
}

function farthest(records, left, from) { // the first of those equally far
  let best = left[0];
  for (const i of left) if (distance(records[i], from) > distance(records[best], from)) best = i;
  return best;
}

function nearest(records, left, seed, size, without) { // the seed and its size - 1 nearest
  const others = left.filter((i) => i !== seed && i !== without);
  const from = records[seed];
  others.sort((a, b) => distance(records[a], from) - distance(records[b], from) || a - b);
  return [seed, ...others.slice(0, size - 1)];
}

function mdav(records, k) {
  const groups = [];
  let left = records.map((_, i) => i);
  const close = (group) => {
    groups.push(group);
    left = left.filter((i) => !group.includes(i));
  };
  while (left.length >= 3 * k) {
    const r = farthest(records, left, average(left.map((i) => records[i])));
    const s = farthest(records, left.filter((i) => i !== r), records[r]);
    close(nearest(records, left, r, k, s));
    close(nearest(records, left, s, k));
  }
  if (left.length >= 2 * k) {
    const r = farthest(records, left, average(left.map((i) => records[i])));
    close(nearest(records, left, r, k));
  }
  close(left);
  return groups;
}

function refusal(records, k) { // why a request makes no sense, if it makes none
  if (!Number.isInteger(k) || k < 1) return "k is no integer of at least 1";
  if (records.length < k) return "fewer than k records";
  if (records[0].length === 0) return "no attribute";
  if (records.some((row) => row.length !== records[0].length)) return "rows of different lengths";
  if (!records.flat().every(Number.isFinite)) return "not a number";
}

function answer({ id, claim, k, standardise, records }) {
  if (claim !== "mdav" && claim !== "any k-partition") return { id, unsupported: `not ${claim}` };
  if (standardise !== "none") return { id, unsupported: "values are taken as they are" };
  const rows = records.map((row) => row.map(number));
  const refused = refusal(rows, k);
  return refused ? { id, refused } : { id, groups: mdav(rows, k) };
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify(answer(JSON.parse(line))));
});
