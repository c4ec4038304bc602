"""What Go does and texts depend on: quoting, regular expressions, plurals."""
