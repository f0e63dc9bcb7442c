"""The runners of the vectors, each with a program in its language that is right, and a wrong one.

The programs are blocks of k records in the order of the file. The wrong one leaves the last ones,
fewer than k, in a group of their own; another one gives each group twice.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from oracle.conformance.field.table import ADAPTERS
from oracle.conformance.vectors.files import FOLDER

VECTORS = FOLDER / "blocks-in-file-order.json"

JAVASCRIPT = """
const { check } = require("./runner.js");
process.exit(check(process.argv[2], (records, k) => {
  const n = records.length;
  if (k < 1 || n < k || records[0].length === 0) throw new Error("k");
  if (records.some((row) => row.length !== records[0].length)) throw new Error("row");
  if (!records.flat().every(Number.isFinite)) throw new Error("cell");
  const groups = [];
  for (let i = 0; i < n; i++) {
    const block = Math.floor(i / k);
    const group = process.argv[3] !== "wrong" ? Math.min(block, Math.floor(n / k) - 1) : block;
    (groups[group] ??= []).push(i);
  }
  return process.argv[3] === "twice" ? [...groups, ...groups] : groups;
}) ? 0 : 1);
"""

R = """
given <- commandArgs(trailingOnly = TRUE)
source("runner.R")
right_blocks <- function(records, k) {
  n <- length(records)
  if (k < 1 || n < k || length(records[[1]]) == 0) stop("k")
  if (length(unique(lengths(records))) > 1 || !all(is.finite(unlist(records)))) stop("cell")
  block <- (seq_len(n) - 1) %/% k
  if (given[2] != "wrong") block <- pmin(block, n %/% k - 1)
  groups <- unname(split(seq_len(n) - 1, block))
  if (given[2] == "twice") c(groups, groups) else groups
}
quit(status = if (check(given[1], right_blocks)) 0 else 1)
"""

JAVA = """
import java.nio.file.Path;
import java.util.*;

class Main {
    public static void main(String[] given) throws Exception {
        boolean well = Runner.check(Path.of(given[0]), (records, k) -> {
            int n = records.length;
            if (k < 1 || n < k || records[0].length == 0) throw new IllegalArgumentException("k");
            for (double[] row : records) {
                if (row.length != records[0].length) throw new IllegalArgumentException("row");
                if (!Arrays.stream(row).allMatch(Double::isFinite)) throw new ArithmeticException();
            }
            Map<Integer, List<Integer>> groups = new TreeMap<>();
            for (int i = 0; i < n; i++) {
                int group = !given[1].equals("wrong") ? Math.min(i / k, n / k - 1) : i / k;
                groups.computeIfAbsent(group, g -> new ArrayList<>()).add(i);
            }
            List<List<Integer>> all = new ArrayList<>(groups.values());
            if (given[1].equals("twice")) all.addAll(groups.values());
            return all;
        });
        System.exit(well ? 0 : 1);
    }
}
"""

RUST = """
mod runner;

fn main() {
    let given: Vec<String> = std::env::args().collect();
    let well = runner::check(&given[1], |records, k| {
        let n = records.len();
        if k < 1 || n < k as usize || records[0].is_empty() { return Err("k".to_string()) }
        if records.iter().any(|row| row.len() != records[0].len()) { return Err("row".to_string()) }
        if records.iter().flatten().any(|cell| !cell.is_finite()) { return Err("cell".to_string()) }
        let k = k as usize;
        let mut groups: runner::Groups = Vec::new();
        for i in 0..n {
            let group = if given[2] != "wrong" { (i / k).min(n / k - 1) } else { i / k };
            if group == groups.len() { groups.push(Vec::new()) }
            groups[group].push(i);
        }
        if given[2] == "twice" { groups.extend(groups.clone()) }
        Ok(groups)
    });
    std::process::exit(if well { 0 } else { 1 });
}
"""

OTHERS = ("individual-ranking.json", "gaussian-noise.json", "k-member.json", "random-seed.json")

LANGUAGES = {
    "JavaScript": ("node", "main.js", JAVASCRIPT, [], ["node", "main.js"]),
    "R": ("Rscript", "main.R", R, [], ["Rscript", "main.R"]),
    "Java": (
        "javac",
        "Main.java",
        JAVA,
        ["javac", "Main.java", "Runner.java"],
        ["java", "-cp", ".", "Main"],
    ),
    "Rust": ("rustc", "main.rs", RUST, ["rustc", "main.rs", "-o", "main"], ["./main"]),
}


def has_jsonlite() -> bool:
    words = ["Rscript", "-e", "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_runner_passes_what_is_right_and_fails_what_is_wrong(
    language: str, tmp_path: Path
) -> None:
    needed, name, text, build, start = LANGUAGES[language]
    if not shutil.which(needed) or (language == "R" and not has_jsonlite()):
        pytest.skip(f"{language} is not installed here")
    for runner in (ADAPTERS / "runners").iterdir():
        shutil.copy(runner, tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    if build:
        subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    told = {}
    for kind in ("right", "wrong", "twice", *OTHERS):
        words = [*start, str(VECTORS), kind]
        words[-2:] = [str(FOLDER / kind), "right"] if kind in OTHERS else words[-2:]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "individual-ranking-351" not in done.stdout
        told[kind] = done.returncode, done.stdout.splitlines()[-1:], done.stderr
    status, (line,), _ = told["right"]
    assert (status, line.endswith(" passed, 0 failed")) == (0, True), told
    for kind in ("wrong", "twice"):
        status, (line,), _ = told[kind]
        assert (status, line.endswith(" passed, 0 failed")) == (1, False), told
    for kind in OTHERS:  # questions that are not asked, or have numbers of 16 digits
        status, (line,), _ = told[kind]
        assert status in (0, 1), told
        assert line.endswith(" failed"), told
