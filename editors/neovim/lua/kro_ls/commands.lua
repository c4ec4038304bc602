--- What the commands `:Kro...` do: texts beside the definition, and views in the browser.
local M = {}

--- Run a command of the server for a buffer. `handle` gets what it answers; an error is shown.
local function run(buffer, command, arguments, handle)
  local client = require("kro_ls").client(buffer)
  if not client then
    vim.notify("kro-ls does not run for this buffer; see :checkhealth kro_ls", vim.log.levels.ERROR)
    return
  end
  local params = { command = command, arguments = { arguments } }
  local function answered(problem, result)
    if problem then
      vim.notify(problem.message, vim.log.levels.ERROR)
    elseif handle then
      handle(result)
    end
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, answered, buffer)
  else
    client.request("workspace/executeCommand", params, answered, buffer)
  end
end

local function show(answer)
  vim.cmd("rightbelow vnew")
  pcall(vim.api.nvim_buf_set_name, 0, "kro://" .. answer.title) -- an older one may still be shown
  vim.bo.buftype = "nofile"
  vim.bo.bufhidden = "wipe"
  vim.bo.syntax = answer.title:match("%.yaml$") and "yaml" or answer.title:match("%.md$") and "markdown" or ""
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(answer.text, "\n", { trimempty = true }))
  vim.bo.modifiable = false
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = true, desc = "Close" })
end

--- Show in a window what a command answers. `arguments` are those of a code lens.
function M.show_text(command, arguments)
  local buffer = vim.api.nvim_get_current_buf()
  run(buffer, command, arguments or { uri = vim.uri_from_bufnr(buffer) }, show)
end

--- Add the objects of a file with manifests to the definition in the current buffer.
function M.import_manifests(path)
  local buffer = vim.api.nvim_get_current_buf()
  local text = table.concat(vim.fn.readfile(vim.fn.expand(path)), "\n")
  run(buffer, "kro.importManifests", { uri = vim.uri_from_bufnr(buffer), text = text }, function(answer)
    vim.notify("Imported as " .. table.concat(answer.ids, ", "))
  end)
end

--- Open a page in the browser, and select there what the cursor is in. A Neovim that cannot open it shows the address,
--- which is good for one visit.
function M.open_page(command)
  local buffer = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buffer)
  run(buffer, command, { uri = uri }, function(page)
    vim.notify(page.url)
    vim.api.nvim_create_autocmd("CursorMoved", {
      group = vim.api.nvim_create_augroup("KroLsPages" .. buffer, {}),
      buffer = buffer,
      callback = function()
        local line, column = unpack(vim.api.nvim_win_get_cursor(0))
        if require("kro_ls").client(buffer) then
          run(buffer, "kro.selectInGraph", { uri = uri, line = line - 1, character = column })
        end
      end,
    })
  end)
end

return M
