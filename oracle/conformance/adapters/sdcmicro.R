# sdcMicro as a program that answers JSON lines, to be copied and changed.
#   oracle hunt --algorithm mdav --standardise population --precision binary32 -- Rscript sdcmicro.R
#   oracle conform --algorithm mdav --precision binary32 -- Rscript sdcmicro.R
# Needs the packages sdcMicro and jsonlite. sdcMicro measures distances between values divided by
# their standard deviations, in binary32, and releases the means of the values themselves: it takes
# no part in cases whose values are to be left as they are, which are most of the vectors. Its other
# methods that draw nothing have the names on the left of `methods` here; pppca leaves values as they are.
#   oracle conform --algorithm blocks-in-file-order -- Rscript sdcmicro.R stand-in
# needs only jsonlite, and groups records in the order of the file: this tries all but sdcMicro.

stand_in <- "stand-in" %in% commandArgs(trailingOnly = TRUE)
methods <- c("mdav" = "mdav", "any k-partition" = "mdav", "individual-ranking" = "onedims",
             "blocks-in-file-order" = "simple", "projection" = "pca", "pppca" = "pppca",
             "mdav-argus" = "argus", "optimal" = "argus") # of mu-Argus, optimal for one variable
claims <- if (stand_in) c("any k-partition", "blocks-in-file-order") else names(methods)
numeral <- "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?(/[0-9]+)?$"

released <- function(table, k, claim) { # the means of the groups: a data frame like the table
  if (!stand_in && methods[[claim]] == "argus") {
    made <- sdcMicro::argus_microaggregation(table, k, useOptimal = claim == "optimal")
    return(made$microaggregated)
  }
  if (!stand_in) {
    made <- sdcMicro::microaggregation(table, method = methods[[claim]], aggr = k, measure = "mean")
    return(made$mx)
  }
  group <- pmin((seq_len(nrow(table)) - 1) %/% k, nrow(table) %/% k - 1)
  as.data.frame(lapply(table, function(column) ave(column, group)))
}

number <- function(text) { # "7", "-0.25", "4e-2" or "1/3"
  parts <- as.numeric(strsplit(text, "/", fixed = TRUE)[[1]])
  if (length(parts) == 2) parts[1] / parts[2] else parts
}

refusal <- function(rows, k) { # why a request makes no sense; NULL if it does
  if (k < 1) return("k is less than 1")
  if (length(rows) < k) return("fewer than k records")
  if (length(rows[[1]]) == 0) return("no attribute")
  if (length(unique(lengths(rows))) > 1) return("rows of different lengths")
  if (!all(grepl(numeral, unlist(rows)))) return("not a number")
}

answer <- function(request) {
  if (!(request$claim %in% claims)) return(list(unsupported = paste("not", request$claim)))
  refused <- refusal(request$records, request$k)
  if (!is.null(refused)) return(list(refused = refused))
  if (length(request$parameters) > 0) return(list(unsupported = "no parameters are passed on"))
  if (!stand_in && request$claim %in% c("mdav", "projection", "mdav-argus") && request$standardise %in% c("none", "range")) {
    return(list(unsupported = "sdcMicro standardises"))
  }
  if (!stand_in && request$claim %in% c("pppca", "optimal") && request$standardise != "none") {
    return(list(unsupported = "sdcMicro does not standardise"))
  }
  if (!stand_in && methods[[request$claim]] == "argus" && request$k < 2) {
    return(list(unsupported = "mu-Argus takes k from 2 on"))
  }
  if (!stand_in && request$claim == "optimal" && length(request$records[[1]]) > 1) {
    return(list(unsupported = "the optimum of one variable"))
  }
  rows <- lapply(request$records, function(row) vapply(row, number, numeric(1)))
  table <- as.data.frame(do.call(rbind, rows))
  if (!all(is.finite(as.matrix(table)))) return(list(unsupported = "values beyond binary64"))
  values <- as.matrix(released(table, request$k, request$claim))
  texts <- lapply(seq_len(nrow(values)), function(i) I(sprintf("%.17g", values[i, ])))
  list(released = texts)
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  request <- jsonlite::fromJSON(line, simplifyVector = FALSE)
  reply <- tryCatch(answer(request), error = function(e) list(errored = conditionMessage(e)))
  cat(jsonlite::toJSON(c(list(id = request$id), reply), auto_unbox = TRUE), "\n", sep = "")
  flush(stdout())
}
