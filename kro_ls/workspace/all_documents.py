"""All documents of a workspace: those that are open as they are in the editor, the others as they are on disk."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct

from kro_ls.workspace.documents import Document
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import may_read, read_file, yaml_files
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.workspace.instance_files import LARGEST_INSTANCE_FILE
from kro_ls.workspace.test_files import part_at, parts_testing, tested_file
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.schemas import WorkspaceSchemas


MOST_BESIDE = 50
"""How many files in the folder of an instance are looked at, where objects of its cluster may be."""


class AllDocuments(Struct, frozen=True):
    """The documents of one moment. `opened` are the open ones by path; `schemas` is None until files have been read.

    `make` gives the document of a path with a text; `folders` are those of the workspace.
    """

    opened: Mapping[str, Document]
    schemas: WorkspaceSchemas | None
    make: Callable[[str, str], Document]
    folders: tuple[Path, ...] = ()

    @property
    def may_be_on_disk(self) -> bool:
        """Whether documents may be found that are not open."""
        return bool(self.folders) or (
            self.schemas is not None and not self.schemas.generated.texts.keys() <= self.opened.keys()
        )

    def files_of_test(self, path: str) -> FilesOfTests:
        """Return the files that the test file of a path names."""
        texts = {name: document.text.content for name, document in self.opened.items()}
        return FilesOfTests(os.path.dirname(path), self.at, self.refusal, texts, self.folders)

    def of_text(self, path: str, text: str) -> Document:
        """Return the document of a file whose text is known; the open one where it has that text."""
        opened = self.opened.get(path)
        return opened if opened and opened.text.content is text else self.make(path, text)

    def at(self, path: str) -> Document | None:
        """Return the document of a path, None where no file is, or one that is not the workspace's."""
        if path in self.opened:
            return self.opened[path]
        text = self.schemas.generated.texts.get(path) if self.schemas else None
        if text is None and may_read(path, self.folders, self.schemas.crds.paths() if self.schemas else ()):
            text = read_file(Path(path))
        return None if text is None else self.make(path, text)

    def refusal(self, folder: str, name: str) -> str:
        """Return why nothing that a file in a folder names so may be read, empty where it may."""
        path = os.path.normpath(os.path.join(folder, name))
        known = self.schemas.generated.texts if self.schemas else {}
        named = self.schemas.crds.paths() if self.schemas else ()
        may_be_read = path in self.opened or path in known or may_read(path, self.folders, named)
        return "" if may_be_read else "outside of the workspace, so it is not read"

    def declaring(self, kind: GroupVersionKind, asking: Document) -> Iterator[Document]:
        """Yield the documents whose RGDs may declare a kind, the one first that counts for the document that asks."""
        schemas = asking.schemas or (self.schemas.index if self.schemas else None)
        found = schemas.find(kind.group, kind.version, kind.kind) if schemas else None
        paths = [found.source] if found and Path(found.source).is_absolute() else []
        paths += [path for path, document in self.opened.items() if kind.kind in document.text.content]
        for path in dict.fromkeys(paths):
            document = self.at(path)
            if document:
                yield document

    def mentioning(self, *words: str) -> Iterator[Document]:
        """Yield the definitions, instances and tests in whose text all the words are."""
        for path, document in self.opened.items():
            if all(word in document.text.content for word in words):
                yield self.opened[path]
        for path, text in self._texts():
            if path not in self.opened and all(word in text for word in words):
                yield self.make(path, text)

    def definitions(self, is_wanted: Callable[[str], bool]) -> Iterator[Document]:
        """Yield the documents that may hold RGDs and whose text is wanted, the open ones first."""
        for path, text in self.definition_texts():
            if is_wanted(text):
                yield self.opened[path] if path in self.opened else self.make(path, text)

    def instance_texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts that may hold instances of the workspace's RGDs by their paths, the open ones first."""
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
        """Yield the texts that may hold RGDs by their paths, those of open documents first."""
        for path, document in self.opened.items():
            yield path, document.text.content
        for path, text in self.schemas.generated.texts.items() if self.schemas else ():
            if path not in self.opened:
                yield path, text

    def object_texts(self, beside: Document, kind: str | None = None) -> Iterator[tuple[str, str]]:
        """Yield the texts of other documents that may have objects, or objects of a kind, by their paths."""
        yield from ((path, each.text.content) for path, each in self.opened.items() if each.uri != beside.uri)
        if self.schemas is None:
            return
        definitions, instances = self.schemas.generated.texts, self.schemas.instances
        paths = instances.texts if kind is None else instances.paths.get(kind, ())
        on_disk = {**definitions, **{path: instances.texts[path] for path in paths}}
        yield from ((path, text) for path, text in on_disk.items() if path not in self.opened)

    def texts_around(self, path: str) -> Iterator[str]:
        """Yield the texts of the other open documents, and of some small files in the folder of a path."""
        yield from (each.text.content for name, each in self.opened.items() if name != path)
        for name in _files_beside(path):
            if name != path and name not in self.opened and may_read(name, self.folders, ()):
                text = read_file(Path(name), LARGEST_INSTANCE_FILE)
                if text is not None:
                    yield text

    def mean_the_same(self, kind: GroupVersionKind, one: Document, other: Document) -> bool:
        """Whether the same definition of a kind counts for two documents, where several files define it."""
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
        """Return the document with the definition that an open test file tests there, None for every other file."""
        part = part_at(test, offset)
        named = tested_file(part) if part else None
        here = next((path for path, document in self.opened.items() if document.uri == test.uri), None)
        return self.at(os.path.normpath(Path(here).parent / named)) if here and named else None

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts on disk, each once."""
        known: dict[str, str] = {}
        if self.schemas:
            known = {**self.schemas.generated.texts, **self.schemas.instances.texts}
        yield from known.items()
        for name in test_files(self.folders):
            text = read_file(Path(name)) if name not in known else None
            if text is not None:
                known[name] = text
                yield name, text


def _files_beside(path: str) -> Iterator[str]:
    """Yield the first YAML files in the folder of a file that are small, itself among them."""
    try:
        with os.scandir(os.path.dirname(path)) as scan:
            found = sorted(each.path for each in scan if each.name.endswith((".yaml", ".yml")))
            yield from (each for each in found[:MOST_BESIDE] if os.path.getsize(each) <= LARGEST_INSTANCE_FILE)
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
