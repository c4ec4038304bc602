"""Language server, command line and local runtime for kro ResourceGraphDefinitions."""

__version__ = "0.1.0"
