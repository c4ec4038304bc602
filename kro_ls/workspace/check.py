"""What checking a file means: its definitions, its CustomResourceDefinitions, and its instances and files of ours."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from kro_ls.rules.crd_files import check_crds
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.workspace.agreement import agreed
from kro_ls.workspace.described import check_described, described_documents
from kro_ls.workspace.files import UnreadableFileError

if TYPE_CHECKING:
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.yaml_positions.text import Text


def check_text(
    path: str, text: Text, settings: Settings, kinds: WorkspaceSchemas, cache: DiskCache | None = None
) -> Diagnosis:
    """Return everything that is wrong with the text of a file.

    Raises UnreadableFileError where kro-ls itself fails on it, so that the other files can still be checked.
    """
    try:
        schemas = kinds.index_for(path)
        diagnosis = agreed(diagnose_text(text, settings, schemas), settings, kinds.others_for(path))
        shown, silenced = check_crds(text, settings, cache)
        described = described_documents(diagnosis.analysis, PurePath(path).name, schemas)
        more_shown, more_silenced = check_described(diagnosis.analysis, described, settings) if described else ((), ())
    except Exception as error:
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise UnreadableFileError(Path(path), f"kro-ls failed on this file, please report it: {what}") from error
    return Diagnosis(
        diagnosis.analysis,
        (*diagnosis.diagnostics, *shown, *more_shown),
        (*diagnosis.silenced, *silenced, *more_silenced),
        diagnosis.findings,
    )
