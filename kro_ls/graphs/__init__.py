"""What kro's kind Graph adds to a definition: child graphs, each an analysis of its own, and the ways into them."""
