--- Starts kro-ls for YAML files: `require("kro_ls").setup()`. See `:help kro-ls`.
local M = {}

local base = require("kro_ls.config")

local NAME = "kro_ls"

--- What `setup()` takes. Nothing has to be set.
---@class kro_ls.Options
---@field cmd? string[] the command that starts the server
---@field filetypes? string[] the file types that the server looks at
---@field settings? table the settings of kro-ls, without `kro.`
---@field typing? boolean suggestions while typing, and Enter and Tab that accept them (Neovim 0.11 and newer)

---@type kro_ls.Options
local defaults = { cmd = base.cmd, filetypes = base.filetypes, settings = {}, typing = true }

local function known_options(options)
  for name, value in pairs(options or {}) do
    assert(defaults[name] ~= nil, ("kro_ls.setup: there is no option %q; see :help kro-ls-setup"):format(name))
    local wanted = type(defaults[name])
    assert(type(value) == wanted, ("kro_ls.setup: %s must be a %s"):format(name, wanted))
  end
  return vim.tbl_extend("force", defaults, options or {})
end

--- Start the server for YAML files, those that are open included.
---@param options? kro_ls.Options
function M.setup(options)
  if vim.fn.has("nvim-0.7") == 0 then
    -- Not an error: a traceback at each start says less.
    vim.api.nvim_err_writeln("kro-ls needs Neovim 0.7 or newer; this is an older one, so it is not started")
    return
  end
  options = known_options(options)
  -- An empty table would be sent as a list.
  local settings = next(options.settings) and options.settings or vim.empty_dict()
  local chosen = { cmd = options.cmd, filetypes = options.filetypes, settings = { kro = settings } }
  local config = vim.tbl_extend("force", base, chosen)
  if vim.fn.has("nvim-0.11") == 1 then
    vim.lsp.config(NAME, config)
    vim.lsp.enable(NAME)
    if options.typing then
      require("kro_ls.typing").enable(NAME)
    end
  else
    require("kro_ls.older").enable(NAME, config)
  end
end

--- Return the client of a buffer, or nil.
function M.client(buffer)
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
  for _, client in pairs(clients) do
    if client.name == NAME then
      return client
    end
  end
end

return M
