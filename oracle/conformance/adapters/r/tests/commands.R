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
object@numVars <- integer()
stopifnot(grepl("no numeric key variables", try(audit(object, k = 3), silent = TRUE)))

# groups of MDAV within strata: in the whole table the two firms of each size would be together
two <- data.frame(region = c("n", "s", "n", "s"), staff = c(1, 2, 8, 9))
setClass("InStrata", representation(strataVar = "integer"), contains = "sdcMicroObj")
object <- new("InStrata", origData = two, numVars = 2L, strataVar = 1L,
              manipNumVars = data.frame(staff = c(4.5, 5.5, 4.5, 5.5)))
stopifnot(audit(object, k = 2, algorithm = "mdav")$verdict == "holds")
object@strataVar <- integer()
stopifnot(audit(object, k = 2, algorithm = "mdav")$verdict == "fails")

jobs <- data.frame(age = c(30, 31, 60, 61), job = factor(c("a", "a", "b", "b")))
masked <- mask(jobs, k = 2)
stopifnot(is.factor(masked$released$job), masked$groups == c(1, 1, 2, 2),
          audit(jobs, masked$released, k = 2, algorithm = "mdav")$verdict == "holds")

# every column comes back as what it was, and so do the names of rows
columns <- data.frame(age = c(30, 31, 60, 61), code = factor(c("01", "01", "02", "02")), answer = c("T", "T", "NA", "NA"),
                      born = as.Date("2020-01-01") + c(0, 2, 8, 10), own = c(TRUE, TRUE, FALSE, FALSE),
                      seen = as.POSIXct("2020-01-01", tz = "Europe/Oslo") + c(0, 2, 8, 10),
                      id = c("007", "1e5", "", "x"), row.names = letters[1:4])
masked <- mask(columns, k = 2, columns = c("age", "born", "seen", "code", "own"))$released
expected <- columns
expected$age <- c(30.5, 30.5, 60.5, 60.5)
expected$born <- as.Date("2020-01-01") + c(1, 1, 9, 9)
expected$seen <- columns$seen + c(1, -1, 1, -1)
expected$id[3] <- NA # a file has no empty text
stopifnot(all.equal(masked, expected))
masked <- mask(columns[c("age", "code", "answer")], k = 2)$released
stopifnot(identical(masked[-1], columns[c("code", "answer")]))

large <- data.frame(a = 1:2)
class(large$a) <- "integer64"
stopifnot(grepl("'a' is integer64", try(mask(large, k = 2), silent = TRUE)))

stopifnot(inherits(try(mask(firms, k = 7), silent = TRUE), "try-error"))

options(warn = 2) # a missing value is told by the command, not by a warning
gaps <- replace(firms, 1, replace(firms[[1]], 2, NA))
told <- try(mask(gaps, k = 3), silent = TRUE)
stopifnot(grepl("the value is missing", told))
alone <- mask(data.frame(a = c(1, NA, 3, NA)), k = 2, missing = "group-apart")$released
stopifnot(identical(alone$a, c(2, NA, 2, NA)))
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
talking <- function(x, k) {
  print("a line that is no reply")
  if (is.null(x) || k < 1 || nrow(x) < k || any(!is.finite(x))) stop("invalid")
  rep(1, nrow(x))
}
asked <- conform(talking, "any k-partition")
stopifnot(asked$by_status$errored == 0, asked$by_status$passed > 10)
unknown <- conform(function(x, k) rep(NA, nrow(x)), "any k-partition")
stopifnot(unknown$by_status$passed == 0, grepl("record 1 is NA", unknown$answers$reason[1]))
stopifnot(grepl("f is no function, but numeric", try(conform(3, "mdav"), silent = TRUE)))
dir.create(own <- tempfile("own")) # not where other programs write, too
Sys.setenv(TMPDIR = own)
together <- conform(function(x, k) rep(1, nrow(x)), "any k-partition")
stopifnot(Sys.getenv("TMPDIR") == own, length(dir(own)) == 0) # R that was asked leaves nothing
stopifnot(together$by_status$passed > 0, together$by_status$failed > 0)

# a point is written, whatever R shows, and an option that can be repeated is
options(OutDec = ",")
stopifnot(mask(firms, k = 3)$groups == c(1, 1, 1, 2, 2, 2))
options(OutDec = ".")
few <- conform(in_order, "blocks-in-file-order", without = c("small", "kinds"), flag = c("boundary", "tie"))
stopifnot(few$by_status$passed > 0, !any(few$answers$status %in% c("failed", "errored")))

# what a function has as it is, it need not be told
one_k <- function(x, k) seq_len(nrow(x))
scaled <- conform(one_k, "mdav", standardise = "population", flag = "boundary")
stopifnot(any(scaled$answers$status == "failed"))
