---@brief
---
--- https://kro.run
---
--- Language server for ResourceGraphDefinitions of kro: diagnostics, completion, hover, renaming and previews for YAML with
--- CEL expressions. It is silent about other YAML. It can be installed with pipx:
---
--- ```sh
--- pipx install kro-ls
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'kro-ls', 'serve' },
  filetypes = { 'yaml' },
  root_markers = { '.git' },
}
