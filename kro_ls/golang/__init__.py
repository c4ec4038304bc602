"""What Go does and texts depend on: quoting, regular expressions, addresses, URLs, versions, numbers, plurals."""
