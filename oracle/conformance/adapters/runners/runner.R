# Judge a function by vectors: source("runner.R"); check("mdav.json", function(records, k) groups).
# records is a list of numeric rows, groups a list of record numbers from 0; what is invalid must
# end in stop(). Needs the package jsonlite.

shapes <- c("kinds", "series", "dissimilarity", "constraints", "strata", "blocks", "sampling_weights",
            "released")
numeral <- "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?(/[0-9]+)?$"

number <- function(text) { # "7", "-0.25", "4e-2" or "1/3"; NaN if it is none
  if (!grepl(numeral, text)) return(NaN)
  parts <- as.numeric(strsplit(text, "/", fixed = TRUE)[[1]])
  if (length(parts) == 2) parts[1] / parts[2] else parts
}

asked <- function(vector) { # tables of numbers, without a scale or a parameter
  vector$standardise == "none" && is.null(vector$seed) && length(vector$parameters) == 0 &&
    !any(shapes %in% c(names(vector), names(vector$expectation)))
}

text <- function(groups) { # groups are sets
  paste(sort(vapply(groups, function(g) paste(sort(unlist(g)), collapse = " "), "")), collapse = "|")
}

right <- function(vector, group) {
  expected <- vector$expectation
  rows <- lapply(vector$records, function(row) vapply(row, number, numeric(1)))
  groups <- tryCatch(group(rows, vector$k), error = function(e) NULL)
  if (is.null(groups) || expected$kind == "reject") {
    return(is.null(groups) && expected$kind == "reject")
  }
  if (!is.null(expected$partitions)) {
    return(any(vapply(expected$partitions, function(one) text(one) == text(groups), NA)))
  }
  sizes <- lengths(groups)
  identical(as.numeric(sort(unlist(groups))), as.numeric(seq_along(rows) - 1)) &&
    all(sizes >= expected$least) && all(sizes <= max(expected$greatest, if (is.null(expected$greatest)) sizes))
}

check <- function(file, group) {
  vectors <- Filter(asked, jsonlite::fromJSON(file, simplifyVector = FALSE)$vectors)
  passed <- vapply(vectors, right, NA, group)
  for (vector in vectors[!passed]) cat("wrong: ", vector$id, "\n", sep = "")
  cat(sum(passed), " passed, ", sum(!passed), " failed\n", sep = "")
  all(passed) && length(passed) > 0
}
