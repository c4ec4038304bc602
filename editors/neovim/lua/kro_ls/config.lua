--- What Neovim needs to know to start the server; `:help vim.lsp.Config` describes the fields.
local function show(lens) require("kro_ls.commands").show_text(lens.command, lens.arguments[1]) end

return {
  cmd = { "kro-ls", "serve" },
  filetypes = { "yaml" },
  root_markers = { ".git" },
  on_exit = function(code, signal) require("kro_ls.restart").ended(code, signal) end,
  commands = {
    -- The commands of the code lenses.
    ["kro.preview"] = show,
    ["kro.why"] = show,
  },
}
