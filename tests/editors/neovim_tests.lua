-- Drives Neovim for test_neovim.py: a test fails and passes as its definition is edited and not saved. Writes what it saw
-- to $RESULT as JSON.
local result = {}

local function failures(buffer)
  return vim.tbl_filter(function(one) return one.code == "failing-test" end, vim.diagnostic.get(buffer))
end

local function replace_in_line(buffer, pattern, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(pattern) then
      vim.api.nvim_buf_set_lines(buffer, number - 1, number, true, { (line:gsub(pattern, text)) })
    end
  end
end

local function wait(what, condition)
  assert(vim.wait(20000, condition, 20), "waited in vain for " .. what)
end

local function drive()
  local definition = vim.api.nvim_get_current_buf()
  vim.cmd("split app.test.yaml")
  local tests = vim.api.nvim_get_current_buf()
  wait("the server", function() return #(vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = tests }) > 0 end)
  replace_in_line(definition, "name: %${schema%.spec%.nmae}", "name: other")
  wait("a failure", function() return #failures(tests) > 0 end)
  local one = failures(tests)[1]
  local line = vim.api.nvim_buf_get_lines(tests, one.lnum, one.lnum + 1, true)[1]
  result.marked = line:sub(one.col + 1, one.end_col)
  result.message = one.message
  result.modified = vim.bo[definition].modified
  replace_in_line(definition, "name: other", "name: fine")
  wait("no failure", function() return #failures(tests) == 0 end)
  result.mended = true
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = vim.schedule_wrap(function()
    local fine, message = pcall(drive)
    if not fine then
      result.error = message
    end
    vim.fn.writefile({ vim.fn.json_encode(result) }, os.getenv("RESULT"))
    vim.cmd("qa!")
  end),
})
