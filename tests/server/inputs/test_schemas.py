"""When the texts of open documents are looked into for kinds."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Container, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from msgspec.structs import replace

from kro_ls.server.inputs import schemas
from kro_ls.server.inputs.schemas import SchemaKeeper, Session
from kro_ls.uris import path_of
from kro_ls.workspace import documents as workspace_documents
from kro_ls.workspace import effective_texts
from kro_ls.workspace import schemas as workspace_schemas
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.examples import FEW

SECONDS = 60
SLOW, OTHER = "file:///slow.yaml", "file:///other.yaml"
RGD = rgd("- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")


def test_a_text_that_is_being_worked_out_is_looked_into_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else both would parse it, side by side."""
    monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
    answers = [True, True, False]
    asked: list[str] = []

    class Prepared(Container[str]):
        def __contains__(self, uri: object) -> bool:
            asked.append(str(uri))
            return answers.pop(0)

    def nothing(*_: object) -> None:
        return None

    async def test() -> None:
        session = Session(tuple, SchemaSettings, nothing, nothing, nothing, nothing, Prepared())
        keeper = SchemaKeeper({uri: Document(uri, 1, Text("a: b")) for uri in (SLOW, OTHER)}, session)
        keeper.follow(SLOW)
        for _ in range(100):
            await asyncio.sleep(0)
        keeper.close()

    asyncio.run(test())
    assert (asked, answers) == ([SLOW] * 3, [])


def test_nothing_is_loaded_for_a_client_that_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    asked: list[str] = []

    def folders() -> tuple[Path, ...]:
        asked.append("folders")
        return ()

    async def test() -> None:
        keeper = SchemaKeeper({}, Session(folders, SchemaSettings, print, print, print, print, ()))
        keeper.start()
        keeper.close()
        await asyncio.sleep(0.01)

    asyncio.run(test())
    assert (asked, caplog.text) == ([], "")


@pytest.mark.parametrize(
    ("old", "new", "changes"), [("{name: x}", "{name: other}", 0), ("kind: App", "kind: Apple", 1)]
)
def test_documents_are_looked_at_again_only_when_a_kind_changed(
    old: str, new: str, changes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
    documents = {uri: Document(uri, 1, Text(RGD)) for uri in (SLOW, OTHER)}

    async def test() -> list[WorkspaceSchemas | None]:
        taken: list[WorkspaceSchemas | None] = []
        notified = asyncio.Event()

        def report() -> None:
            taken.append(keeper.current)
            notified.set()

        session = Session(tuple, SchemaSettings, report, notified.set, print, lambda: None, ())
        keeper = SchemaKeeper(documents, session)
        keeper.start()
        await notified.wait()
        notified.clear()
        documents[SLOW] = Document(SLOW, 2, Text(RGD.replace(old, new)))
        keeper.follow(SLOW)
        await notified.wait()
        keeper.close()
        assert keeper.current is not None
        assert keeper.current.generated.texts["/slow.yaml"] == documents[SLOW].text.content
        return taken

    assert len(asyncio.run(test())) == 1 + changes


def test_kinds_that_open_documents_use_are_worked_out_before_they_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    texts = [RGD.replace("kind: App", f"kind: {kind}") for kind in ("Used", "Created", "Idle")]
    texts.append(RGD.replace("apiVersion: v1, kind: ConfigMap", "apiVersion: kro.run/v1alpha1, kind: Used"))
    texts.append("apiVersion: kro.run/v1alpha1\nkind: Created\n")
    uris = [f"file:///{number}.yaml" for number in range(len(texts))]
    documents = {uri: Document(uri, 1, Text(text)) for uri, text in zip(uris, texts, strict=True)}

    async def test() -> set[str]:
        notified = asyncio.Event()
        session = Session(tuple, SchemaSettings, notified.set, notified.set, print, lambda: None, ())
        keeper = SchemaKeeper(documents, session)
        for document in documents.values():
            _ = document.diagnosis
        keeper.start()
        await notified.wait()
        keeper.close()
        assert keeper.current is not None
        return {kind.kind for _, kind in keeper.current.generated.made if kind}

    assert asyncio.run(test()) == {"Used", "Created"}


def test_a_document_that_cannot_be_looked_at_leaves_the_kinds_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(schemas, "START_SECONDS", 0)
    monkeypatch.setattr(workspace_documents, "described_documents", fail)
    documents = {SLOW: Document(SLOW, 1, Text(RGD))}

    async def test() -> None:
        notified = asyncio.Event()
        session = Session(tuple, SchemaSettings, notified.set, notified.set, print, lambda: None, ())
        keeper = SchemaKeeper(documents, session)
        _ = documents[SLOW].analysis
        keeper.start()
        await notified.wait()
        keeper.close()
        assert keeper.current is not None
        assert list(keeper.current.generated.texts) == ["/slow.yaml"]

    asyncio.run(test())


class Workspace:
    """A folder, the open documents, and a keeper whose thread can be held at a step."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schemas, "START_SECONDS", 0)
        monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
        self.folder = folder
        self.documents: dict[str, Document] = {}
        self.folders = [folder]
        self.notified = asyncio.Event()
        session = Session(
            lambda: self.folders, SchemaSettings, self.notified.set, self.notified.set, print, lambda: None, ()
        )
        self.keeper = SchemaKeeper(self.documents, session)
        self.is_begun, self.may_go_on = threading.Event(), threading.Event()
        self._monkeypatch = monkeypatch

    def hold(self, owner: object, name: str) -> None:
        """Have the thread wait after the first call of a function until `go_on`."""
        function: Callable[..., Any] = getattr(owner, name)

        def held(*arguments: Any, **keywords: Any) -> Any:
            found = function(*arguments, **keywords)
            if not self.is_begun.is_set():
                self.is_begun.set()
                self.may_go_on.wait(SECONDS)
            return found

        self._monkeypatch.setattr(owner, name, held)

    async def held(self) -> None:
        await asyncio.to_thread(self.is_begun.wait, SECONDS)

    def open(self, name: str, text: str) -> str:
        uri = (self.folder / name).as_uri()
        self.documents[uri] = Document(uri, 1, Text(text))
        self.keeper.follow(uri)
        return uri

    def close(self, uri: str) -> None:
        del self.documents[uri]
        self.changed(uri)

    async def does(self, what: str, path: Path, text: str) -> None:
        """Do a step of a session, and report it to the keeper as a client would."""
        uri = path.as_uri()
        if what == "open":
            self.open(str(path.relative_to(self.folder)), text)
        elif what == "close" and uri in self.documents:
            self.close(uri)
        elif what == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.changed(uri)
        elif what == "delete":
            path.unlink(missing_ok=True)
            self.changed(uri)
        elif what == "delete folder" and path.parent != self.folder:
            shutil.rmtree(path.parent, ignore_errors=True)
            self.changed(path.parent.as_uri())
        elif what == "reload":
            self.keeper.reload()
        elif what == "wait":
            await asyncio.sleep(0.002)

    def changed(self, *uris: str) -> None:
        self.keeper.files_changed([types.FileEvent(uri, types.FileChangeType.Changed) for uri in uris])

    async def kinds(self, *expected: str) -> None:
        """Wait until these are the kinds that are known."""
        while self.keeper.current is None or self.known() != sorted(expected):
            self.notified.clear()
            await asyncio.sleep(0.001)

    async def settled(self) -> None:
        """Let everything that was noted be taken."""
        while self.keeper._tasks or self.keeper._due:
            await asyncio.sleep(0.001)

    def known(self) -> list[str]:
        assert self.keeper.current
        return sorted(kind.kind for kind in self.keeper.current.generated.names())


def of_kind(kind: str) -> str:
    return RGD.replace("kind: App", f"kind: {kind}")


def run(test: Coroutine[Any, Any, None], workspace: Workspace) -> None:
    async def whole() -> None:
        try:
            await asyncio.wait_for(test, SECONDS)
        finally:
            workspace.may_go_on.set()
            workspace.keeper.close()

    asyncio.run(whole())


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    (tmp_path / "app.yaml").write_text(of_kind("OnDisk"), encoding="utf-8")
    return Workspace(tmp_path, monkeypatch)


STEPS = [(workspace_schemas, "load"), (effective_texts, "with_texts_in_effect"), (schemas, "_compute_kinds")]


@pytest.mark.parametrize("step", STEPS, ids=lambda each: each[1])
@pytest.mark.parametrize("others", [0, 1])
def test_a_document_that_is_opened_while_files_are_loaded_is_in_effect(
    step: tuple[object, str], others: int, workspace: Workspace
) -> None:
    workspace.hold(*step)

    async def test() -> None:
        for number in range(others):
            workspace.open(f"other{number}.yaml", "a: b")
        workspace.keeper.start()
        await workspace.held()
        workspace.open("app.yaml", of_kind("Opened"))
        for _ in range(10):
            await asyncio.sleep(0)  # it is recorded before the load continues
        workspace.may_go_on.set()
        await workspace.kinds("Opened")

    run(test(), workspace)


@pytest.mark.parametrize("step", STEPS, ids=lambda each: each[1])
def test_a_document_that_is_closed_while_files_are_loaded_is_not_in_effect(
    step: tuple[object, str], workspace: Workspace
) -> None:
    workspace.hold(*step)

    async def test() -> None:
        uri = workspace.open("app.yaml", of_kind("Opened"))
        workspace.keeper.start()
        await workspace.held()
        workspace.close(uri)
        workspace.may_go_on.set()
        await workspace.kinds("OnDisk")
        await workspace.settled()
        assert workspace.known() == ["OnDisk"]

    run(test(), workspace)


@pytest.mark.parametrize("step", STEPS, ids=lambda each: each[1])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_file_that_changes_while_files_are_loaded_is_read_again(
    step: tuple[object, str], *, is_first: bool, workspace: Workspace
) -> None:
    async def test() -> None:
        if not is_first:
            workspace.keeper.start()
            await workspace.kinds("OnDisk")
        workspace.hold(*step)
        workspace.keeper.reload()
        await workspace.held()
        path = workspace.folder / "app.yaml"
        path.write_text(of_kind("Changed"), encoding="utf-8")
        workspace.changed(path.as_uri())
        workspace.may_go_on.set()
        await workspace.kinds("Changed")
        await workspace.settled()
        assert workspace.known() == ["Changed"]

    run(test(), workspace)


def test_a_document_that_is_opened_while_its_file_is_read_is_in_effect(workspace: Workspace) -> None:
    async def test() -> None:
        uri = workspace.open("app.yaml", of_kind("Opened"))
        workspace.keeper.start()
        await workspace.kinds("Opened")
        workspace.hold(effective_texts, "read_file")
        workspace.close(uri)
        await workspace.held()
        workspace.open("app.yaml", of_kind("OpenedAgain"))
        workspace.may_go_on.set()
        await workspace.kinds("OpenedAgain")
        await workspace.settled()
        assert workspace.known() == ["OpenedAgain"]

    run(test(), workspace)


def test_the_last_load_counts_whichever_ends_first(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As where a folder is removed while the files of both are read, and the client is slow to show the first."""
    removed = tmp_path_factory.mktemp("removed")
    (removed / "removed.yaml").write_text(of_kind("Removed"), encoding="utf-8")
    is_shown = asyncio.Event()
    waiting = [is_shown.wait()]

    class Progress:
        async def begin(self) -> None:
            if waiting:
                await waiting.pop()

        def read(self) -> None: ...

        def end(self) -> None: ...

    async def test() -> None:
        workspace.keeper._session = replace(workspace.keeper._session, indexing=Progress)
        workspace.folders.append(removed)
        workspace.keeper.reload()
        await asyncio.sleep(0)
        workspace.folders.remove(removed)
        workspace.keeper.reload()
        await workspace.kinds("OnDisk")
        is_shown.set()
        await workspace.settled()
        assert workspace.known() == ["OnDisk"]

    run(test(), workspace)


def test_a_text_counts_for_other_definitions_in_it_and_on_disk_though_no_other_is_open(workspace: Workspace) -> None:
    async def test() -> None:
        workspace.keeper.start()
        await workspace.kinds("OnDisk")
        workspace.open("app.yaml", of_kind("Edited"))
        await workspace.kinds("Edited")

    run(test(), workspace)


def test_a_folder_that_is_deleted_takes_its_kinds_along_but_those_of_open_documents(workspace: Workspace) -> None:
    folder = workspace.folder / "sub" / "deep"
    folder.mkdir(parents=True)
    (workspace.folder / "sub.yaml").write_text(of_kind("Beside"), encoding="utf-8")
    for name in ("Gone", "Open"):
        (folder / f"{name}.yaml").write_text(of_kind(name), encoding="utf-8")
    (folder / "crd.yaml").write_text(json.dumps(crd("Defined")), encoding="utf-8")
    (folder / "instance.yaml").write_text("apiVersion: kro.run/v1alpha1\nkind: Gone\n", encoding="utf-8")

    async def test() -> None:
        workspace.keeper.start()
        workspace.open("sub/deep/Open.yaml", of_kind("Open"))
        await workspace.kinds("Beside", "Gone", "OnDisk", "Open")
        assert workspace.keeper.current
        assert [kind.kind for kind in workspace.keeper.current.crds.names()] == ["Defined"]
        assert "Gone" in workspace.keeper.current.instances.paths
        shutil.rmtree(workspace.folder / "sub")
        workspace.changed((workspace.folder / "sub").as_uri())
        await workspace.kinds("Beside", "OnDisk", "Open")
        assert workspace.keeper.current.crds.names() == ()
        assert "Gone" not in workspace.keeper.current.instances.paths
        workspace.close(next(iter(workspace.documents)))
        await workspace.kinds("Beside", "OnDisk")

    run(test(), workspace)


def test_a_folder_that_came_is_read_as_if_it_had_been_there(workspace: Workspace) -> None:
    async def test() -> None:
        workspace.keeper.start()
        await workspace.kinds("OnDisk")
        for name in ("new/a.yaml", "new/node_modules/b.yaml", "node_modules/c.yaml", "new/text.txt"):
            path = workspace.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(of_kind(f"K{path.stem}"), encoding="utf-8")
        names = ("new", "node_modules", "node_modules/c.yaml", "new/text.txt")
        workspace.changed(*((workspace.folder / name).as_uri() for name in names))
        await workspace.kinds("Ka", "OnDisk")
        await workspace.settled()
        assert workspace.known() == ["Ka", "OnDisk"]

    run(test(), workspace)


def test_a_failure_is_logged_and_the_next_change_is_taken(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        workspace.keeper.start()
        await workspace.kinds("OnDisk")
        with monkeypatch.context() as patch:
            patch.setattr(effective_texts, "read_file", lambda *_: 1 // 0)
            workspace.changed((workspace.folder / "app.yaml").as_uri())
            await workspace.settled()
        assert "ZeroDivisionError" in caplog.text
        workspace.open("app.yaml", of_kind("Opened"))
        await workspace.kinds("Opened")

    run(test(), workspace)


NAMES = st.sampled_from(["a.yaml", "sub/b.yaml", "sub/deep/c.yaml", "other/d.yaml"])
KINDS = st.sampled_from(["One", "Two", "Three"])
STEPS_OF_A_SESSION = st.lists(
    st.tuples(st.sampled_from(["open", "write", "close", "delete", "delete folder", "reload", "wait"]), NAMES, KINDS),
    max_size=14,
)


@FEW
@given(STEPS_OF_A_SESSION)
def test_kinds_are_those_of_the_texts_in_effect_whatever_happened_when(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        workspace = Workspace(Path(name), patch)

        async def test() -> None:
            workspace.keeper.reload()
            for what, name, kind in steps:
                await workspace.does(what, workspace.folder / name, of_kind(kind))
            await workspace.settled()
            files = {str(path): path.read_text(encoding="utf-8") for path in workspace.folder.rglob("*.yaml")}
            files |= {path_of(uri): document.text.content for uri, document in workspace.documents.items()}
            assert workspace.keeper.current
            assert workspace.keeper.current.generated.texts == files

        run(test(), workspace)


def crd(kind: str) -> dict[str, Any]:
    names = {"kind": kind, "plural": f"{kind.lower()}s"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }
