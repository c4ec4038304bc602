"""The kinds of objects and the CustomResourceDefinitions that declare them."""
