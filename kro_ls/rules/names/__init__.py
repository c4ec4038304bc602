"""The names that an author chooses: ids, iterators, the kind and version of the new API."""
