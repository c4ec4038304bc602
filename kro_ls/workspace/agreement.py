"""What is wrong with an RGD whatever is the right one of several definitions of a kind that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.analysis import Edited, analyze
from kro_ls.graphs.children import frames_in
from kro_ls.rules.diagnosis import Diagnosis, diagnose
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.reparse import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.settings import Settings

_NOTE = " (with the nearest definition of the kind; another one in the workspace allows it)"


def agreed(found: Diagnosis, settings: Settings, others: Sequence[SchemaIndex]) -> Diagnosis:
    """Return a diagnosis with the errors as mere information that other definitions of the used kinds take away.

    `others` are the kinds with these definitions: nobody can tell which of them is in the cluster.
    """
    errors = {each for each in found.diagnostics if each.severity is Severity.ERROR}
    agreed_on = set(errors)
    for schemas in others if errors else ():
        if all(rgd.has_kinds_of(schemas) for rgd in frames_in(found.analysis)):
            continue
        before = Edited(found.analysis, Change(0, 0, 0))
        analysis = analyze(found.analysis.text, schemas, settings.features, before)
        other = diagnose(analysis, settings)
        refused = {each.span for each in other.diagnostics if each.severity is Severity.ERROR}
        agreed_on -= {each for each in agreed_on if each.span not in refused}
    if agreed_on == errors:
        return found
    diagnostics = tuple(
        replace(each, severity=Severity.INFORMATION, message=each.message + _NOTE)
        if each in errors and each not in agreed_on
        else each
        for each in found.diagnostics
    )
    return replace(found, diagnostics=diagnostics)
