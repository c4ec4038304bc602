"""What is wrong with a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.rules.doubt import without_doubtful
from kro_ls.rules.findings import find_in_beginning, find_in_steps
from kro_ls.rules.placing import place_all
from kro_ls.rules.settings import Settings
from kro_ls.steps import result_of

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.placing import Placed
    from kro_ls.steps import Steps
    from kro_ls.yaml_positions.text import Text


class Diagnosis(Struct, frozen=True, eq=False):
    """What is wrong with an analysed text, in its order. `silenced` are the diagnostics that comments turn off.

    `hidden` are those that may be due to an error of the YAML, and come up again if they are not when that is mended.
    """

    analysis: Analysis
    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Diagnostic, ...]
    hidden: tuple[Diagnostic, ...] = ()


DEFAULT_SETTINGS = Settings()


def diagnose_text(text: Text, settings: Settings = DEFAULT_SETTINGS, schemas: SchemaIndex | None = None) -> Diagnosis:
    """Return the analysis of a text with its diagnostics."""
    return diagnose(analyze(text, schemas, settings.features), settings)


def diagnose(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of an analysis."""
    return result_of(diagnose_in_steps(analysis, settings))


def diagnose_in_steps(analysis: Analysis, settings: Settings) -> Steps[Diagnosis]:
    """Return the diagnostics of an analysis, and yield on the way, so that others get their turn."""
    findings = yield from find_in_steps(analysis)
    return _diagnosis(analysis, settings, place_all(analysis, settings, findings))


def diagnose_beginning(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of a text that goes on: of the parts alone that use no name which may come later."""
    findings = find_in_beginning(analysis)
    return _diagnosis(analysis, settings, place_all(analysis, settings, findings, goes_on=True))


def _diagnosis(analysis: Analysis, settings: Settings, placed: Placed) -> Diagnosis:
    shown = without_doubtful(placed.shown, analysis, settings)
    return Diagnosis(analysis, shown, placed.silenced, placed.hidden)
