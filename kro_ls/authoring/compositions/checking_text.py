"""Checks the definitions of compositions as `kro-ls check` checks files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kro_ls.authoring.known_kinds import kinds_beside
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.check import check_document
from kro_ls.workspace.snapshot import file_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.authoring.compositions.composition import Composition
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.text import Text


def check_text(path: str, text: Text, compositions: Iterable[Composition[Any, Any]]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the text of some compositions, that is or would be a file; hints are left out."""
    texts = {name: each for composition in compositions for name, each in composition.texts().items()}
    document = file_snapshot(Path(path), text, kinds_beside(texts)).document
    return tuple(each for each in check_document(document).diagnostics if each.severity is not Severity.HINT)
