-- Run by Neovim with a file of sx open. The environment says where: SX (the compiler), SX_HAS_SERVER (1: it has `sx lsp`), FOLDER (scratch).
local function same(got, wanted, what)
  if not vim.deep_equal(got, wanted) then error(what .. ': ' .. vim.inspect(got) .. ', wanted ' .. vim.inspect(wanted)) end
end

local function group(pattern)
  vim.fn.cursor(1, 1)
  local at = vim.fn.searchpos(pattern, 'cW')
  return vim.fn.synIDattr(vim.fn.synID(at[1], at[2], 1), 'name')
end

local function dap()
  same(require('dap').adapters.sx.args, { 'dap' }, 'adapter')
  same(require('dap').configurations.sx[1].program, '${file}', 'configuration')
end

local function server(notified)
  if vim.env.SX_HAS_SERVER ~= '1' then
    vim.wait(60000, function() return #notified > 0 end, 20)
    vim.cmd('edit ' .. vim.env.FOLDER .. '/second.sx')
    vim.wait(300, function() return #notified > 1 end, 20)
    same(#notified, 1, 'messages about the missing server')
    return
  end
  vim.cmd('edit ' .. vim.env.FOLDER .. '/wrong.sx')
  vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  same(vim.diagnostic.get(0)[1].lnum, 0, 'line of the diagnostic')
  same(notified, {}, 'messages')
end

local ok, problem = pcall(function()
  same(vim.bo.filetype, 'sx', 'file type')
  same(vim.bo.commentstring, '// %s', 'comments')
  for pattern, wanted in pairs({ ['#import'] = 'sxDirective', ['error {'] = 'sxStructure', ['raise error'] = 'sxStatement', ['i64'] = 'sxType',
                                 ['"modules'] = 'sxString', ['// Errors'] = 'sxComment', ["'0'"] = 'sxCharacter', ['BadDigit;'] = 'sxErrorTag',
                                 ['digit ::'] = 'sxFunction' }) do
    same(group(pattern), wanted, pattern)
  end
  dap()
  server(_G.notified)
end)
if not ok then io.stderr:write(tostring(problem) .. '\n') end
vim.cmd(ok and 'qall!' or 'cquit')
