"""Language server, command line and local runtime for kro ResourceGraphDefinitions."""
