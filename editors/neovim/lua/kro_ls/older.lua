--- Starts the server in Neovim 0.7 to 0.10, which have no `vim.lsp.enable()`.
local M = {}

--- The folder above a file that has a `.git`, or the working directory.
local function project_of(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h")
  while not vim.loop.fs_stat(folder .. "/.git") do
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then
      return vim.fn.getcwd()
    end
    folder = parent
  end
  return folder
end

function M.enable(name, config)
  local ids = {} -- by project

  local function attach(buffer)
    if vim.bo[buffer].buftype ~= "" then
      return
    end
    local root = project_of(buffer)
    ids[root] = ids[root]
      or vim.lsp.start_client({
        name = name,
        cmd = config.cmd,
        settings = config.settings,
        commands = config.commands,
        root_dir = root,
        on_exit = function(code, signal)
          ids[root] = nil
          config.on_exit(code, signal)
        end,
      })
    if ids[root] then
      vim.lsp.buf_attach_client(buffer, ids[root])
      vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
      if vim.fn.has("nvim-0.10") == 0 then
        vim.keymap.set("n", "K", vim.lsp.buf.hover, { buffer = buffer })
      end
    end
  end

  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("KroLs", {}),
    pattern = config.filetypes,
    callback = function(event) attach(event.buf) end,
  })
  function M.start_again()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(config.filetypes, vim.bo[buffer].filetype) then
        attach(buffer)
      end
    end
  end
  M.start_again()
end

return M
