"""The definitions that a webhook has of a cluster, in files that may change while it runs."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY, PackPolicy
from kro_ls.rules.refusals import refusals
from kro_ls.workspace.check import file_document
from kro_ls.workspace.files import MOST_NAMED_BYTES, read_file, warn
from kro_ls.workspace.schemas import general_sources, kubernetes_kinds, read_kinds
from kro_ls.yaml_positions.nodes import text_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files import UnreadableFileError
    from kro_ls.workspace.schemas import WorkspaceSchemas

_MOST_ANALYSED: Final = 32
"""Definitions whose instances were reviewed last; an analysis takes some hundred times the size of its text."""


class ReviewOptions(Struct, frozen=True):
    """How reviews judge. With `denies_warnings`, warnings deny, too.

    `knows_cluster`: the files have all definitions of the cluster, which has no other kinds.
    """

    settings: Settings
    kubernetes_version: str | None = None
    well_known: PackPolicy = DEFAULT_POLICY
    denies_warnings: bool = False
    knows_cluster: bool = False


class KnownDefinitions:
    """The kinds of some files, and the analyses of the definitions whose instances are reviewed."""

    def __init__(self, options: ReviewOptions, files: Iterable[str]) -> None:
        """Read the files; what cannot be read is logged. Raises UnknownMinorError for an unknown Kubernetes version."""
        kubernetes = kubernetes_kinds(options.kubernetes_version, ())
        general = general_sources(kubernetes, options.well_known)
        named = ((Path(path), MOST_NAMED_BYTES) for path in files)
        self.are_all = options.knows_cluster
        """Whether the cluster has no other kinds."""
        self._settings = options.settings
        self.kinds: WorkspaceSchemas = read_kinds(kubernetes, (), named, _log, general=general)
        self._analysed: OrderedDict[str, Document] = OrderedDict()

    def update(self, changed: Iterable[str]) -> None:
        """Read files again that have changed, come or gone."""
        for path in changed:
            self.kinds = self.kinds.with_file(path, read_file(Path(path), MOST_NAMED_BYTES))
        self._analysed.clear()

    def definition_of(self, kind: KindSchema) -> RgdAnalysis | None:
        """Return the definition that declares a kind; None where it is not there, or kro refuses it."""
        document = self._document(kind.source)
        for rgd in document.analysis.rgds if document else ():
            section = rgd.section
            if section and (section.kind, section.group) == (kind.name.kind, kind.name.group):
                return None if document is None or refusals(document.diagnosis, rgd) else rgd
        return None

    def owners(self, group: str, kind: str) -> Iterator[str]:
        """Yield the names of the definitions that declare a kind, of whatever version."""
        for path, names in self.kinds.generated.declared.items():
            if any((name.group, name.kind) == (group, kind) for name in names):
                document = self._document(path)
                for rgd in document.analysis.rgds if document else ():
                    if rgd.section and (rgd.section.group, rgd.section.kind) == (group, kind):
                        found = rgd.rgd.document.child(("metadata", "name"))
                        yield (text_of(found.node) if found else None) or ""

    def _document(self, path: str) -> Document | None:
        """Return the document of a file with definitions; None where it is gone."""
        text = self.kinds.generated.texts.get(path)
        if text is None:
            return None
        found = self._analysed.pop(path, None) or file_document(path, Text(text), self._settings, self.kinds)
        self._analysed[path] = found
        while len(self._analysed) > _MOST_ANALYSED:
            self._analysed.popitem(last=False)
        return found


def _log(error: UnreadableFileError) -> None:
    warn("%s", error)
