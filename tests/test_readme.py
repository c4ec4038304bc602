"""The commands in README.md, in the pages of docs/ and of examples/ do what the pages say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.paths import ROOT

WALKS = [ROOT / "README.md", ROOT / "docs/getting-started.md"]
"""Pages whose commands are run one after the other, beginning in an empty folder: they use what they have made."""
PAGES = [ROOT / "examples/README.md", *sorted(set((ROOT / "docs").rglob("*.md")) - set(WALKS))]
"""Pages whose commands are run in the checkout, each by itself."""
EDITOR_PAGES = sorted((ROOT / "editors").glob("*/README.md"))
FENCE = re.compile(r"^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSIS = "..."  # a line of its own in a page: any lines

RUN_ELSEWHERE = {
    "scripts/demo": "scripts/test runs it",
    "scripts/test": "CI runs it",
    "pipx install .": "scripts/test-wheel installs a clean copy with pip",
}
"""What README tells people to run and these tests do not, with what runs it."""

NOT_PUBLISHED = re.compile(r"(?:pip|pipx|uv tool) install (?:--\S+ )*['\"]?kro-ls\b|marketplace\.visualstudio\.com")


class Command(NamedTuple):
    page: str
    text: str
    output: str | None  # None where the page shows none


def is_safe(command: str) -> bool:
    """Whether a command only reads this checkout: ours, except for the one that does not end."""
    return command.startswith("kro-ls ") and not command.startswith("kro-ls serve") and "<" not in command


def commands_of(page: Path) -> list[Command]:
    found = []
    name = str(page.relative_to(ROOT))
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "sh":
            found += [Command(name, line, None) for line in block.splitlines()]
        else:
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                text, _, output = part.partition("\n")
                found.append(Command(name, text, output or None))
    return found


def commands() -> list[Command]:
    return [command for page in PAGES for command in commands_of(page) if is_safe(command.text)]


def test_the_pages_have_commands() -> None:
    assert any(command.output for command in commands())


def check(command: Command, folder: Path) -> None:
    """Run a command in a folder and compare what it prints with the page."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "120",
    }
    run = subprocess.run(
        shlex.split(command.text), cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode in {0, 1}, run.stderr  # 1 says that there were findings
    assert "Traceback" not in run.stderr
    if command.output is not None:
        shown = [line.rstrip() for line in command.output.strip("\n").splitlines()]
        pattern = "\n".join("(?:.*\n)*?.*" if line == ELLIPSIS else re.escape(line) for line in shown)
        printed = "\n".join(line.rstrip() for line in run.stdout.strip("\n").splitlines())
        assert re.fullmatch(pattern, printed), f"{command.text}\n{printed}\n{run.stderr}"


@pytest.mark.parametrize("command", commands(), ids=lambda command: f"{command.page}: {command.text}")
def test_command(command: Command) -> None:
    check(command, ROOT)


@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.name)
def test_a_page_is_followed_from_its_beginning(page: Path, tmp_path: Path) -> None:
    """Every command of it is run here, or is known to be run elsewhere."""
    folder = tmp_path
    followed = 0
    for command in commands_of(page):
        if command.text.startswith("cd "):
            folder /= command.text.removeprefix("cd ")
            assert folder.is_dir()
        elif command.text not in RUN_ELSEWHERE:
            assert is_safe(command.text), command.text
            check(command, folder)
            followed += 1
    assert followed >= 3


def test_what_the_tutorial_adds_is_accepted(tmp_path: Path) -> None:
    """The resource that a person types in its sixth part, at the end of the example."""
    program = [sys.executable, "-m", "kro_ls"]
    subprocess.run([*program, "example", str(tmp_path)], check=True, capture_output=True, timeout=60)
    page = (ROOT / "docs/getting-started.md").read_text(encoding="utf-8")
    [added] = re.findall(r"^```yaml\n(    - id: settings\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    definition = tmp_path / "web-app.yaml"
    lines = [line.strip() for line in definition.read_text(encoding="utf-8").splitlines()]
    assert lines[37].startswith("image:")  # "in line 38"
    assert lines[49].startswith("name:")  # "in line 50"
    definition.write_text(definition.read_text(encoding="utf-8") + added, encoding="utf-8")
    shown = subprocess.run(
        [*program, "preview", str(definition), "--instance", str(tmp_path / "shop.yaml")],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert re.search(r"^settings +ConfigMap +ready +1$", shown.stdout, re.MULTILINE), shown.stdout + shown.stderr
    assert "name: shop-settings" in shown.stdout


@pytest.mark.parametrize("page", [*WALKS, *PAGES, *EDITOR_PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_pretends_that_something_is_published(page: Path) -> None:
    assert NOT_PUBLISHED.findall(page.read_text(encoding="utf-8")) == []


def test_the_first_screen_comes_before_the_rest() -> None:
    """A picture for light and for dark, the two commands, and how to install from a clone, in the first fifty lines."""
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:50])
    pictures = re.findall(r'(?:src|srcset)="([^"]+)"', first)
    assert len(pictures) == 2
    assert all((ROOT / picture).is_file() for picture in pictures)
    places = [first.index(each) for each in ("<picture>", "scripts/demo", "scripts/test", "\npipx install .\n")]
    assert places == sorted(places)


@pytest.mark.parametrize("page", [*WALKS, *PAGES, *EDITOR_PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_of_a_page_lead_to_files(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"', text)
    for target in (link or picture for link, picture in targets):
        file = (page.parent / target.partition("#")[0]).resolve()
        # The tests of the wheel have a checkout without the package.
        if not target.startswith(("http:", "https:", "#")) and not file.is_relative_to(ROOT / "kro_ls"):
            assert file.exists(), target
