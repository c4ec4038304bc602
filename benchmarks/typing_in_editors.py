"""Definitions typed with real keys, eight in a second, in VS Code and Neovim, by a person who accepts suggestions.

It counts the keys saved in comparison with an editor that only keeps the indentation, popups, false errors that are
shown for more than a second, and keys that had a wrong effect. It needs the editors that `scripts/setup-editors`
installs, the packaged extension, and the definitions of `../shared/conformance`.

Without a seed the definitions are those of `tests/editors/test_typing.py`. A seed draws as many others, to measure
with inputs that were never looked at.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.completion_ranking import CONFORMANCE
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.editors.typing.person import Record

KEYS_PER_SECOND = 8.0
SAVED = 35.0
AT_ONCE = 2
FEW = 2
SHORTEST, LONGEST = 400, 1_700
"""The lengths of drawn definitions in characters, like those of the tests, which take about a minute each."""


class _Folders:
    """Creates folders as pytest does for its fixtures."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def mktemp(self, basename: str) -> Path:
        """Create a new folder."""
        return Path(tempfile.mkdtemp(prefix=basename, dir=self._root))


def drawn(seed: int) -> tuple[str, ...]:
    """Return the names of definitions that kro accepts, as many as the tests type and none of those.

    Definitions that a program printed, with keys in alphabetical order, are left out, because nobody types them.
    """
    from tests.editors.test_typing import DEFINITIONS, text_of

    lines = (CONFORMANCE / "rgds.jsonl").read_text(encoding="utf-8").splitlines()
    accepted = sorted(Path(row["file"]).stem for row in map(json.loads, lines) if row["accepted"])
    texts = {name: text_of(name) for name in accepted if name not in DEFINITIONS}
    fitting = [
        name
        for name, text in texts.items()
        if SHORTEST <= len(text) <= LONGEST and text.lstrip("-\n").startswith(("apiVersion:", "#"))
    ]
    return tuple(random.Random(seed).sample(fitting, len(DEFINITIONS)))  # for measurements, not for secrets


def measure(*, quick: bool, seed: int | None = None) -> Iterator[Row]:
    """Yield the rows of the table; `seed` draws the definitions."""
    from tests.editors.test_typing import DEFINITIONS, text_of
    from tests.editors.typing.person import total, without_trailing_blanks

    if not CONFORMANCE.is_dir():
        return
    names = DEFINITIONS if seed is None else drawn(seed)
    names = names[:FEW] if quick else names
    texts = {name: text_of(name) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        for editor, typed in (("VS Code", _in_vs_code), ("Neovim", _in_neovim)):
            records = typed(texts, Path(folder))
            for name, record in zip(names, records, strict=True):
                print(f"{editor}: {name}: {record.summary(texts[name])}", file=sys.stderr)
            figures = dict(total(records))
            figures["texts that came out otherwise"] = sum(
                record.final != without_trailing_blanks(texts[name])
                for name, record in zip(names, records, strict=True)
            )
            for what, bar in (
                ("keys saved", SAVED),
                ("keys that did something unexpected", 0.0),
                ("texts that came out otherwise", 0.0),
                ("false errors", 0.0),
            ):
                value, is_share = figures[what], what == "keys saved"
                unit = "%" if is_share else ""
                yield Row(
                    "typing_in_editors", f"{editor}: {what}", unit, value, bar=bar, judged=value, at_least=is_share
                )
            for what in ("popups in 1,000 keys", "spaces of indentation by hand"):
                yield Row("typing_in_editors", f"{editor}: {what}", "", figures[what])


def _in_vs_code(texts: dict[str, str], folder: Path) -> list[Record]:
    from tests.editors.test_typing import OTHER_WORDS
    from tests.editors.typing.person import Person
    from tests.editors.typing.vscode_window import VSCodeWindow
    from tests.editors.vscode import Server, project

    folders, records = _Folders(folder), []
    server = Server(folders.mktemp("server"))
    with project(folders, {"other.yaml": OTHER_WORDS}, server, width=1180, height=720) as code:
        code.open(code.folder / "other.yaml")
        for name, text in texts.items():
            window = VSCodeWindow(code)
            window.new_file(code.folder / f"{name}.yaml")
            records.append(Person(window, text, KEYS_PER_SECOND).type_all())
            code.run("await vscode.commands.executeCommand('workbench.action.files.save');")
    return records


def _in_neovim(texts: dict[str, str], folder: Path) -> list[Record]:
    from tests.editors.test_neovim import NEWER
    from tests.editors.test_typing import NEOVIM_SETTINGS
    from tests.editors.typing.neovim_window import typed_in_neovim

    settings = folder / "init.lua"
    settings.write_text(NEOVIM_SETTINGS, encoding="utf-8")
    environment = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "LANG": "C.UTF-8"}

    def typed(item: tuple[str, str]) -> Record:
        name, text = item
        return typed_in_neovim(str(NEWER), settings, folder / name, environment, text, KEYS_PER_SECOND)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(typed, texts.items()))
