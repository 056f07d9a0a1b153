-- The language server and the debug adapter of sx in Neovim (0.7 and later). `vim.g.sx_path` names the compiler.
local M = { told = false }

--- The compiler: what `vim.g.sx_path` says, else `sx`.
function M.compiler()
  return vim.g.sx_path or 'sx'
end

local function tell(message)
  if M.told then return end
  M.told = true
  vim.notify('sx: ' .. message, vim.log.levels.WARN)
end

local function root(file)
  local git = vim.fn.finddir('.git', vim.fn.escape(vim.fn.fnamemodify(file, ':h'), ' ') .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or vim.fn.fnamemodify(file, ':p:h')
end

-- Whether this compiler has a language server: it is asked for the command's help, once.
local function has_server()
  if M.server == nil then
    vim.fn.system({ M.compiler(), 'help', 'lsp' })
    M.server = vim.v.shell_error == 0
  end
  return M.server
end

local clients = {} -- by root

local function start(folder)
  return vim.lsp.start_client({
    name = 'sx', cmd = { M.compiler(), 'lsp' }, root_dir = folder,
    workspace_folders = { { uri = vim.uri_from_fname(folder), name = vim.fn.fnamemodify(folder, ':t') } },
    on_exit = function() clients[folder] = nil end,
  })
end

--- Gives a buffer the language server of its folder. Tells once where there is none.
function M.attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' then return end
  if vim.fn.executable(M.compiler()) == 0 then
    return tell(M.compiler() .. ' is not on the PATH; set vim.g.sx_path')
  end
  if not has_server() then
    return tell(M.compiler() .. ' has no language server (`sx lsp`): highlighting and debugging work without it')
  end
  local folder = root(file)
  clients[folder] = clients[folder] or start(folder)
  if clients[folder] then vim.lsp.buf_attach_client(buffer, clients[folder]) end
end

--- Adds the adapter, and what F5 offers, to nvim-dap, where that is installed.
function M.setup_dap()
  local there, dap = pcall(require, 'dap')
  if not there then return end
  dap.adapters.sx = dap.adapters.sx or { type = 'executable', command = M.compiler(), args = { 'dap' } }
  dap.configurations.sx = dap.configurations.sx or {
    { type = 'sx', request = 'launch', name = 'debug', program = '${file}', cwd = '${workspaceFolder}' },
    { type = 'sx', request = 'launch', name = 'debug with history', program = '${file}', engine = 'vm', record = true },
    { type = 'sx', request = 'attach', name = 'connect', connect = function()
      return vim.fn.input('HOST:PORT: ', '127.0.0.1:')
    end },
  }
end

return M
