-- Drives Neovim for test_neovim.py: opens the view that $VIEW names, writes its address to $PAGE, and then waits for the
-- cursor to go where the page's visitor wants it. Neovim before 0.8 cannot be asked to go anywhere: it waits for $DONE.
local opened
vim.notify = function(message) opened = message end
-- What would start the user's browser.
vim.ui.open = function() return { wait = function() return { code = 0 } end } end

local function wait(what, condition)
  local deadline = vim.loop.now() + 60000
  while not condition() do
    if vim.loop.now() > deadline then
      error("waited in vain for " .. what)
    end
    coroutine.yield()
  end
end

local steps = coroutine.create(function()
  wait("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  vim.cmd(os.getenv("VIEW"))
  wait("the address", function() return opened end)
  vim.fn.writefile({ opened }, os.getenv("PAGE"))
  wait("the visitor", function() return vim.fn.filereadable(os.getenv("VISITED")) == 1 end)
  vim.api.nvim_input("3G")
  wait("the end", function() return vim.fn.filereadable(os.getenv("DONE")) == 1 end)
  -- The line that the page asked for.
  wait("the line", function() return vim.fn.has("nvim-0.8") == 0 or vim.api.nvim_win_get_cursor(0)[1] == 12 end)
end)

local timer = vim.loop.new_timer()
timer:start(0, 20, vim.schedule_wrap(function()
  if coroutine.status(steps) == "dead" then
    return
  end
  local fine, message = coroutine.resume(steps)
  if coroutine.status(steps) == "dead" then
    timer:stop()
    vim.fn.writefile({ fine and "fine" or tostring(message) }, os.getenv("RESULT"))
    vim.cmd("qa!")
  end
end))
