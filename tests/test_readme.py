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

PAGES = [ROOT / "README.md", ROOT / "examples/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSIS = "..."  # a line of its own in a page: any lines


class Command(NamedTuple):
    page: str
    text: str
    output: str | None  # None where the page shows none


def is_safe(command: str) -> bool:
    """Whether a command only reads this checkout: ours, except for the one that does not end."""
    return command.startswith("kro-ls ") and not command.startswith("kro-ls serve") and "<" not in command


def commands() -> list[Command]:
    found = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
            if language == "sh":
                found += [Command(name, line, None) for line in block.splitlines()]
            else:
                for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                    text, _, output = part.partition("\n")
                    found.append(Command(name, text, output))
    return [command for command in found if is_safe(command.text)]


def test_the_pages_have_commands() -> None:
    assert any(command.output for command in commands())


@pytest.mark.parametrize("command", commands(), ids=lambda command: f"{command.page}: {command.text}")
def test_command(command: Command) -> None:
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "120",
    }
    run = subprocess.run(
        shlex.split(command.text), cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode in {0, 1}, run.stderr  # 1 says that there were findings
    assert "Traceback" not in run.stderr
    if command.output is not None:
        shown = [line.rstrip() for line in command.output.strip("\n").splitlines()]
        pattern = "\n".join("(?:.*\n)*?.*" if line == ELLIPSIS else re.escape(line) for line in shown)
        printed = "\n".join(line.rstrip() for line in run.stdout.strip("\n").splitlines())
        assert re.fullmatch(pattern, printed), printed
