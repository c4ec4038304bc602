--- Starts a server again that ended by itself, unless it does so again and again.
local M = {}

local MOST = 4
local SECONDS = 180
local PAUSE_MILLISECONDS = 500
local SIGTERM = 15

local ends = {}

local function start()
  if vim.fn.has("nvim-0.11") == 1 then
    vim.lsp.enable("kro_ls")
  else
    require("kro_ls.older").start_again()
  end
end

--- Take note that a server ended, with its exit code and the signal that ended it.
function M.ended(code, signal)
  local was_stopped = code == 0 and (signal == 0 or signal == SIGTERM)
  if was_stopped or vim.v.exiting ~= vim.NIL then
    return
  end
  local now = os.time()
  ends = vim.tbl_filter(function(each) return now - each < SECONDS end, ends)
  table.insert(ends, now)
  vim.schedule(function()
    if #ends > MOST then
      local text = "kro-ls ended %d times in three minutes and is not started again; :edit starts it, and the log of the language servers may tell why"
      vim.notify(text:format(#ends), vim.log.levels.ERROR)
    else
      vim.notify("kro-ls ended; it is started again", vim.log.levels.WARN)
      vim.defer_fn(start, PAUSE_MILLISECONDS)
    end
  end)
end

return M
