-- The commands. They need a server, which `require("kro_ls").setup()` or `vim.lsp.enable("kro_ls")` starts.
if vim.g.loaded_kro_ls or vim.fn.has("nvim-0.7") == 0 then
  return
end
vim.g.loaded_kro_ls = true

local texts = {
  KroPreview = { "kro.preview", "Show what kro would make of an instance" },
  KroGraph = { "kro.graph", "Draw how the resources depend on each other" },
  KroCrd = { "kro.crd", "Show the CustomResourceDefinition that kro generates" },
  KroInstance = { "kro.instance", "Show a sample instance" },
  KroWhy = { "kro.why", "Tell why an instance that kubectl printed is not ready" },
}
local pages = {
  KroShowGraph = { "kro.openGraph", "Show the dependency graph in the browser" },
  KroShowPreview = { "kro.openPreview", "Show the preview in the browser" },
}
for name, text in pairs(texts) do
  vim.api.nvim_create_user_command(name, function() require("kro_ls.commands").show_text(text[1]) end, { desc = text[2] })
end
for name, page in pairs(pages) do
  vim.api.nvim_create_user_command(name, function() require("kro_ls.commands").open_page(page[1]) end, { desc = page[2] })
end
vim.api.nvim_create_user_command("KroImport", function(command)
  require("kro_ls.commands").import_manifests(command.args)
end, { desc = "Add the objects of a file with manifests to this definition", nargs = 1, complete = "file" })
