"""Damaged definitions: every question about them is answered, and their previews end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.previews.preview import make_preview
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.workspace.instances import find_instance
from kro_ls.yaml_positions.text import Text
from tests.soak.damage import damaged
from tests.soak.subject import Subject
from tests.soak.texts import a_definition

if TYPE_CHECKING:
    from random import Random


def run_text(text: str) -> int:
    """Check that nothing is raised, and that every place is in the text."""
    diagnosis = diagnose_text(Text(text))
    for diagnostic in (*diagnosis.diagnostics, *diagnosis.silenced):
        spans = [diagnostic.span, *(each.span for each in diagnostic.related)]
        spans += [each.span for fix in diagnostic.fixes for each in fix.replacements]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans), diagnostic
    return 1


def _run_preview(text: str) -> int:
    for rgd_analysis in diagnose_text(Text(text)).analysis.rgds:
        make_preview(rgd_analysis, find_instance(rgd_analysis, "file:///a.yaml", ()), PreviewBudget(100_000))
    return 1


def _make_text(random: Random) -> str:
    return damaged(random, a_definition(random), 40 if random.random() < 0.1 else 6)


TEXTS = Subject(_make_text, run_text, share=40)
PREVIEWS = Subject(lambda random: damaged(random, a_definition(random), 3), _run_preview, share=12)
