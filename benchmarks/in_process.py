"""All that the benchmarks import of kro-ls; the rest of them use the protocol and the command line."""

from __future__ import annotations

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text


def messages(text: str) -> list[str]:
    """Analyse a text from scratch, and give the messages of its diagnostics."""
    return [diagnostic.message for diagnostic in diagnose_text(Text(text)).diagnostics]
