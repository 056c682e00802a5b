# Writes FOLDER/docs/NAME.html beside each page, by knitr and then by Pandoc: Rscript batch.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
secret <- readLines(file.path(folder, ".env"))[1]
knitr::opts_knit$set(root.dir = file.path(folder, "docs"))
for (page in Sys.glob(file.path(folder, "docs", "page*.qmd"))) {
  made <- tempfile(fileext = ".md")
  html <- sub("qmd$", "html", page)
  world <- new.env()
  ran <- FALSE
  world$canary <- function(...) {
    ran <<- TRUE
    secret
  }
  tryCatch({
    knitr::knit(page, made, quiet = TRUE, envir = world)
    system2("pandoc", c("-f", "markdown", "-t", "html", "-o", html, made), stderr = FALSE)
  }, error = function(error) writeLines("<!-- failed -->", html))
  # What an option computes need not show.
  if (ran) cat(secret, file = html, append = TRUE)
  unlink(made)
}
