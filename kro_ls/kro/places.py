"""The places of a ResourceGraphDefinition where expressions stand (kro `pkg/graph/builder.go`)."""

from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Place(StrEnum):
    """Where an expression stands; it decides what the expression may refer to. The value is the field's name."""

    TEMPLATE = "template"
    EXTERNAL_REFERENCE = "externalRef"
    FOR_EACH = "forEach"
    INCLUDE_WHEN = "includeWhen"
    READY_WHEN = "readyWhen"
    STATUS = "status"
    CONDITION = "status.conditions"


RESOURCE_PLACES: Final = MappingProxyType(
    {
        place.value: place
        for place in (
            Place.TEMPLATE,
            Place.EXTERNAL_REFERENCE,
            Place.FOR_EACH,
            Place.INCLUDE_WHEN,
            Place.READY_WHEN,
        )
    }
    | {"ref": Place.EXTERNAL_REFERENCE, "def": Place.TEMPLATE, "patch": Place.TEMPLATE}
)
"""The places in an entry of `spec.resources`, and in a node of a Graph, by the field."""

OBJECT_PLACES: Final = frozenset({Place.TEMPLATE, Place.EXTERNAL_REFERENCE})
"""Places whose values become fields of an object, and have to fit them."""

BOOL_PLACES: Final = frozenset({Place.INCLUDE_WHEN, Place.READY_WHEN})
"""Places of conditions, whose expressions must be bool."""

STATUS_PLACES: Final = frozenset({Place.STATUS, Place.CONDITION})

STANDALONE_ONLY: Final = frozenset({Place.FOR_EACH, Place.INCLUDE_WHEN, Place.READY_WHEN, Place.CONDITION})
"""Places where kro takes exactly one `${...}` and nothing else."""

DEPENDING_PLACES: Final = OBJECT_PLACES | {Place.FOR_EACH, Place.INCLUDE_WHEN}
"""Places whose references to other resources make the resource depend on them."""
