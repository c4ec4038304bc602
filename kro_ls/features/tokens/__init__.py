"""What the names, types and values in expressions and SimpleSchema are, for editors that colour by meaning."""
