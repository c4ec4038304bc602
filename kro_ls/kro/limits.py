"""The limits that kro's controller has by default; a cluster can be set to others by the flags."""

from typing import Final

MOST_DIMENSIONS: Final = 10
"""Iterators of one resource (`--rgd-max-collection-dimension-size`)."""

MOST_COLLECTION_OBJECTS: Final = 1000
"""Objects of one collection (`--rgd-max-collection-size`)."""
