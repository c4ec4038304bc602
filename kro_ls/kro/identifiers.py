"""The names that kro lets an author choose: resource ids, iterators, kinds and versions.

Source: kro `pkg/graph/validation.go` and the ResourceGraphDefinition CRD.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kro_ls.cel.syntax.identifiers import RESERVED_WORDS as CEL_WORDS

RESERVED_WORDS = CEL_WORDS | frozenset(
    """
    apiVersion context dependency dependencies each externalRef externalReference externalRefs externalReferences graph
    instance item items kind kro metadata namespace object resource resourcegraphdefinition resourceGraphDefinition
    resources root runtime schema self serviceAccountName spec status this variables vars version
    """.split()
)

RESERVED_NODE_IDS = CEL_WORDS | frozenset(
    "apiVersion kind metadata namespace spec status graph graphengine kro each item items object self this "
    "context".split()
)
"""Words that the nodes and iterators of a Graph may not be called; fewer than in an RGD."""

NODE_ID = "^[A-Za-z][A-Za-z0-9]*$"

TYPE_NAMES = frozenset("bool bytes double int list map string type uint".split())
"""The ids that are also types of CEL."""

REQUIRED_TEMPLATE_FIELDS = ("apiVersion", "kind", "metadata")
"""The fields that kro requires in every template."""

_LONGEST_KIND = 63
_VERSION = re.compile(r"v[0-9]+(?:alpha[0-9]+|beta[0-9]+)?", re.ASCII)
_DNS_LABEL = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)


def is_lower_camel_case(name: str) -> bool:
    """Return whether kro accepts `name` as a resource id or an iterator name (reserved words aside)."""
    return name.isascii() and name.isalnum() and name[0].islower()


def is_resource_id(name: str) -> bool:
    """Return whether kro accepts `name` as the id of a resource."""
    return is_lower_camel_case(name) and name not in RESERVED_WORDS


def is_node_id(name: str) -> bool:
    """Return whether kro accepts `name` as the id of a Graph's node, or as the name of an iterator there."""
    return re.fullmatch(NODE_ID, name) is not None and not name.endswith("\n") and name not in RESERVED_NODE_IDS


def is_kind(name: str) -> bool:
    """Return whether the API server accepts `name` as `spec.schema.kind`."""
    return name.isascii() and name.isalnum() and name[0].isupper() and len(name) <= _LONGEST_KIND


def is_version(name: str) -> bool:
    """Return whether the API server accepts `name` as `spec.schema.apiVersion`."""
    return _VERSION.fullmatch(name) is not None


def is_template_kind(name: str) -> bool:
    """Return whether kro accepts `name` as the kind of a template: a DNS-1035 label when lower-cased."""
    return _DNS_LABEL.fullmatch(name.lower()) is not None


@lru_cache(maxsize=1024)  # asked for the same names at each key
def to_lower_camel_case(name: str) -> str | None:
    """Return the lower camel case spelling of `name` (`my-pod` gives `myPod`), or None if nothing is left of it."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    if not words:
        return None
    joined = words[0][0].lower() + words[0][1:] + "".join(word[0].upper() + word[1:] for word in words[1:])
    joined = joined.lstrip("0123456789")
    if not joined:
        return None
    return joined[0].lower() + joined[1:]
