"""The caching engine: the value of a function is stored with what it read, and reused while that is unchanged."""
