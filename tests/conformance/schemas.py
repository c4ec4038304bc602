"""The kinds that the recorded answers were made with: Kubernetes 1.36 and the CRDs of the data folder."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.analysis.diagnostics import Severity
from kro_ls.analysis.generated_kinds import GeneratedKinds
from kro_ls.analysis.settings import Settings
from kro_ls.openapi.bundled import kubernetes
from kro_ls.openapi.crds import CrdSource
from kro_ls.openapi.index import SchemaIndex
from kro_ls.yaml_positions.text import Text

CLOSED_WORLD = Settings(severities=(("unknown-kind", Severity.ERROR),))


@lru_cache(maxsize=4)
def schemas(directory: Path) -> SchemaIndex:
    """Return the kinds of Kubernetes 1.36, of kro, and of the CRDs in the folder's `crds`."""
    return SchemaIndex(kubernetes("1.36"), (_crds(directory),))


@lru_cache(maxsize=4)
def _crds(directory: Path) -> CrdSource:
    files = [(str(path), path.read_text(encoding="utf-8")) for path in sorted((directory / "crds").glob("*.y*ml"))]
    return CrdSource(files, SchemaIndex(kubernetes("1.36")).object_meta)


@lru_cache(maxsize=4)
def chained_schemas(directory: Path) -> SchemaIndex:
    """Return those kinds and the ones that the RGDs of the folder's `rgds` generate."""
    kinds = kubernetes("1.36")
    custom = _crds(directory)
    texts = {str(path): path.read_text(encoding="utf-8") for path in sorted((directory / "rgds").glob("*.y*ml"))}
    return SchemaIndex(kinds, (custom, GeneratedKinds(texts, kinds, custom)))


def analyze_file(directory: Path, file: Path, *, chained: bool = False) -> Analysis:
    """Analyse a file with those kinds, in a closed world."""
    index = chained_schemas(directory) if chained else schemas(directory)
    return analyze(Text(file.read_text(encoding="utf-8")), CLOSED_WORLD, index)
