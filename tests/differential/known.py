"""Disagreements that have a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kro_ls.kro.versions.version import ALL, Versions, parse_version
from tests.conformance.comparison import Comparison
from tests.conformance.recorded import oracle_version


@dataclass(frozen=True, slots=True)
class Known:
    """What is accepted for now: a disagreement in a field whose detail matches a pattern."""

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
