"""Collections as the proposal KREP-2 had them, before kro 0.8 brought `forEach` in another form.

A `forEach` is one `${...}` that gives a list or a map, and `each` is what stands at one place of it. kro has never
taken this form; people find it in the first text of the proposal.
"""

from typing import Final

ITERATOR: Final = "each"
"""The one iterator."""

INDEX: Final = "index"
LENGTH: Final = "length"
ITEM: Final = "item"
KEY: Final = "key"
VALUE: Final = "value"

ITEMS: Final = "items"
"""`workers.items` is another word for the collection `workers`."""

SELECTOR: Final = "selector"
"""The field of `externalRef` itself by whose labels objects are found; kro has it in `externalRef.metadata`."""
