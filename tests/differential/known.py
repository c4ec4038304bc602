"""Disagreements that have a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kro_ls.kro.versions.version import ALL, BEFORE_0_9_4, Versions, parse_version
from tests.conformance.comparison import Comparison
from tests.conformance.recorded import oracle_version


@dataclass(frozen=True, slots=True)
class Known:
    """An accepted disagreement in a field, whose detail matches a pattern."""

    field: str
    detail: str
    reason: str
    versions: Versions = ALL


KNOWN = (
    Known(
        "found",
        "",
        "kro-ls looks for the kind's name in a text before it reads it as YAML; nobody writes that with escapes in it",
    ),
    Known(
        "accepted",
        r'readyWhen expression "[^"]*\beach\b',
        "kro takes `each` of a second collection for that of the first",
        Versions(since=parse_version("0.9.0"), before=parse_version("0.9.4")),
    ),
    Known(
        "accepted",
        r"failed to type-check .*(type\(.*== (bool|bytes|double|int|list|map|string|uint)\b|'.*type\(\w+\))",
        "kro refuses the name of a type later; kro-ls does not look for other errors in such an expression",
        Versions(before=parse_version("0.8.5")),
    ),
    Known(
        "accepted",
        r'at path "\S*\[\\"\\"\]": expression',
        "kro expects under an empty key what it expects of the map around it; no object may have such a key",
        Versions(before=parse_version("0.8.5")),
    ),
    Known(
        "accepted",
        r'at path "\S*\[\\"[^"]+\.[^"]+\\"\]": expression',
        "kro takes a field `a.b` for the field `b` of a field `a` beside it; no known kind has both",
        Versions(before=parse_version("0.8.5")),
    ),
    Known(
        "accepted",
        "metadata.name: Required value: name or generateName is required",
        "the oracle validates before the API server has made a name from generateName",
    ),
    Known(
        "status",
        "bytes value cannot be used directly",
        "kro's controller crashes when it copies such a status; kro-ls tells of the value as kro does since",
        Versions(before=BEFORE_0_9_4),
    ),
    Known(
        "states",
        "bytes value cannot be used directly",
        "kro's controller crashes when it copies such an object, unless the collection is empty",
        Versions(before=BEFORE_0_9_4),
    ),
    Known(
        "dependencies",
        "",
        "kro does not look into lists and maps of an expression; kro-ls tells what the expression needs all the same",
        Versions(before=parse_version("0.7.0")),
    ),
    Known(
        "topologicalOrder",
        "",
        "kro goes on to later resources before it comes back to one that had to wait; kro-ls orders as it does since",
        Versions(before=parse_version("0.8.0")),
    ),
    Known(
        "crdRefused",
        "undeclared reference to",
        "the API server that is linked with these versions is older than 1.36, whose functions kro-ls knows",
        Versions(before=parse_version("0.8.0")),
    ),
    Known(
        "crdRefused",
        "expected int, got float64 evaluating rule",
        "the API server that is linked with these versions is older than 1.36, whose rules read `1.0` as an integer",
        Versions(before=BEFORE_0_9_4),
    ),
    Known(
        "crdRefused",
        "is no whole number of 64 bits",
        "the API server that is linked with these versions is older than 1.36, which compares with no such bound",
        Versions(before=BEFORE_0_9_4),
    ),
    Known(
        "desired",
        r"\.metadata\.labels\.\w+: too much",
        "kro drops the labels of an object of a collection if one is no text, which the API server would refuse",
    ),
    Known(
        "crdRefused",
        "hash of unhashable type",
        "Kubernetes fails inside when it compares a set of lists or objects by a transition rule",
    ),
)


def reason(version: str, difference: Comparison) -> str | None:
    """Return why a disagreement with a version is accepted, None where nothing is known of it."""
    for known in KNOWN:
        if (
            known.field == difference.field
            and oracle_version(version) in known.versions
            and re.search(known.detail, difference.detail)
        ):
            return known.reason
    return None
