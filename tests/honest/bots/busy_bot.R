# R: linear algebra, forked workers, child processes, memory, files.
library(parallel)

choose <- function(legal) {
    values <- solve(crossprod(matrix(runif(40000), 200)) + diag(200))
    stopifnot(identical(unlist(mclapply(1:4, function(number) number * 2, mc.cores = 2)), c(2, 4, 6, 8)))
    stopifnot(system("echo 7", intern = TRUE) == "7", detectCores() > 0)
    kept <- as.list(1:300000)
    invisible(gc())
    stopifnot(length(readLines(own)) > 10, file.exists(own), length(list.files(dirname(own))) > 0)
    Sys.sleep(0.002)
    stopifnot(Sys.time() > 0, proc.time()[["elapsed"]] > 0, Sys.getpid() > 0)
    legal[which.max(abs(values[1, seq_along(legal)]))]
}

own <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
input <- file("stdin", "r")
legal <- character()
while (length(line <- readLines(input, 1)) == 1) {
    words <- strsplit(line, " ")[[1]]
    switch(words[1],
        ugi = cat("feature legal\nugiok\n"),
        isready = cat("readyok\n"),
        legal = legal <- words[-1],
        go = cat("bestmove", choose(legal), "\n"),
        quit = quit())
}
