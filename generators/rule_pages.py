"""The pages of the rules, and their index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.render.rule_page import index, page
from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "docs/rules"


def files(_root: Path) -> dict[str, str]:
    """Return every page by its path."""
    return {f"{FOLDER}/README.md": index(), **{f"{FOLDER}/{rule.code}.md": page(rule) for rule in RULES}}
