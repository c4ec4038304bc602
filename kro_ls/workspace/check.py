"""What checking a file means: its definitions, its CustomResourceDefinitions, its instances, and files of ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.analysis import Analysis
from kro_ls.rules.crd_files import check_crds, may_hold_crds
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.workspace.agreement import agreed
from kro_ls.workspace.described import check_described, described_documents, described_tests
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.rules.tested import TestedDefinition
    from kro_ls.workspace.named_files import NamedFiles
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.yaml_positions.text import Text


def check_tests(path: Path, text: Text, settings: Settings, named: NamedFiles) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a test file, whatever its name; it may name the files that are `named`."""
    analysis = Analysis(text, parse_stream(text), ())
    described = described_tests(analysis, _tested_definitions(text, str(path), named))
    return check_described(analysis, described, settings)[0]


class CheckedText(Struct, frozen=True):
    """The diagnosis of a text, and whether it holds anything that is checked: a definition, a CRD, an instance, ..."""

    diagnosis: Diagnosis
    is_checked: bool


def _tested_definitions(text: Text, path: str, named: NamedFiles) -> tuple[TestedDefinition | None, ...]:
    """Return what is known of the definitions that a test file tests; it may name the files that are `named`."""
    from kro_ls.workspace.tested import definitions_under_test

    return definitions_under_test(text, named.files_of_test(path), named.definitions)


def check_text(
    path: str,
    text: Text,
    settings: Settings,
    kinds: WorkspaceSchemas,
    cache: DiskCache | None = None,
    named: NamedFiles | None = None,
) -> CheckedText:
    """Return everything that is wrong with the text of a file; a test file may name the files that are `named`.

    Raises UnreadableFileError where kro-ls itself fails on it, so that the other files can still be checked.
    """
    try:
        schemas = kinds.index_for(path)
        diagnosis = agreed(diagnose_text(text, settings, schemas), settings, kinds.others_for(path))
        shown, silenced = check_crds(text, settings, cache)
        name = os.path.basename(path)
        tested = _tested_definitions(text, path, named) if named and name.endswith(TEST_ENDINGS) else ()
        described = described_documents(diagnosis.analysis, name, schemas, tested)
        more_shown, more_silenced = check_described(diagnosis.analysis, described, settings) if described else ((), ())
    except Exception as error:
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise UnreadableFileError(Path(path), f"kro-ls failed on this file, please report it: {what}") from error
    whole = Diagnosis(
        diagnosis.analysis,
        (*diagnosis.diagnostics, *shown, *more_shown),
        (*diagnosis.silenced, *silenced, *more_silenced),
        diagnosis.findings,
    )
    is_checked = bool(diagnosis.analysis.rgds or described or whole.diagnostics or may_hold_crds(text))
    return CheckedText(whole, is_checked)
