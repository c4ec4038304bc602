"""What assistants ask of kro-ls, by the Model Context Protocol."""
