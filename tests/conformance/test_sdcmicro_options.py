"""What docs/sdcmicro.md says of options of sdcMicro, by two runs that differ in one of them."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

from tests.places import ROOT

VERSION = "5.8.1"

SCRIPT = """
suppressMessages(library(sdcMicro))
run <- function(x, method, ...) {
  set.seed(3)
  invisible(capture.output(made <- microaggregation(x, method = method, nc = 2, ...)))
  as.matrix(made$mx)
}
told <- function(...) cat("told", ..., "\\n")
sorting <- c("single", "onedims", "pca", "pppca", "mcdpca", "clustpca", "clustmcdpca")
methods <- c("simple", sorting, "mdav", "rmd")
set.seed(1)
x <- data.frame(a = round(rexp(30) * 1000), b = round(rexp(30) * 1000))
w <- rep(c(1, 7, 3, 2, 9), 6)
for (m in methods) {
  plain <- run(x, m, aggr = 3)
  group <- if (m == "onedims") plain[, 1] else paste(plain[, 1], plain[, 2])
  right <- ave(seq_along(w), group, FUN = function(j) sum(w[j] * x$a[j]) / sum(w[j]))
  weighted <- run(x, m, aggr = 3, weights = w)
  is_right <- max(abs(weighted[, 1] - right)) < 1e-8
  as <- if (is_right) "right" else "others"
  told(m, "weights", if (identical(weighted, plain)) "nothing" else as)
  same <- identical(run(x, m, aggr = 5, measure = "median"), run(x, m, aggr = 5))
  told(m, "measure", if (same) "nothing" else "something")
  same <- identical(run(x, m, aggr = 5, measure = "trim", trim = 0.2), run(x, m, aggr = 5))
  told(m, "trim", if (same) "nothing" else "something")
  same <- identical(run(x, m, aggr = 3, transf = "none"), run(x, m, aggr = 3, transf = "log"))
  told(m, "transf", if (same) "nothing" else "something")
  one <- x["a"]
  same <- identical(run(one, m, aggr = 3), run(one, "onedims", aggr = 3))
  told(m, "one-variable", if (same) "nothing" else "something")
  few <- inherits(try(run(x[1:5, ], m, aggr = 3), silent = TRUE), "try-error")
  told(m, "few", if (few) "error" else "result")
}
x <- data.frame(a = c(2, 1, 8, 9), b = c(20, 10, 80, 90))
w <- c(1, 3, 1, 1)
for (m in c("simple", "single", "mdav")) told(m, "example", run(x, m, aggr = 2, weights = w)[, 1])
"""

SORTING = {"single", "onedims", "pca", "pppca", "mcdpca", "clustpca", "clustmcdpca"}
IGNORING = {"mdav", "rmd"}
METHODS = {"simple"} | SORTING | IGNORING


@cache
def told() -> dict[tuple[str, str], str]:
    version = ["Rscript", "-e", "cat(as.character(packageVersion('sdcMicro')))"]
    if not shutil.which("Rscript"):
        pytest.skip("R is not installed here")
    there = subprocess.run(version, capture_output=True, text=True, check=False).stdout
    if there != VERSION:
        pytest.skip(f"sdcMicro {VERSION} is not installed here")
    done = subprocess.run(
        ["Rscript", "-"], input=SCRIPT, capture_output=True, text=True, check=True
    )
    lines = [line.split(None, 3) for line in done.stdout.splitlines() if line.startswith("told")]
    return {(method, what): result.strip() for _, method, what, result in lines}


def by_result(what: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for (method, asked), result in told().items():
        if asked == what:
            found.setdefault(result, set()).add(method)
    return found


def test_weights_are_those_of_the_records_with_one_method_only() -> None:
    assert by_result("weights") == {"right": {"simple"}, "others": SORTING, "nothing": IGNORING}


@pytest.mark.parametrize("option", ["measure", "trim"])
def test_measures_are_ignored_where_weights_are(option: str) -> None:
    assert by_result(option) == {"nothing": IGNORING, "something": METHODS - IGNORING}


@pytest.mark.parametrize("option", ["transf", "one-variable"])
def test_what_changes_nothing_with_any_method(option: str) -> None:
    assert by_result(option) == {"nothing": METHODS}


def test_few_records_are_an_error_of_all_methods_but_mdav() -> None:
    assert by_result("few") == {"result": {"mdav"}, "error": METHODS - {"mdav"}}


def test_the_example_of_the_page_is_what_is_printed() -> None:
    page = (ROOT / "docs" / "sdcmicro.md").read_text(encoding="utf-8")
    assert told()["simple", "example"] == "1.25 1.25 8.5 8.5"
    for method in ("single", "mdav"):
        call = f'microaggregation(x, method = "{method}", aggr = 2, weights = w)$mx$a\n'
        assert call + told()[method, "example"] + "\n" in page
