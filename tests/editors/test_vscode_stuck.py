"""Why an instance is not ready, asked for in Visual Studio Code with the lens over what kubectl printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode import Server, VSCode, project
from tests.features.test_causes import CHILD, DEFINITION, INSTANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

LENS = "[...document.querySelectorAll('.codelens-decoration a')].find((each) => each.textContent.includes('not ready'))"

TABS = "[...document.querySelectorAll('.tab')].map((each) => each.textContent)"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    server = Server(tmp_path_factory.mktemp("server"))
    files = {"app.yaml": DEFINITION, "x.yaml": INSTANCE, "children.yaml": CHILD}
    with project(tmp_path_factory, files, server, width=1440, height=860) as started:
        yield started


def test_the_lens_opens_what_says_why(code: VSCode) -> None:
    code.hide_sidebar()
    code.open(code.folder / "x.yaml")
    code.browser.wait(f"!!({LENS})", "the lens")
    x, y = code.browser.evaluate(f"(({{x, y}}) => [x + 20, y + 5])(({LENS}).getBoundingClientRect())")
    code.browser.point(x, y, click=True)
    code.browser.wait(f"{TABS}.some((each) => each.includes('Preview x.why.md'))", "the rendered text beside it")
    assert code.browser.evaluate(f"{TABS}.length") == 2
