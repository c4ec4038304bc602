"""The names that kro lets an author choose: resource ids, iterators, kinds and versions.

Source: kro `pkg/graph/validation.go` and the ResourceGraphDefinition CRD.
"""

from __future__ import annotations

import re
from functools import lru_cache

CEL_RESERVED_WORDS = frozenset(
    """
    true false null in as break const continue else for function if import let loop package namespace return var void
    while
    """.split()
)

RESERVED_WORDS = CEL_RESERVED_WORDS | frozenset(
    """
    apiVersion context dependency dependencies each externalRef externalReference externalRefs externalReferences graph
    instance item items kind kro metadata namespace object resource resourcegraphdefinition resourceGraphDefinition
    resources root runtime schema self serviceAccountName spec status this variables vars version
    """.split()
)

REQUIRED_TEMPLATE_FIELDS = ("apiVersion", "kind", "metadata")
"""What every template must have for kro."""

RESERVED_LABEL_PREFIXES = ("kro.run/", "internal.kro.run/")

_LOWER_CAMEL_CASE = re.compile(r"[a-z][a-zA-Z0-9]*", re.ASCII)
_KIND = re.compile(r"[A-Z][a-zA-Z0-9]{0,62}", re.ASCII)
_VERSION = re.compile(r"v[0-9]+(?:alpha[0-9]+|beta[0-9]+)?", re.ASCII)
_DNS_LABEL = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)


def is_lower_camel_case(name: str) -> bool:
    """Whether kro takes `name` as a resource id or an iterator name (reserved words aside)."""
    return _LOWER_CAMEL_CASE.fullmatch(name) is not None


def is_kind(name: str) -> bool:
    """Whether the API server takes `name` as `spec.schema.kind`."""
    return _KIND.fullmatch(name) is not None


def is_version(name: str) -> bool:
    """Whether the API server takes `name` as `spec.schema.apiVersion`."""
    return _VERSION.fullmatch(name) is not None


def is_template_kind(name: str) -> bool:
    """Whether kro takes `name` as the kind of a template: a DNS-1035 label when lower-cased."""
    return _DNS_LABEL.fullmatch(name.lower()) is not None


@lru_cache(maxsize=1024)
def to_lower_camel_case(name: str) -> str | None:
    """Return the lower camel case spelling of `name` (`my-pod` gives `myPod`), or None where nothing is left of it."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    if not words:
        return None
    joined = words[0][0].lower() + words[0][1:] + "".join(word[0].upper() + word[1:] for word in words[1:])
    joined = joined.lstrip("0123456789")
    if not joined:
        return None
    return joined[0].lower() + joined[1:]


def closest(name: str, candidates: tuple[str, ...]) -> str | None:
    """Return the candidate that `name` most likely means (at most a third of its letters differ), or None."""
    best: str | None = None
    best_distance = max(1, len(name) // 3) + 1
    for candidate in candidates:
        if abs(len(candidate) - len(name)) >= best_distance:
            continue
        distance = _edit_distance(name.lower(), candidate.lower())
        if distance < best_distance:
            best, best_distance = candidate, distance
    return best


def _edit_distance(left: str, right: str) -> int:
    """Return the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours."""
    before_previous: list[int] = []
    previous = list(range(len(right) + 1))
    for row, left_char in enumerate(left, 1):
        current = [row]
        for column, right_char in enumerate(right, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left_char != right_char))
            swapped = row > 1 and column > 1 and left_char == right[column - 2] and left[row - 2] == right_char
            if swapped:
                cost = min(cost, before_previous[column - 2] + 1)
            current.append(cost)
        before_previous, previous = previous, current
    return previous[-1]
