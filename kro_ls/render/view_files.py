"""The pictures' script, which `editors/views` is built into and the package carries."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "views"


class ViewsNotBuiltError(Exception):
    """This copy of kro-ls was made without the views; the message says how to get them."""


def view_script() -> bytes:
    """Return the script that draws the views in a browser. Raises ViewsNotBuiltError."""
    return _read("graph.js")


def node_script_path() -> Path:
    """Return the script that draws a graph as SVG in Node.js. Raises ViewsNotBuiltError."""
    _read("graph.js")
    return _FOLDER / "svg.cjs"


def _read(name: str) -> bytes:
    try:
        return (_FOLDER / name).read_bytes()
    except FileNotFoundError as error:
        raise ViewsNotBuiltError(
            "the pictures are not in this copy of kro-ls: install a released wheel, or, in a checkout with Node.js 20 "
            "or newer, run 'scripts/views build'"
        ) from error
