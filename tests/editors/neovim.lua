-- Drives Neovim for test_neovim.py: diagnostics, hover, completion, the mended text, the preview. Writes what it saw to $RESULT as JSON.
local result = {}

local function finish()
  vim.fn.writefile({ vim.fn.json_encode(result) }, os.getenv("RESULT"))
  vim.cmd("qa!")
end

-- The steps run as a coroutine on Neovim's own loop, which handles keys and messages between two of them.
local function wait(what, condition)
  local deadline = vim.loop.now() + 60000
  while not condition() do
    if vim.loop.now() > deadline then
      error("waited in vain for " .. what)
    end
    coroutine.yield()
  end
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end

local function completion_words()
  return vim.tbl_map(function(entry) return entry.word end, vim.fn.complete_info({ "items" }).items)
end

local function keys(text)
  vim.api.nvim_input(text)
end

local steps = coroutine.create(function()
  local last = vim.api.nvim_buf_line_count(0)
  wait("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  result.diagnostics = vim.tbl_map(function(one)
    return { one.lnum, one.col, one.end_col, one.severity, one.message }
  end, vim.diagnostic.get(0))

  vim.api.nvim_buf_set_lines(0, last - 1, last, true, { "          name: ${schema.spec.name}" })
  wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
  result.cleared = true

  vim.api.nvim_win_set_cursor(0, { last, 31 })
  keys("K")
  wait("a hover window", floating_text)
  result.hover = floating_text()
  keys("j")

  vim.api.nvim_buf_set_lines(0, last - 1, last, true, { "          name: ${schema.spec.}" })
  vim.api.nvim_win_set_cursor(0, { last, 30 })
  keys("i<C-x><C-o>")
  wait("completions", function() return #completion_words() > 0 end)
  result.completions = completion_words()

  keys("<Esc>")
  wait("the end of typing", function() return vim.api.nvim_get_mode().mode == "n" end)
  vim.api.nvim_buf_set_lines(0, last - 1, last, true, { "          name: ${schema.spec.name}" })
  vim.cmd("KroPreview")
  wait("the preview", function() return vim.bo.buftype == "nofile" and vim.api.nvim_buf_line_count(0) > 1 end)
  result.preview = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd("close")
  vim.cmd("KroImport account.yaml")
  wait("the import", function() return vim.api.nvim_buf_line_count(0) > last end)
  result.imported = vim.api.nvim_buf_get_lines(0, last, -1, false)
end)

local timer = vim.loop.new_timer()
timer:start(0, 20, vim.schedule_wrap(function()
  if coroutine.status(steps) == "dead" then
    return
  end
  local fine, message = coroutine.resume(steps)
  if not fine then
    result.error = message
  end
  if coroutine.status(steps) == "dead" then
    timer:stop()
    finish()
  end
end))
