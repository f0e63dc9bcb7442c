# sdcMicro's MDAV as a program that answers JSON lines, to be copied and changed.
#   oracle conform --algorithm mdav --standardise population -- Rscript sdcmicro.R
# Needs the packages sdcMicro and jsonlite. With the argument "stand-in" it needs only jsonlite, and
# puts all records into one group: this tries the protocol, not sdcMicro.
# sdcMicro gives released values and no groups, and standardises in its own way, in binary32.

stand_in <- "stand-in" %in% commandArgs(trailingOnly = TRUE)

released <- function(table, k) {
  if (stand_in) {
    return(as.data.frame(lapply(table, function(x) rep(mean(x), length(x)))))
  }
  sdcMicro::microaggregation(table, method = "mdav", aggr = k, measure = "mean")$mx
}

number <- function(text) {
  parts <- as.numeric(strsplit(text, "/", fixed = TRUE)[[1]])
  if (length(parts) == 2) parts[1] / parts[2] else parts[1]
}

answer <- function(request) {
  reply <- list(id = request$id)
  if (!(request$claim %in% c("mdav", "any k-partition"))) {
    reply$unsupported <- paste("not", request$claim)
  } else if (request$standardise == "none" && !stand_in) {
    reply$unsupported <- "sdcMicro standardises"
  } else if (length(request$records) < request$k) {
    reply$refused <- "fewer than k records"
  } else {
    rows <- lapply(request$records, function(row) vapply(row, number, numeric(1)))
    table <- as.data.frame(do.call(rbind, rows))
    values <- released(table, request$k)
    reply$released <- lapply(seq_len(nrow(values)), function(i) {
      I(formatC(unlist(values[i, ]), digits = 17, format = "g"))
    })
  }
  reply
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  request <- jsonlite::fromJSON(line, simplifyVector = FALSE)
  reply <- tryCatch(answer(request),
                    error = function(e) list(id = request$id, refused = conditionMessage(e)))
  cat(jsonlite::toJSON(reply, auto_unbox = TRUE), "\n", sep = "")
  flush(stdout())
}
