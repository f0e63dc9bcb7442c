library(refagg)

if (!nzchar(Sys.which("refagg")) && !nzchar(Sys.getenv("REFAGG_PYTHON"))) {
  message("skipped: the command refagg is not on the path, and REFAGG_PYTHON names no Python")
  quit()
}

firms <- data.frame(turnover = c(12.5, 13.1, 12.9, 80.25, 81, 79.9), staff = c(7, 8, 6, 40, 42, 44))
means <- function(column) ave(column, c(1, 1, 1, 2, 2, 2))

# by hand: the first three firms are one group, and the others the other
made <- mask(firms, k = 3)
stopifnot(made$groups == c(1, 1, 1, 2, 2, 2),
          all.equal(made$released$turnover, means(firms$turnover)),
          made$report$format == "refagg mask 1")

right <- audit(firms, made$released, k = 3, algorithm = "mdav")
wrong <- audit(firms, transform(made$released, staff = staff + 1), k = 3)
stopifnot(right$verdict == "holds", wrong$verdict == "fails",
          wrong$checks$status[wrong$checks$check == "aggregates"] == "fails")
print(right)

found <- measure(firms, as.data.frame(lapply(firms, means)), standardise = "none")
within <- function(x) sum((x - means(x))^2)
stopifnot(all.equal(found$sse$decimal, within(firms$turnover) + within(firms$staff)), found$k_reached == 3)

setClass("sdcMicroObj", representation(origData = "data.frame", numVars = "integer", manipNumVars = "data.frame"))
object <- new("sdcMicroObj", origData = cbind(name = letters[1:6], firms), numVars = 2:3,
              manipNumVars = as.data.frame(lapply(firms, means)))
stopifnot(audit(object, k = 3, algorithm = "mdav")$verdict == "holds",
          audit(object, k = 4)$verdict == "fails")

jobs <- data.frame(age = c(30, 31, 60, 61), job = factor(c("a", "a", "b", "b")))
masked <- mask(jobs, k = 2)
stopifnot(is.factor(masked$released$job), masked$groups == c(1, 1, 2, 2),
          audit(jobs, masked$released, k = 2, algorithm = "mdav")$verdict == "holds")

stopifnot(inherits(try(mask(firms, k = 7), silent = TRUE), "try-error"))

options(warn = 2) # a missing value is told by the command, not by a warning
gaps <- replace(firms, 1, replace(firms[[1]], 2, NA))
told <- try(mask(gaps, k = 3), silent = TRUE)
stopifnot(grepl("the value is missing", told))
options(warn = 0)

cases <- vectors("mdav", flag = "one-attribute")
stopifnot(nrow(cases) > 5, all(cases$claim == "mdav"), lengths(cases$labels[cases$expectation == "unique"]) == 1)

in_order <- function(x, k) { # groups in the order of the file
  x <- as.matrix(x)
  if (k < 1 || nrow(x) < k || ncol(x) < 1 || any(!is.finite(x))) stop("invalid")
  pmin((seq_len(nrow(x)) - 1) %/% k, nrow(x) %/% k - 1)
}
asked <- conform(in_order, "blocks-in-file-order")
print(asked)
stopifnot(asked$by_status$failed == 0, asked$by_status$errored == 0, asked$by_status$passed > 10)
together <- conform(function(x, k) rep(1, nrow(x)), "any k-partition")
stopifnot(together$by_status$passed > 0, together$by_status$failed > 0)
