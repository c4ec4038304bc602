--- Suggestions while typing (Neovim 0.11 and newer): Enter and Tab accept the selected one, Tab goes on in a snippet.
local M = {}

local COMPLETION_PLUGINS = { "cmp", "blink.cmp", "coq", "mini.completion" }
local LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

--- What accepting an item of the popup writes; its `word` is only what the popup is filtered by.
local function text_of(item)
  local sent = vim.tbl_get(item, "user_data", "nvim", "lsp", "completion_item") or {}
  return vim.tbl_get(sent, "textEdit", "newText") or sent.insertText or sent.label or item.word
end

--- Whether a key accepts something. A suggestion that is there as it stands is not accepted: Enter ends the line.
local function is_offered()
  local popup = vim.fn.complete_info({ "selected", "items" })
  local item = popup.items[popup.selected + 1]
  local typed = vim.api.nvim_get_current_line():sub(1, vim.fn.col(".") - 1)
  return item and not vim.endswith(typed, text_of(item))
end

local function map(name, buffer)
  vim.keymap.set({ "i", "s" }, name, function()
    if is_offered() then
      return "<C-y>"
    elseif name == "<Tab>" and vim.snippet.active({ direction = 1 }) then
      return "<Cmd>lua vim.snippet.jump(1)<CR>"
    end
    return (vim.fn.pumvisible() == 1 and "<C-e>" or "") .. name
  end, { buffer = buffer, expr = true, desc = "Accept a suggestion of kro-ls" })
end

--- Whether a line has content in front of the cursor, so that a key in the middle of it asks for its indentation.
local function is_being_typed(number)
  return vim.fn.mode() == "i" and vim.fn.line(".") == number and vim.fn.col(".") - 1 > vim.fn.indent(number)
end

--- Return the indentation of a line. In a definition, a new line below `- key: value` is aligned with the key, one below
--- `- key:` is indented further, and one below a comment is aligned with the comment. A line keeps its indentation while
--- it is typed; otherwise a `:` or `-` below a comment would move it. Neovim decides everything else.
function M.indent(number)
  if vim.fn.search("kro.run/", "nw") == 0 then
    return vim.fn.GetYAMLIndent(number)
  end
  if is_being_typed(number) then
    return -1
  end
  local last = vim.fn.prevnonblank(number - 1)
  local above = vim.fn.getline(last)
  local item, value = above:match("^(%s*%-%s+)[%w_.-]+:%s*(.-)%s*$")
  local is_new = vim.fn.getline(number):match("^%s*$")
  if is_new and above:match("^%s*#") then
    return vim.fn.indent(last)
  end
  if item and is_new and not value:match("^[|>]") then
    return value == "" and #item + vim.fn.shiftwidth() or #item
  end
  return vim.fn.GetYAMLIndent(number)
end

--- Have Backspace and Delete empty the selected place of a snippet and go on inserting; Neovim would go to Normal mode.
local function map_deletion(name, buffer)
  vim.keymap.set("s", name, '<C-g>"_c', { buffer = buffer, desc = "Empty a place of a snippet" })
end

local function enable_in(buffer, client)
  local triggers = client.server_capabilities.completionProvider.triggerCharacters
  for letter in LETTERS:gmatch(".") do
    if not vim.tbl_contains(triggers, letter) then
      table.insert(triggers, letter)
    end
  end
  vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = true })
  vim.bo[buffer].completeopt = "menuone,noinsert"
  if vim.bo[buffer].indentexpr:match("^GetYAMLIndent") then
    vim.bo[buffer].indentexpr = "v:lua.require'kro_ls.typing'.indent(v:lnum)"
  end
  map("<Tab>", buffer)
  map("<CR>", buffer)
  map_deletion("<BS>", buffer)
  map_deletion("<Del>", buffer)
end

--- Enable it in the buffers of the client of that name, unless a plugin for completion is there.
function M.enable(name)
  vim.api.nvim_create_autocmd("LspAttach", {
    group = vim.api.nvim_create_augroup("KroLsTyping", {}),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      local others = vim.tbl_filter(function(each) return package.loaded[each] ~= nil end, COMPLETION_PLUGINS)
      if client and client.name == name and #others == 0 then
        enable_in(event.buf, client)
      end
    end,
  })
end

return M
