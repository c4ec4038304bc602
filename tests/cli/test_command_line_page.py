"""docs/command-line.md says of options and exit codes what the commands' helps say."""

from __future__ import annotations

import re

import click
import pytest

from kro_ls.cli.main import cli
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
_CODE = re.compile(r"^ +(\d)  (.+)$", re.MULTILINE)


def _command(name: str) -> click.Command:
    """Return a command, or one of a group: `kinds add`."""
    command: click.Command | None = cli
    for word in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    return command


def _commands_of_groups() -> list[str]:
    groups = [
        (name, found)
        for name in cli.list_commands(click.Context(cli))
        if isinstance(found := _command(name), click.Group)
    ]
    return [f"{name} {each}" for name, group in groups for each in group.list_commands(click.Context(group))]


COMMANDS = [*cli.list_commands(click.Context(cli)), *_commands_of_groups()]


def _table(first_heading: str) -> list[list[str]]:
    """Return the cells of the rows of a table."""
    lines = iter(PAGE.splitlines())
    assert any(line.startswith(f"| {first_heading} |") for line in lines), first_heading
    assert next(lines).startswith("|---")
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        rows.append([cell.strip().replace("\\|", "|") for cell in cells])
    return rows


def _plain(text: str) -> str:
    return text.replace("`", "").replace("'", "")


def test_exit_codes() -> None:
    shown = {row[0].strip("`"): dict(zip("012", map(_plain, row[1:]), strict=True)) for row in _table("command")}
    in_helps = {name: _CODE.findall(_command(name).help or "") for name in COMMANDS}
    assert shown == {
        name: {code: _plain(meaning) for code, meaning in codes} for name, codes in in_helps.items() if codes
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_that_lists_exit_codes_lists_all(name: str) -> None:
    codes = [code for code, _ in _CODE.findall(_command(name).help or "")]
    assert codes in ([], ["0", "1", "2"])


def test_options_of_check() -> None:
    options = [each for each in _command("check").params if isinstance(each, click.Option)]
    expected = []
    for option in options:
        values = "|".join(option.type.choices) if isinstance(option.type, click.Choice) else option.metavar
        if values is None and not option.is_flag:
            values = option.type.name
        names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
        expected.append((f"{names} {values}" if values else names, _plain(" ".join((option.help or "").split()))))
    color = (
        "`--color` auto|always|never",
        "When to colour; auto is on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise.",
    )
    assert [(first, _plain(second)) for first, second in _table("option")] == [
        *(e for e in expected if "--color" not in e[0]),
        color,
    ]


def test_formats() -> None:
    option = next(each for each in _command("check").params if each.name == "output_format")
    assert isinstance(option.type, click.Choice)
    (rows,) = [_table("`--format` (or `--output-format`)")]
    assert [row[0].strip("`") for row in rows] == list(option.type.choices)
