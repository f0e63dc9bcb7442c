# MDAV in R as a program that answers JSON lines: a right one, to be hunted. It needs jsonlite.

squares <- function(rows, point) rowSums(sweep(rows, 2, point)^2)

mdav <- function(rows, k) {
  left <- seq_len(nrow(rows))
  groups <- list()
  farthest <- function(point, among) among[which.max(squares(rows[among, , drop = FALSE], point))]
  take <- function(seed, but = 0) {
    others <- setdiff(left, c(seed, but))
    near <- others[order(squares(rows[others, , drop = FALSE], rows[seed, ]))]
    groups[[length(groups) + 1]] <<- c(seed, head(near, k - 1))
    left <<- setdiff(left, groups[[length(groups)]])
  }
  middle <- function() colMeans(rows[left, , drop = FALSE])
  while (length(left) >= 3 * k) {
    r <- farthest(middle(), left)
    s <- farthest(rows[r, ], setdiff(left, r))
    take(r, s)
    take(s)
  }
  if (length(left) >= 2 * k) take(farthest(middle(), left))
  c(groups, list(left))
}

number <- function(text) { # "7", "-0.25", "4e-2" or "1/3"
  parts <- as.numeric(strsplit(text, "/", fixed = TRUE)[[1]])
  if (length(parts) == 2) parts[1] / parts[2] else parts
}

answer <- function(request) {
  known <- request$claim == "mdav" && request$standardise == "none"
  if (!known || length(request$parameters) > 0) return(list(unsupported = "plain MDAV only"))
  if (request$k < 1 || length(request$records) < request$k) return(list(refused = "k is not 1 to n"))
  width <- unique(lengths(request$records))
  if (length(width) != 1 || width == 0) return(list(refused = "rows of different lengths"))
  rows <- do.call(rbind, lapply(request$records, function(row) vapply(row, number, numeric(1))))
  if (anyNA(rows)) return(list(refused = "not a number"))
  if (!all(is.finite(2 * length(rows) * max(abs(rows))^2))) return(list(unsupported = "too large"))
  list(groups = lapply(mdav(rows, request$k), function(group) I(group - 1)))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  request <- jsonlite::fromJSON(line, simplifyVector = FALSE)
  reply <- tryCatch(suppressWarnings(answer(request)), error = function(e) list(errored = conditionMessage(e)))
  cat(jsonlite::toJSON(c(list(id = request$id), reply), auto_unbox = TRUE), "\n", sep = "")
  flush(stdout())
}
