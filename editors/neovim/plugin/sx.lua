-- What to do with a file of sx.
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'sx',
  callback = function(event)
    local sx = require('sx')
    sx.attach(event.buf)
    sx.setup_dap()
  end,
})
