"""How the versions of kro read a definition, where they differ in what they make of it.

Source: kro `pkg/simpleschema` and `pkg/graph/schema` at its tags.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.kro.versions.history import PLAIN_CONDITIONS, SEPARATE_PARTS, SINGLE_QUOTES
from kro_ls.kro.versions.version import Versions, parse_version, since

if TYPE_CHECKING:
    from kro_ls.kro.versions.version import Version


class SchemaDialect(Struct, frozen=True):
    """What kro makes of SimpleSchema and of the types of status expressions.

    `name` is the feature that an analysis with this dialect has, empty for the newest.
    """

    name: str = ""
    knows_numbers: bool = True
    """`float` becomes OpenAPI's `number`. Before, kro wrote `float`, which Kubernetes refuses."""
    adds_rules: bool = True
    """Every `validation` counts. Before, one replaced the rules of the markers before it."""
    checks_defaults: bool = True
    """A default is a value of its type. Before, kro wrote into the CRD what it found."""
    spares_required: bool = True
    """An object with a required field gets no default `{}`."""
    joins_sole_parts: bool = True
    """A text with one expression is a text in the status; before, it had the type of its expression."""
    timestamp_format: str | None = "date-time"
    """The format of a timestamp in the status; None where kro had no schema for it."""


NEWEST_DIALECT: Final = SchemaDialect()


def _early(
    name: str,
    *,
    spares_required: bool = True,
    joins_sole_parts: bool = True,
    timestamp_format: str | None = "date-time",
) -> SchemaDialect:
    return SchemaDialect(
        name,
        knows_numbers=False,
        adds_rules=False,
        checks_defaults=False,
        spares_required=spares_required,
        joins_sole_parts=joins_sole_parts,
        timestamp_format=timestamp_format,
    )


def _between(first: str, end: str) -> Versions:
    return Versions(parse_version(first), parse_version(end))


_DIALECTS: Final = (
    (Versions(before=parse_version("0.7.0")), _early("schema 0.6", joins_sole_parts=False, timestamp_format=None)),
    (_between("0.7.0", "0.8.0"), _early("schema 0.7", joins_sole_parts=False, timestamp_format="datetime")),
    (_between("0.8.0", "0.8.1"), _early("schema 0.8.0", spares_required=False)),
    (_between("0.8.1", "0.9.2"), _early("schema 0.8.1")),
    (since("0.9.2"), NEWEST_DIALECT),
)
_BY_NAME: Final = {dialect.name: dialect for _, dialect in _DIALECTS if dialect.name}


def dialect_of(version: Version) -> SchemaDialect:
    """Return how a version reads SimpleSchema."""
    return next(dialect for versions, dialect in _DIALECTS if version in versions)


class Conventions(Struct, frozen=True):
    """How a definition is read.

    `single_quotes` tells that these open strings in the scan for expressions, `separate_parts` that each `${...}` of a
    text is an expression of its own, `plain_conditions` that `status.conditions` is a status field as any other.
    """

    single_quotes: bool = False
    separate_parts: bool = False
    plain_conditions: bool = False
    schema: SchemaDialect = NEWEST_DIALECT


NEWEST_CONVENTIONS: Final = Conventions()


@lru_cache(maxsize=16)
def conventions(features: frozenset[str]) -> Conventions:
    """Return the conventions that the features of an analysis name."""
    schema = next((_BY_NAME[name] for name in features if name in _BY_NAME), NEWEST_DIALECT)
    return Conventions(SINGLE_QUOTES in features, SEPARATE_PARTS in features, PLAIN_CONDITIONS in features, schema)
