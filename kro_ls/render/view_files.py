"""The scripts of the views, which are built from `editors/views` and shipped in the package."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path

_FOLDER = Path(__file__).parent / "views"


class ViewsNotBuiltError(Exception):
    """This copy of kro-ls was built without the views; the message says how to get them."""


def view_script(view: str) -> bytes:
    """Return a script for browsers: `graph` or `preview`, or the `editor` of the latter. Raises ViewsNotBuiltError."""
    return _read(f"{view}.js")


def skeleton(waiting: str) -> tuple[str, str]:
    """Return the style and the markup that a page shows until its script draws. Raises ViewsNotBuiltError."""
    markup = f'<div id="kro-skeleton" role="status"><span aria-hidden="true"></span>{escape(waiting)}</div>'
    return _read("skeleton.css").decode(), markup


def digest(source: str) -> str:
    """Return the source by which a content security policy allows one inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def node_script_path() -> Path:
    """Return the script that draws a graph as SVG in Node.js. Raises ViewsNotBuiltError."""
    _read("graph.js")
    return _FOLDER / "svg.cjs"


def _read(name: str) -> bytes:
    try:
        return (_FOLDER / name).read_bytes()
    except FileNotFoundError as error:
        raise ViewsNotBuiltError(
            "the pictures are not in this copy of kro-ls, because they could not be built when it was installed; "
            "install Node.js 20 or newer, then run 'pip install .' (or 'pipx install --force .') again in a clone of "
            "kro-ls, or 'scripts/views build' in a development checkout"
        ) from error
