# The commands `refagg` and `oracle` for data frames: each function writes files into a folder of
# its own, runs a command, and reads the JSON that it writes.

audit <- function(original, released, k, algorithm = NULL, ...) {
  if (inherits(original, "sdcMicroObj")) return(audit_sdc(original, k, algorithm, ...))
  made <- run("oracle", "audit", list(original, released),
              list(k = k, algorithm = algorithm, ...))
  checks <- c(do.call(c, lapply(made$blocks, function(block) block$checks)), made$together)
  text <- function(name) vapply(checks, function(check) check[[name]], "")
  made$checks <- data.frame(check = text("name"), status = text("status"), summary = text("summary"))
  made$checks$witness <- lapply(checks, function(check) unlist(check$witness))
  structure(made, class = "refagg_audit")
}

audit_sdc <- function(object, k, algorithm, ...) { # its numeric key variables, in its strata
  original <- as.data.frame(slot(object, "origData"))
  columns <- names(original)[slot(object, "numVars")]
  if (length(columns) == 0) stop("the object has no numeric key variables (numVars) to judge", call. = FALSE)
  strata <- if (.hasSlot(object, "strataVar")) names(original)[slot(object, "strataVar")]
  released <- original
  released[columns] <- slot(object, "manipNumVars")[columns]
  options <- list(...)
  if (length(strata) > 0 && is.null(options$strata)) options$strata <- strata
  kept <- union(columns, options$strata)
  if (length(kept) > length(columns) && is.null(options$columns)) options$columns <- columns
  do.call(audit, c(list(original[kept], released[kept], k, algorithm), options))
}

print.refagg_audit <- function(x, ...) {
  cat(unlist(x$conclusion), sprintf("[%s] %s: %s", x$checks$status, x$checks$check, x$checks$summary),
      sep = "\n")
  invisible(x)
}

measure <- function(original, released, ...) {
  run("refagg", "measure", list(original, released), list(...))
}

mask <- function(data, k, algorithm = "mdav", ...) {
  data <- as.data.frame(data)
  folder <- tempfile("refagg")
  report <- run("refagg", "mask", list(data),
                list(k = k, algorithm = algorithm, output = "released.csv", ...), folder)
  on.exit(unlink(folder, recursive = TRUE))
  released <- read.csv(file.path(folder, "released.csv"), check.names = FALSE, colClasses = "character",
                       na.strings = "", blank.lines.skip = FALSE, encoding = "UTF-8")
  for (name in names(released)) released[[name]] <- as_in(data[[name]], released[[name]])
  if (nrow(released) == nrow(data)) row.names(released) <- row.names(data)
  groups <- if (length(report$blocks) == 1) labels_of(report$blocks[[1]]$groups)
  list(released = released, groups = groups, report = report)
}

vectors <- function(algorithm = NULL, flag = NULL) {
  folder <- tempfile("refagg")
  on.exit(unlink(folder, recursive = TRUE))
  command("oracle", c("vectors", "export", folder, words_of(list(algorithm = algorithm, flag = flag))))
  all <- jsonlite::read_json(file.path(folder, "expectations.json"))$vectors
  text <- function(name) vapply(all, function(one) one[[name]], "")
  made <- data.frame(id = text("id"), claim = text("claim"), reason = text("reason"))
  made$k <- lapply(all, function(one) one$k)
  made$records <- lapply(all, function(one) lapply(one$records, unlist))
  made$expectation <- vapply(all, function(one) one$expectation$kind, "")
  made$labels <- lapply(all, function(one) lapply(one$expectation$partitions, labels_of))
  made
}

conform <- function(f, algorithm, ...) {
  if (!is.function(f)) stop("f is no function, but ", class(f)[1], call. = FALSE)
  folder <- tempfile("refagg") # for all that the R that is asked writes; it is killed at the end
  dir.create(folder)
  before <- Sys.getenv("TMPDIR", NA)
  Sys.setenv(TMPDIR = folder)
  on.exit({
    if (is.na(before)) Sys.unsetenv("TMPDIR") else Sys.setenv(TMPDIR = before)
    unlink(folder, recursive = TRUE)
  })
  saved <- file.path(folder, "f.rds")
  saveRDS(f, saved)
  code <- sprintf(".libPaths(%s); refagg:::answers(%s, %s)", deparse1(.libPaths()), deparse1(saved),
                  deparse1(intersect(c("param", "standardise"), names(list(...)))))
  program <- c("--", file.path(R.home("bin"), "Rscript"), "-e", code)
  made <- run("oracle", "conform", list(), list(algorithm = algorithm, ...), words = program)
  text <- function(name) vapply(made$judgements, function(one) one[[name]], "")
  made$answers <- data.frame(
    id = vapply(made$judgements, function(one) one$case$id, ""),
    status = text("status"), check = text("check"), reason = text("reason"))
  structure(made, class = "refagg_conformance")
}

print.refagg_conformance <- function(x, ...) {
  counts <- unlist(x$by_status)
  cat(paste(counts, names(counts), collapse = ", "), "\n", sep = "")
  wrong <- x$answers[x$answers$status %in% c("failed", "errored"), ]
  first <- head(wrong, 10)
  cat(sprintf("%s %s: %s\n", first$status, first$id, first$reason), sep = "")
  if (nrow(wrong) > 10) cat("and ", nrow(wrong) - 10, " more: see $answers\n", sep = "")
  invisible(x)
}

answers <- function(saved, fixed) { # the program that `oracle conform` asks: a line of JSON for each line
  f <- readRDS(saved)
  lines <- file("stdin", "r")
  while (length(line <- readLines(lines, 1)) > 0) {
    request <- jsonlite::fromJSON(line, simplifyVector = FALSE)
    reply <- c(list(id = request$id), answer(f, request, fixed))
    cat(jsonlite::toJSON(reply, auto_unbox = TRUE), "\n", sep = "")
    flush(stdout())
  }
}

answer <- function(f, request, fixed = NULL) { # `fixed`: what f has as it is, and is not told
  beside <- c("kinds", "dissimilarity", "series", "times", "constraints", "strata", "blocks", "sampling_weights")
  found <- intersect(beside, names(request))
  if (length(found) > 0) return(list(unsupported = paste("no", found[1])))
  if (length(request$parameters) > 0 && !("param" %in% fixed)) return(list(unsupported = "no parameters"))
  if (!identical(request$standardise, "none") && !("standardise" %in% fixed)) {
    return(list(unsupported = "values are taken as they are"))
  }
  tryCatch({
    rows <- lapply(request$records, function(row) vapply(row, number, 0))
    if (length(unique(lengths(rows))) > 1) stop("rows of different lengths")
    capture.output(labels <- f(do.call(rbind, rows), request$k)) # only replies are written
    if (anyNA(labels)) return(list(errored = paste("the group of record", which(is.na(labels))[1], "is NA")))
    list(labels = I(as.integer(factor(labels, unique(labels)))))
  }, error = function(error) list(refused = conditionMessage(error)))
}

number <- function(text) { # "7", "-0.25" or "1/3"
  parts <- suppressWarnings(as.numeric(strsplit(text, "/", fixed = TRUE)[[1]]))
  if (length(parts) == 0 || anyNA(parts)) stop("not a number: ", text)
  if (length(parts) == 2) parts[1] / parts[2] else parts
}

labels_of <- function(groups) { # the group of each record, from 1
  labels <- integer(sum(lengths(groups)))
  for (number in seq_along(groups)) labels[unlist(groups[[number]]) + 1] <- number
  labels
}

run <- function(program, name, tables, options, folder = tempfile("refagg"), words = NULL) {
  dir.create(folder)
  if (is.null(options$output)) on.exit(unlink(folder, recursive = TRUE))
  files <- file.path(folder, paste0("table", seq_along(tables), ".csv", recycle0 = TRUE))
  for (place in seq_along(tables)) write_table(tables[[place]], files[place])
  if (!is.null(options$output)) options$output <- file.path(folder, options$output)
  if (length(tables) > 0 && is.null(options$kind)) options$kind <- kinds_of(tables[[1]], options$columns)
  report <- file.path(folder, "report.json")
  said <- command(program, c(name, files, words_of(c(options, json = report)), "--quiet", words))
  if (!file.exists(report)) stop(paste(said, collapse = "\n"), call. = FALSE)
  jsonlite::read_json(report)
}

command <- function(program, words) { # what it says
  python <- Sys.getenv("REFAGG_PYTHON")
  found <- if (program == "oracle") c(Sys.which("refagg-oracle"), Sys.which("oracle")) else Sys.which(program)
  found <- found[found != ""]
  if (python == "" && length(found) == 0) {
    stop("the command ", program, " is not on the path: install the package refagg of Python, or name ",
         "a Python that has it in the environment variable REFAGG_PYTHON", call. = FALSE)
  }
  whole <- if (python == "") c(found[[1]], words) else c(python, "-m", program, words)
  errors <- tempfile()
  on.exit(unlink(errors))
  said <- suppressWarnings(system2(whole[1], shQuote(whole[-1]), stdout = TRUE, stderr = errors))
  status <- attr(said, "status")
  said <- c(said, readLines(errors, warn = FALSE))
  if (identical(status, 2L) && any(startsWith(said, "error:"))) stop(paste(said, collapse = "\n"), call. = FALSE)
  said
}

words_of <- function(options) { # list(k = 3, kind = c(a = "nominal"), all_risks = TRUE)
  options <- options[!vapply(options, function(value) is.null(value) || identical(value, FALSE), NA)]
  unlist(unname(Map(function(name, value) {
    flag <- if (nchar(name) == 1) paste0("-", name) else paste0("--", gsub("_", "-", name, fixed = TRUE))
    if (identical(value, TRUE)) return(flag)
    if (!is.null(names(value))) return(as.vector(rbind(flag, paste0(names(value), "=", value))))
    if (name %in% repeated) return(as.vector(rbind(flag, value)))
    c(flag, paste(if (is.numeric(value)) digits_of(value) else value, collapse = ","))
  }, names(options), options)))
}

repeated <- c("without", "case", "flag", "constraint", "l_diversity", "t_closeness") # one value each time

kinds_of <- function(table, columns) { # NULL where all columns are numbers
  columns <- if (is.null(columns)) names(table) else columns
  if (all(vapply(table[columns], is.numeric, NA))) return(NULL)
  vapply(table[columns], function(values) {
    if (is.numeric(values)) return("numeric")
    if (inherits(values, "Date")) return("date")
    if (inherits(values, "POSIXct")) return("datetime")
    if (is.logical(values)) return("boolean")
    if (is.ordered(values)) paste0("ordinal:", paste(levels(values), collapse = "<")) else "nominal"
  }, "")
}

as_in <- function(column, text) { # the text of a file, as the column was before
  if (is.factor(column)) return(factor(text, levels(column), ordered = is.ordered(column)))
  if (inherits(column, "Date")) return(as.Date(text))
  if (inherits(column, "POSIXct")) {
    zone <- attr(column, "tzone")
    return(structure(as.POSIXct(text, tz = "UTC", format = times), tzone = if (is.null(zone)) "" else zone))
  }
  if (is.logical(column)) return(as.logical(text))
  if (is.numeric(column)) as.numeric(text) else text
}

times <- "%Y-%m-%dT%H:%M:%SZ"

write_table <- function(table, path) { # with all digits
  table <- as.data.frame(table)
  for (name in names(table)[vapply(table, inherits, NA, "integer64")]) {
    stop("column '", name, "' is integer64; make it numeric or character", call. = FALSE)
  }
  numbers <- vapply(table, is.numeric, NA)
  table[numbers] <- lapply(table[numbers], digits_of)
  moments <- vapply(table, inherits, NA, "POSIXct")
  table[moments] <- lapply(table[moments], format, times, tz = "UTC")
  write.table(table, path, sep = ",", row.names = FALSE, na = '""', fileEncoding = "UTF-8",
              qmethod = "double", quote = which(!numbers))
}

digits_of <- function(values) { # the shortest text that is the same number
  text <- formatC(values, digits = 15, format = "g", width = 1, decimal.mark = ".")
  text[is.na(values)] <- NA
  other <- which(as.numeric(text) != values)
  text[other] <- formatC(values[other], digits = 17, format = "g", width = 1, decimal.mark = ".")
  text
}
