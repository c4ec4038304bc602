"""How versions of kro read the same definition differently.

Source: kro `pkg/simpleschema` and `pkg/graph/schema` at its tags.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.versions.history import (
    CONDITIONS,
    EACH_FREE,
    EACH_RESERVED,
    PARTS_JOINED,
    PLAIN_CONDITIONS,
    SEPARATE_PARTS,
    SINGLE_QUOTES,
    SINGLE_QUOTES_SEEN,
)
from kro_ls.kro.versions.version import OLDEST, parse_version

if TYPE_CHECKING:
    from kro_ls.kro.versions.version import Version


class SchemaDialect(Struct, frozen=True):
    """How kro translates SimpleSchema and the types of status expressions.

    `name` is the feature that an analysis with this dialect has, empty for the newest.
    """

    name: str = ""
    knows_numbers: bool = True
    """`float` becomes OpenAPI's `number`. Older versions write `float`, which Kubernetes refuses."""
    adds_rules: bool = True
    """Every `validation` counts. Older versions keep only the last."""
    checks_defaults: bool = True
    """A default must have the type of its field. Older versions write it into the CRD as it is."""
    spares_required: bool = True
    """An object with a required field gets no default `{}`."""
    knows_structs: bool = True
    """The status shows the fields of an object. In older versions an object of a known kind has any fields."""
    knows_lists: bool = True
    """A list in the status is a list. In older versions it is an object."""
    joins_sole_parts: bool = True
    """Text around one expression gives a string in the status. In older versions it has the expression's type."""
    replaces_empty_group: bool = False
    """An empty group means `kro.run`, as a missing one does."""
    timestamp_format: str | None = "date-time"
    """The format of a timestamp in the status; None where kro had no schema for it."""


NEWEST_SCHEMA_DIALECT: Final = SchemaDialect()
_BEFORE_0_9_2: Final = replace(
    NEWEST_SCHEMA_DIALECT, name="schema 0.9.1", knows_numbers=False, adds_rules=False, checks_defaults=False
)
_BEFORE_0_9_0: Final = replace(_BEFORE_0_9_2, name="schema 0.8.5", knows_structs=False)
_OF_0_8_0: Final = replace(_BEFORE_0_9_0, name="schema 0.8.0", spares_required=False)
_BEFORE_0_8_0: Final = replace(
    _BEFORE_0_9_0,
    name="schema 0.7.1",
    knows_lists=False,
    joins_sole_parts=False,
    timestamp_format="datetime",
)
_OF_0_7_0: Final = replace(_BEFORE_0_8_0, name="schema 0.7.0", replaces_empty_group=True)
_BEFORE_0_7_0: Final = replace(_OF_0_7_0, name="schema 0.6.3", timestamp_format=None)

_SINCE: Final = (
    (parse_version("0.9.2"), NEWEST_SCHEMA_DIALECT),
    (parse_version("0.9.0"), _BEFORE_0_9_2),
    (parse_version("0.8.1"), _BEFORE_0_9_0),
    (parse_version("0.8.0"), _OF_0_8_0),
    (parse_version("0.7.1"), _BEFORE_0_8_0),
    (parse_version("0.7.0"), _OF_0_7_0),
    (OLDEST, _BEFORE_0_7_0),
)
_BY_NAME: Final = {dialect.name: dialect for _, dialect in _SINCE if dialect.name}


@lru_cache(maxsize=32)  # asked for each document and edit, of few versions
def features_of(version: Version) -> frozenset[str]:
    """Return the features, for an analysis, in which a version differs from the newest one."""
    names = (
        PLAIN_CONDITIONS if version < CONDITIONS else "",
        EACH_FREE if version < EACH_RESERVED else "",
        SEPARATE_PARTS if version < PARTS_JOINED else "",
        SINGLE_QUOTES if version >= SINGLE_QUOTES_SEEN else "",
        next(dialect for first, dialect in _SINCE if version >= first).name,
    )
    return frozenset(filter(None, names))


class Dialect(Struct, frozen=True):
    """How a version reads a definition; each part of the definition carries it.

    `string_quotes` open strings in the scan for expressions. With `separate_parts` each `${...}` of a text is
    an expression of its own, with `each_is_free` a resource may be called `each`, and with `has_own_conditions`
    `status.conditions` is a list of the author's own conditions, not a status field like any other.
    """

    string_quotes: str = '"'
    separate_parts: bool = False
    each_is_free: bool = False
    has_own_conditions: bool = True
    schema: SchemaDialect = NEWEST_SCHEMA_DIALECT


NEWEST_DIALECT: Final = Dialect()
QUOTED: Final = Dialect(string_quotes="\"'")
"""The newest one, but single quotes count, as they do from 0.10 on."""


@lru_cache(maxsize=16)  # few sets of features are in use
def dialect_with(features: frozenset[str]) -> Dialect:
    """Return the dialect that the features of an analysis name."""
    schema = next((_BY_NAME[name] for name in features if name in _BY_NAME), NEWEST_SCHEMA_DIALECT)
    return Dialect(
        string_quotes=QUOTED.string_quotes if SINGLE_QUOTES in features else NEWEST_DIALECT.string_quotes,
        separate_parts=SEPARATE_PARTS in features,
        each_is_free=EACH_FREE in features,
        has_own_conditions=PLAIN_CONDITIONS not in features,
        schema=schema,
    )
