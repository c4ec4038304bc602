"""What a feature or a command may read: one version of a document, and all documents of its workspace.

Open documents are as they are in the editor, the others as they are on disk.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.documents import Document
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import may_read, read_file, yaml_files
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.workspace.project_file import project_settings
from kro_ls.workspace.test_files import part_at, parts_testing, tested_file
from kro_ls.workspace.text_files import LARGEST_FILE
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.schemas import WorkspaceSchemas


MOST_BESIDE = 50
"""How many files in the folder of an instance are searched for objects of its cluster."""


class AllDocuments(Struct, frozen=True):
    """The documents at one moment. `opened` are the open ones by path; `schemas` is None until files have been read.

    `make` gives the document of a path with a text; `folders` are those of the workspace.
    """

    opened: Mapping[str, Document]
    schemas: WorkspaceSchemas | None
    make: Callable[[str, str], Document]
    folders: tuple[Path, ...] = ()

    @property
    def may_be_on_disk(self) -> bool:
        """Whether there may be documents that are not open."""
        return bool(self.folders) or (
            self.schemas is not None and not self.schemas.generated.texts.keys() <= self.opened.keys()
        )

    def files_of_test(self, path: str) -> FilesOfTests:
        """Return the files that the test file of a path names."""
        texts = {name: document.text.content for name, document in self.opened.items()}
        return FilesOfTests(os.path.dirname(path), self.at, self.refusal, texts, self.folders)

    def of_text(self, path: str, text: str) -> Document:
        """Return the document of a file with this text; the open one if it has that text."""
        opened = self.opened.get(path)
        return opened if opened and opened.text.content is text else self.make(path, text)

    def at(self, path: str) -> Document | None:
        """Return the document of a path, None if there is no such file in the workspace."""
        if path in self.opened:
            return self.opened[path]
        text = self.schemas.generated.texts.get(path) if self.schemas else None
        if text is None and may_read(path, self.folders, self.schemas.crds.paths() if self.schemas else ()):
            text = read_file(Path(path))
        return None if text is None else self.make(path, text)

    def refusal(self, folder: str, name: str) -> str:
        """Return why a name in a file of a folder may not be read, empty if it may."""
        path = os.path.normpath(os.path.join(folder, name))
        texts = self.schemas.generated.texts if self.schemas else {}
        named = self.schemas.crds.paths() if self.schemas else ()
        may_be_read = path in self.opened or path in texts or may_read(path, self.folders, named)
        return "" if may_be_read else "outside of the workspace, so it is not read"

    def declaring(self, kind: GroupVersionKind, asking: Document) -> Iterator[Document]:
        """Yield the documents whose RGDs may declare a kind, starting with the one whose kind `asking` uses."""
        schemas = asking.schemas or (self.schemas.index if self.schemas else None)
        found = schemas.find(kind.group, kind.version, kind.kind) if schemas else None
        paths = [found.source] if found and Path(found.source).is_absolute() else []
        paths += [path for path, document in self.opened.items() if kind.kind in document.text.content]
        for path in dict.fromkeys(paths):
            document = self.at(path)
            if document:
                yield document

    def mentioning(self, *words: str) -> Iterator[Document]:
        """Yield the definitions, instances and tests whose text contains all the words."""
        for path, document in self.opened.items():
            if all(word in document.text.content for word in words):
                yield self.opened[path]
        for path, text in self._texts():
            if path not in self.opened and all(word in text for word in words):
                yield self.make(path, text)

    def definitions(self, is_wanted: Callable[[str], bool]) -> Iterator[Document]:
        """Yield the documents that may hold RGDs and have a wanted text, the open ones first."""
        for path, text in self.definition_texts():
            if is_wanted(text):
                yield self.opened[path] if path in self.opened else self.make(path, text)

    def instance_texts(self) -> Iterator[tuple[str, str]]:
        """Yield the paths and texts that may hold instances of the workspace's RGDs, the open ones first."""
        if self.schemas is None:
            return
        names, instances = self.schemas.generated.names(), self.schemas.instances
        versions, kinds = {name.api_version for name in names}, {name.kind for name in names}
        paths = {path for kind in kinds for path in instances.paths.get(kind, ())}
        for path, document in self.opened.items():
            if any(version in document.text.content for version in versions):
                yield path, document.text.content
        yield from ((path, instances.texts[path]) for path in sorted(paths - self.opened.keys()))

    def definition_texts(self) -> Iterator[tuple[str, str]]:
        """Yield the paths and texts that may hold RGDs, those of open documents first."""
        for path, document in self.opened.items():
            yield path, document.text.content
        for path, text in self.schemas.generated.texts.items() if self.schemas else ():
            if path not in self.opened:
                yield path, text

    def object_texts(self, beside: Document, kind: str | None = None) -> Iterator[tuple[str, str]]:
        """Yield the paths and texts of other documents that may hold objects, or objects of a kind."""
        yield from ((path, each.text.content) for path, each in self.opened.items() if each.uri != beside.uri)
        if self.schemas is None:
            return
        definitions, instances = self.schemas.generated.texts, self.schemas.instances
        paths = instances.texts if kind is None else instances.paths.get(kind, ())
        on_disk = {**definitions, **{path: instances.texts[path] for path in paths}}
        yield from ((path, text) for path, text in on_disk.items() if path not in self.opened)

    def texts_around(self, path: str) -> Iterator[str]:
        """Yield the texts of the other open documents and of some small files in the folder of a path."""
        yield from (each.text.content for name, each in self.opened.items() if name != path)
        for name in _files_beside(path):
            if name != path and name not in self.opened and may_read(name, self.folders, ()):
                text = read_file(Path(name), LARGEST_FILE)
                if text is not None:
                    yield text

    def mean_the_same(self, kind: GroupVersionKind, one: Document, other: Document) -> bool:
        """Whether two documents use the same definition of a kind that several files may define."""
        if self.schemas is None or kind not in self.schemas.ambiguous or not one.schemas or not other.schemas:
            return True
        found = [each.find(kind.group, kind.version, kind.kind) for each in (one.schemas, other.schemas)]
        return found[0] is found[1]

    def tests_of(self, definition: Document) -> Iterator[Document]:
        """Yield the test files of the definition in a document."""
        for document in self.mentioning(PurePosixPath(unquote(definition.uri)).name):
            if next(parts_testing(document, definition), None):
                yield document

    def tested_at(self, test: Document, offset: int) -> Document | None:
        """Return the document with the definition that an open test file tests at an offset, None for other files."""
        part = part_at(test, offset)
        named = tested_file(part) if part else None
        here = next((path for path, document in self.opened.items() if document.uri == test.uri), None)
        return self.at(os.path.normpath(Path(here).parent / named)) if here and named else None

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts on disk, each once."""
        schemas = self.schemas
        texts = {**schemas.generated.texts, **schemas.instances.texts} if schemas else {}
        yield from texts.items()
        for name in dict.fromkeys(test_files(self.folders)):
            text = None if name in texts else read_file(Path(name))
            if text is not None:
                yield name, text


def _files_beside(path: str) -> Iterator[str]:
    """Yield the first small YAML files in the folder of a file, which may be among them."""
    try:
        with os.scandir(os.path.dirname(path)) as scan:
            found = sorted(each.path for each in scan if each.name.endswith((".yaml", ".yml")))
            yield from (each for each in found[:MOST_BESIDE] if os.path.getsize(each) <= LARGEST_FILE)
    except OSError:
        return


NO_OTHERS = AllDocuments({}, None, lambda path, text: Document(path, None, Text(text)))
"""A workspace without any documents."""


def test_files(folders: tuple[Path, ...]) -> Iterator[str]:
    """Yield the paths of the test files in some folders."""
    for folder in folders:
        for path in yaml_files(folder, within=folders):
            name = str(path.absolute())
            if name.endswith(TEST_ENDINGS):
                yield name


class Snapshot(Struct, frozen=True):
    """A document with its kinds and settings, and all documents of the workspace, at one moment."""

    document: Document
    others: AllDocuments = NO_OTHERS


def file_snapshot(
    path: Path,
    text: Text,
    schemas: SchemaIndex | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    names_version: bool = False,
) -> Snapshot:
    """Return a file with some kinds, and with the settings of its folder where the user's have none.

    `names_version` says that the user chose the version of kro. Raises UnreadableFileError if the folder's settings
    cannot be read.
    """
    project = project_settings(path)
    settings = project.under(settings, names_version=names_version) if project else settings
    return Snapshot(Document(str(path), None, text, settings=settings, schemas=schemas))


def committed_document(document: Document, path: Path, ref: str) -> Document | None:
    """Return a document as it is in a commit, with the same settings and kinds; None if the commit lacks the file.

    Raises GitError, and UnreadableFileError for a file that is not text.
    """
    from kro_ls.workspace.git import text_at

    text = text_at(ref, path)
    return None if text is None else replace(document, text=text)
