"""What is built on what: resources by their dependencies, kinds by the definitions that use them."""
