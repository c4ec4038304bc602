"""The sources of the pack of well-known kinds, and the distribution `kro-ls-kinds`, which contains only the pack."""
