"""Writes the pages of the rules: `python -m kro_ls.cli.documentation docs/rules`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from kro_ls.rules.rule import Rule

_MEANINGS = {
    Severity.ERROR: "kro refuses the definition",
    Severity.WARNING: "kro accepts the definition, and it may fail or surprise later",
    Severity.INFORMATION: "for your information",
    Severity.HINT: "a hint",
}
_INDEX = """\
# Rules

Every diagnostic of kro-ls has one of these codes. An error means that kro would refuse the definition; what kro accepts
but may fail or surprise later is a warning or a hint. The severity of a rule can be changed with
`kro-ls check --severity CODE=SEVERITY` or in the editor's settings, and a comment `# kro-ls: ignore[CODE]` silences a
line. These pages are generated: `python -m kro_ls.cli.documentation docs/rules`.
"""


def page(rule: Rule) -> str:
    """Return the Markdown page of a rule."""
    return f"""\
# {rule.code}

{rule.summary}

Severity: {rule.severity} ({_MEANINGS[rule.severity]}){_since(rule)}

{rule.explanation.strip()}

## Wrong

```yaml
{rule.wrong.rstrip()}
```

## Right

```yaml
{rule.right.rstrip()}
```
"""


def _since(rule: Rule) -> str:
    first = rule.versions.since
    return f"\n\nSince kro {first.release}; older versions accept it." if first else ""


def index() -> str:
    """Return the Markdown page that lists the rules."""
    rows = [f"| [{rule.code}]({rule.code}.md) | {rule.severity} | {_cell(rule.summary)} |" for rule in RULES]
    return "\n".join([_INDEX, "| code | severity | summary |", "|---|---|---|", *rows]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    return {"README.md": index(), **{f"{rule.code}.md": page(rule) for rule in RULES}}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def command(folder: Path) -> None:
    """Write a page for each rule, and their index, into FOLDER; pages of rules that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for stale in folder.glob("*.md"):
        if stale.name not in wanted:
            stale.unlink()
    for name, content in wanted.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    command()
