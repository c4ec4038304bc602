"""Go behaviour that texts depend on: quoting, regular expressions, addresses, URLs, versions, numbers, plurals."""
