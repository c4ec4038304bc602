"""The page that teaches the language to assistants; `kro-ls mcp` offers the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.agents.language_page import language_page

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/assistants.md"


def files(_root: Path) -> dict[str, str]:
    """Return the page by its path."""
    return {PAGE: language_page()}
