"""What is wrong with the CustomResourceDefinitions in a text, as diagnostics of the rule `broken-crd`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.ignores import separate
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.stream import YamlStream, parse_stream

if TYPE_CHECKING:
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.text import Text

# A template of that kind in an RGD does not stand at the start of a line.
_CRD = re.compile(r"^(?:[\"']?kind[\"']?[ ]*:[ ]*[\"']?(?:CustomResourceDefinition|[A-Za-z]*List)\b|\{)", re.MULTILINE)


def may_hold_crds(text: Text) -> bool:
    """Whether a text is worth reading for CRDs of its own: cheap."""
    return text.contains("CustomResourceDefinition") and _CRD.search(text.content) is not None


def check_crds(
    text: Text, settings: Settings, cache: DiskCache | None = None
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the diagnostics about the CRDs of a text, in its order, and those that comments silence.

    What was found in a text is remembered, with a `cache` also for the next process.
    """
    severity = settings.severity_of(RULE)
    if severity is None or not may_hold_crds(text):
        return (), ()
    from kro_ls.openapi.sources.crds.parsing import crd_problems  # which definitions are checked without

    problems = crd_problems(text.content, cache)
    found = tuple(
        Diagnostic(RULE.code, severity, Span(each.start, each.end), each.message, kro_message=each.printed or None)
        for each in problems
    )
    # Only comments that silence need the text to be parsed once more.
    stream = parse_stream(text) if found and text.contains("kro-ls:") else YamlStream(text, ())
    return separate(stream, found) if stream.documents else (found, ())


# Source: k8s.io/apiextensions-apiserver; the findings come from `openapi/sources/crds`, by
# `rules/crd_files.py`.
RULE = Rule(
    code="broken-crd",
    severity=Severity.WARNING,
    summary="A CustomResourceDefinition would be refused by the API server.",
    explanation="""\
The kinds of a broken CustomResourceDefinition never get into the cluster, so kro refuses the templates that use them.
What can be read of it is used all the same to check those templates. This rule looks at the files of
CustomResourceDefinitions, not at ResourceGraphDefinitions.""",
    kro_messages=(
        "type: Required value: must not be empty for specified {place}",
        "{path}: Forbidden: must be {absent} to be structural",
        "{path}: Forbidden: {keyword} is not supported",
        'spec.scope: Unsupported value: {value}: supported values: "Cluster", "Namespaced"',
        'metadata.name: Invalid value: {name}: must be spec.names.plural+"."+spec.group',
        "spec.versions: Invalid value: must have exactly one version marked as storage version",
        "spec.versions: Required value",
    ),
)
