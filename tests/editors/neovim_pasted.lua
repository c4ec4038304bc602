-- Drives Neovim for test_neovim.py: a manifest is pasted and indented. Writes the two texts to $RESULT as JSON.
local result = {}

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function wait(what, condition)
  assert(vim.wait(60000, condition, 20), "waited in vain for " .. what .. " in:\n" .. text())
end

local function paste()
  local before = vim.fn.readfile(vim.api.nvim_buf_get_name(0))
  vim.api.nvim_buf_set_lines(0, 0, -1, false, before)
  local opening = vim.fn.search("template:$", "w")
  vim.fn.append(opening, "        ")
  vim.api.nvim_win_set_cursor(0, { opening + 1, 7 })
  vim.cmd("startinsert!")
  vim.api.nvim_paste(os.getenv("MANIFEST"), false, -1)
  vim.cmd("stopinsert")
  return opening + 1
end

local function drive()
  wait("the server", function() return #vim.diagnostic.get(0) > 0 end)
  local first = paste()
  result.pasted = text()
  result.expr = vim.bo.formatexpr .. " " .. vim.api.nvim_get_mode().mode
  assert(vim.bo.formatexpr:find("vim.lsp.formatexpr", 1, true), "Neovim asks no server")
  -- By itself Neovim waits for half a second, and then formats nothing.
  vim.bo.formatexpr = "v:lua.vim.lsp.formatexpr(#{timeout_ms: 60000})"
  vim.cmd(("normal! %dGgqG"):format(first))
  result.formatted = text()
  paste()
  local pasted = text()
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find("Indent the manifest") ~= nil end })
  wait("the action", function() return text() ~= pasted end)
  result.acted = text()
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    vim.schedule(function()
      local fine, message = pcall(drive)
      result.error = not fine and message or nil
      vim.fn.writefile({ vim.fn.json_encode(result) }, os.getenv("RESULT"))
      vim.cmd("qa!")
    end)
  end,
})
