"""All stages of the pictures of the documentation."""

from __future__ import annotations

from tests.pictures import in_pages, in_terminals, in_vscode, in_vscode_shop

STAGES = (in_vscode.STAGE, in_vscode_shop.STAGE, in_pages.STAGE, in_terminals.STAGE)
