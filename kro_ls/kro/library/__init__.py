"""kro's own CEL libraries, in the form of those in `cel/library/`."""
