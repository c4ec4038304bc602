"""What is wrong with the CustomResourceDefinitions in a text, as diagnostics of the rule `broken-crd`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.openapi.sources.crds.parsing import crd_problems
from kro_ls.rules.diagnostics import Diagnostic
from kro_ls.rules.ignores import separate
from kro_ls.rules.kinds import broken_crd
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
    rule = broken_crd.RULE
    severity = dict(settings.severities).get(rule.code, rule.severity)
    if severity is None or not may_hold_crds(text):
        return (), ()
    problems = crd_problems(text.content, cache)
    found = tuple(
        Diagnostic(rule.code, severity, Span(each.start, each.end), each.message, kro_message=each.printed or None)
        for each in problems
    )
    # Only comments that silence need the text to be parsed once more.
    stream = parse_stream(text) if found and text.contains("kro-ls:") else YamlStream(text, ())
    return separate(stream, found) if stream.documents else (found, ())
