"""The default limits of kro's controller; its flags can set others."""

from typing import Final

MOST_DIMENSIONS: Final = 10
"""Iterators of one resource (`--rgd-max-collection-dimension-size`)."""

MOST_COLLECTION_OBJECTS: Final = 1000
"""Objects of one collection (`--rgd-max-collection-size`)."""
