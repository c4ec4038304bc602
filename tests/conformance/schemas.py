"""What the recorded answers were made with: Kubernetes 1.36, the CRDs of the data folder, a version of kro."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kro_ls.kro.schema_index import schema_index
from kro_ls.kro.versions.version import BEFORE_0_9_4, Version
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.workspace.generated_kinds import GeneratedKinds
from kro_ls.yaml_positions.text import Text

RECORDED_VERSION = BEFORE_0_9_4
"""The version of kro that answered the shared data."""


@lru_cache(maxsize=4)
def schemas(directory: Path) -> SchemaIndex:
    """Return the kinds of Kubernetes 1.36, of kro, and of the CRDs in the folder's `crds`."""
    return schema_index(kubernetes("1.36"), (crds(directory),))


@lru_cache(maxsize=4)
def crds(directory: Path) -> CrdSource:
    files = [(str(path), path.read_text(encoding="utf-8")) for path in sorted((directory / "crds").glob("*.y*ml"))]
    return CrdSource(files, schema_index(kubernetes("1.36")).object_meta)


@lru_cache(maxsize=4)
def chained_schemas(directory: Path) -> SchemaIndex:
    """Return those kinds and the ones that the RGDs of the folder's `rgds` generate."""
    texts = {str(path): path.read_text(encoding="utf-8") for path in sorted((directory / "rgds").glob("*.y*ml"))}
    return with_generated(directory, texts)


def with_generated(directory: Path, texts: dict[str, str]) -> SchemaIndex:
    """Return the kinds of a folder and the ones that some RGDs generate."""
    kinds = kubernetes("1.36")
    custom = crds(directory)
    return schema_index(kinds, (custom, GeneratedKinds(texts, kinds, custom)))


def diagnose_file(directory: Path, file: Path, *, chained: bool = False) -> Diagnosis:
    """Diagnose a file with those kinds, in a closed world, for the version that answered."""
    index = chained_schemas(directory) if chained else schemas(directory)
    return diagnose_closed(file.read_text(encoding="utf-8"), index, RECORDED_VERSION)


def diagnose_closed(text: str, index: SchemaIndex, version: Version) -> Diagnosis:
    """Diagnose a text in a world that has no other kinds."""
    settings = Settings(severities=(("unknown-kind", Severity.ERROR),), version=version)
    return diagnose_text(Text(text), settings, index)
