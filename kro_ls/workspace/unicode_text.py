"""Names of files in texts that must be Unicode, as JSON, XML and the messages of LSP must."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_BYTES: Final = re.compile("[\udc80-\udcff]")
"""What Python has in the place of bytes that are not UTF-8 (PEP 383)."""


def unicode_text(text: Path | str) -> str:
    r"""Return a path, or a message about one, with `\xff` for a byte of a name that is not UTF-8."""
    return _BYTES.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", str(text))
