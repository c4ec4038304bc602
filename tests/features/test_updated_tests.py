"""Code actions that update a test which fails."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from lsprotocol import types

from kro_ls.features.actions.test_updates import UPDATE_TEST, test_updates
from kro_ls.features.convert import to_offset
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.workspace.test_runs import TestRuns
from kro_ls.yaml_positions.text import Text
from tests.cli.test_preview import APP, INSTANCE
from tests.cli.test_testing_updating import RIGHT, WRONG

TEST = "/w/app.test.yaml"


@dataclass
class Files:
    """The files beside a test file."""

    app: str = APP
    shop: str = INSTANCE

    def actions(self, content: str, marked: str) -> list[types.CodeAction]:
        """Return the actions at the beginning of a text in a test file."""
        texts = {"/w/app.yaml": self.app, "/w/shop.yaml": self.shop}
        documents = {path: Document(f"file://{path}", 1, Text(text)) for path, text in texts.items()}
        document = Document(f"file://{TEST}", 1, Text(content))
        place = Text(content).position(content.index(marked))
        position = types.Position(place.line, place.column)
        return test_updates(document, types.Range(position, position), FilesOfTests("/w", documents.get), TestRuns())


def applied(content: str, action: types.CodeAction) -> str:
    document = Document(f"file://{TEST}", 1, Text(content))
    assert action.edit
    assert action.edit.changes
    ((edit,),) = action.edit.changes.values()
    assert isinstance(edit, types.TextEdit)
    start, end = to_offset(document, edit.range.start), to_offset(document, edit.range.end)
    return content[:start] + edit.new_text + content[end:]


@pytest.mark.parametrize(
    ("marked", "title", "before", "after"),
    [
        ("ERROR", "Update the expected value to ACTIVE", "state: ERROR", "state: ACTIVE"),
        ("replicas: 4", "Update the expected value to 3", "replicas: 4", "replicas: 3"),
        ("deployment: 'waiting'", "Update the expected value to ready", "'waiting'", "'ready'"),
        ("ready: 4", "Update the expected value to 3", "ready: 4", "ready: 3"),
    ],
)
def test_one_expectation(marked: str, title: str, before: str, after: str) -> None:
    one, whole = Files().actions(WRONG, marked)
    assert (one.title, one.kind) == (title, types.CodeActionKind.QuickFix)
    assert applied(WRONG, one) == WRONG.replace(before, after)
    assert whole.title == "Update this test to what it does now"


def test_a_whole_test() -> None:
    (whole,) = Files().actions(WRONG, "wrong")
    assert whole.kind == UPDATE_TEST
    assert applied(WRONG, whole) == RIGHT
    assert Files().actions(RIGHT, "wrong") == []


def test_an_error_is_expected_as_a_whole() -> None:
    content = WRONG.replace("state: ERROR", "errors: [boom]")
    actions = Files().actions(content, "boom")
    assert [each.title for each in actions] == ["Expect this no longer", "Update this test to what it does now"]
    assert "boom" not in applied(content, actions[0])


@pytest.mark.parametrize(
    ("content", "files", "marked"),
    [
        (WRONG, Files(), "right"),
        (WRONG, Files(), "# What the shop"),
        (WRONG.replace("app.yaml", "gone.yaml"), Files(), "wrong"),
        (WRONG.replace("shop.yaml", "gone.yaml", 1), Files(), "wrong"),
        (WRONG.replace("nodes:", "node:"), Files(), "wrong"),
        (WRONG.replace("nodes:", "nodes"), Files(), "wrong"),
        (WRONG, Files(app=APP.replace("kind: Deployment", "kind: Deploymentx")), "wrong"),
        (WRONG, Files(app="a: ["), "wrong"),
        (WRONG, Files(shop="a: ["), "wrong"),
        (WRONG, Files(shop=INSTANCE.replace("3", "0")), "wrong"),
    ],
)
def test_nothing_to_update(content: str, files: Files, marked: str) -> None:
    assert files.actions(content, marked) == []
