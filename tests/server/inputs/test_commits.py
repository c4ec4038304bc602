"""Open documents beside a commit: read only when the user wants it, shown at the field that breaks."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from kro_ls.server.inputs import commits as baselines
from kro_ls.server.inputs.commits import BaselineKeeper
from kro_ls.workspace.check import check_document
from kro_ls.workspace.documents import Document, Edit
from kro_ls.workspace.evolution import Baseline
from kro_ls.workspace.snapshot import committed_document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

CONFIG = "- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${schema.spec.name}'}}"
TEXT = rgd(CONFIG, spec="{name: string | required=true}")

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "app.yaml"
    path.write_text(TEXT, encoding="utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    for arguments in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    return path


async def read(path: Path, ref: str) -> tuple[Document, list[Baseline | None]]:
    """Return an opened document, and what the keeper given about it."""
    document = Document(path.as_uri(), 1, Text(TEXT))
    given: list[Baseline | None] = []
    came = asyncio.Event()

    def changed(uri: str, baseline: Baseline | None) -> None:
        assert uri == document.uri
        given.append(baseline)
        came.set()

    keeper = BaselineKeeper({document.uri: document}, lambda: ref, changed)
    keeper.follow(document.uri)
    if ref:
        await asyncio.wait_for(came.wait(), 30)
    else:
        await asyncio.sleep(0)
    keeper.close()
    return document, given


@pytest.mark.asyncio
async def test_a_breaking_change_is_shown_while_it_is_there(file: Path) -> None:
    document, (baseline,) = await read(file, "HEAD")
    assert baseline is not None
    document = document.compared(baseline)
    assert check_document(document).diagnostics == ()
    start = TEXT.index("name: string") + len("name: ")
    line, column = TEXT.count("\n", 0, start), start - TEXT.rfind("\n", 0, start) - 1
    changed = document.edited(2, (Edit("integer", (line, column), (line, column + 6)),))
    (found,) = [each for each in check_document(changed).diagnostics if each.code == "breaking-change"]
    assert found.message.startswith("spec.name: the type changed from 'string' to 'integer' since HEAD")
    assert changed.text.content[found.span.start : found.span.end] == "name"
    back = changed.edited(3, (Edit("string", (line, column), (line, column + 7)),))
    assert check_document(back).diagnostics == ()


def test_a_commit_is_read_for_the_version_of_kro_of_the_document(file: Path) -> None:
    settings = Settings(version=parse_version("0.6"))
    committed = committed_document(Document(file.as_uri(), 1, Text(""), settings=settings), file, "HEAD")
    assert committed is not None
    assert (committed.text.content, committed.analysis.features) == (TEXT, settings.features)


@pytest.mark.asyncio
async def test_without_a_commit_nothing_is_read(file: Path) -> None:
    assert (await read(file, ""))[1] == []


@pytest.mark.asyncio
@pytest.mark.parametrize("ref", ["nowhere", "--all"])
async def test_a_commit_that_is_not_there(file: Path, ref: str) -> None:
    assert (await read(file, ref))[1] == [None]


def test_a_commit_that_is_not_to_be_compared_with_any_more_is_not_reported(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setting is taken back while git still reads the file."""
    document = Document(file.as_uri(), 1, Text(TEXT), baseline=Baseline("HEAD", ()))
    refs, given, is_begun, may_go_on = ["HEAD"], list[Baseline | None](), threading.Event(), threading.Event()

    def hold(*_: object) -> Baseline:
        is_begun.set()
        may_go_on.wait(30)
        return Baseline("HEAD", ())

    monkeypatch.setattr(baselines, "_baseline", hold)

    async def test() -> None:
        keeper = BaselineKeeper({document.uri: document}, lambda: refs[-1], lambda _, baseline: given.append(baseline))
        keeper.follow(document.uri)
        await asyncio.to_thread(is_begun.wait, 30)
        refs.append("")
        keeper.follow_all()
        may_go_on.set()
        while keeper._tasks:
            await asyncio.sleep(0.001)
        keeper.close()

    asyncio.run(asyncio.wait_for(test(), 30))
    assert given == [None]
