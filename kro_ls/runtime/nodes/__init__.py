"""The nodes of a definition, compiled: their templates, their expressions, and the objects of a collection."""
