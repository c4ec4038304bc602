--- `:checkhealth kro_ls`: whether the server can be started, and which one it is.
local M = {}

local health = vim.health or require("health")
local start, ok, warn, problem =
  health.start or health.report_start, health.ok or health.report_ok, health.warn or health.report_warn, health.error or health.report_error

function M.check()
  start("kro-ls")
  local path = vim.fn.exepath("kro-ls")
  if path == "" then
    problem("kro-ls is not on the PATH of Neovim", { "Install it from a clone: pipx install .", "Or name it: setup({ cmd = { '/path/to/kro-ls', 'serve' } })" })
  else
    ok(("%s (%s)"):format(vim.trim(vim.fn.system({ path, "--version" })), path))
  end
  local running = vim.tbl_filter(function(each) return each.name == "kro_ls" end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
  if #running > 0 then
    ok(#running == 1 and "The server runs" or ("%d servers run"):format(#running))
  else
    warn('No server runs: open a YAML file, after require("kro_ls").setup()')
  end
end

return M
