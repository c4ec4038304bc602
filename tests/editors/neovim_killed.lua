-- Drives Neovim for test_neovim.py: the server is killed while the text is edited. Writes what it saw to $RESULT as JSON.
local result = {}
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients

local function wait(what, condition)
  assert(vim.wait(60000, condition, 20), "waited in vain for " .. what)
end

local function errors()
  return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
end

local function kill_and_edit(text)
  local first = clients()[1].id
  vim.fn.system("kill -9 $(tail -1 $PIDS)")
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, last - 1, last, true, { text })
  wait("another server", function()
    local client = clients()[1]
    return client and client.id ~= first
  end)
end

local function drive()
  wait("a diagnostic", function() return #errors() > 0 end)
  result.said = {}
  local notify = vim.notify
  vim.notify = function(text, level)
    table.insert(result.said, text)
    notify(text, level)
  end
  kill_and_edit("          name: ${schema.spec.nome}")
  wait("the diagnostic of the new server", function() return (errors()[1] or ""):find("nome") end)
  result.errors = errors()
  result.text = vim.api.nvim_buf_get_lines(0, -2, -1, false)
  for _ = 1, 3 do
    kill_and_edit("          name: ${schema.spec.nome}")
    wait("a server that runs", function() return #errors() > 0 end)
  end
  vim.fn.system("kill -9 $(tail -1 $PIDS)")
  wait("that it gives up", function() return table.concat(result.said, "\n"):find("not started again") end)
  result.left = #clients()
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
