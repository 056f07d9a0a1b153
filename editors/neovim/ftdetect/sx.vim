autocmd BufRead,BufNewFile *.sx set filetype=sx
