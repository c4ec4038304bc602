"""Every diagnostic of kro-ls: one module per rule, in folders by subject. Diagnostics come from nowhere else."""
