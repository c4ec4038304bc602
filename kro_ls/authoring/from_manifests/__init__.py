"""A first definition from manifests: what varies becomes the schema, names that stand in other objects references."""
