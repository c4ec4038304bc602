-- For `vim.lsp.enable("kro_ls")` of Neovim 0.11 and newer.
return require("kro_ls.config")
