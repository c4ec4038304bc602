"""The words of collections in the form of KREP-2."""

from typing import Final

ITERATOR: Final = "each"
"""The one iterator."""

INDEX: Final = "index"
LENGTH: Final = "length"
ITEM: Final = "item"
KEY: Final = "key"
VALUE: Final = "value"

ITEMS: Final = "items"
"""`workers.items` means the collection `workers`."""

SELECTOR: Final = "selector"
"""The field of `externalRef` itself by whose labels objects are found; kro has it in `externalRef.metadata`."""
