"""What the pack of well-known kinds is built from, and the distribution `kro-ls-kinds` that holds nothing else."""
