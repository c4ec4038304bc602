"""The scripts of the views, and a graph as a picture: a page in one file that needs no network, and SVG.

The scripts are built from `editors/views` and shipped in the package.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.programs import find_program

if TYPE_CHECKING:
    from kro_ls.render.page_data import Graph


WAITING = "Drawing the graph…"
"""The text on a page until the picture is drawn."""

_FOLDER = Path(__file__).parent / "views"
_SVG_SECONDS = 120


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


def _read(name: str) -> bytes:
    try:
        return (_FOLDER / name).read_bytes()
    except FileNotFoundError as error:
        raise ViewsNotBuiltError(
            "the pictures are not in this copy of kro-ls, because they could not be built when it was installed; "
            "install Node.js 20 or newer, then run 'pip install .' (or 'pipx install --force .') again in a clone of "
            "kro-ls, or 'scripts/views build' in a development checkout"
        ) from error


class NoPictureError(Exception):
    """The picture cannot be drawn here; the message says what is missing."""


def page(title: str, graphs: list[Graph], texts: list[dict[str, str]], group_by: str) -> str:
    """Return the HTML of a page with some graphs and, for each, its `mermaid` and `dot` texts to export.

    `group_by` is the value of a GroupBy, `none`, or `auto` for groups where boxes would be too small to read.
    Its content security policy lets only the script run whose digest it names, and lets nothing be loaded.
    Raises ViewsNotBuiltError.
    """
    # No end tag and no comment that HTML would see may stand in a script.
    script = view_script("graph").decode().replace("</script", "<\\/script").replace("<!--", "<\\!--")
    found = {"graphs": graphs, "texts": texts, "groupBy": group_by}
    data = json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    style, waiting = skeleton(WAITING)
    policy = (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; worker-src blob:; "
        "img-src blob: data:; base-uri 'none'"
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{style}</style>\n</head>\n'
        f"<body>\n{waiting}\n"
        f'<script type="application/json" id="kro-data">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def svg(graph: Graph, group_by: str) -> str:
    """Return the picture as an SVG document; Node.js runs the script of the page. `group_by` is that of `page`.

    Raises NoPictureError and ViewsNotBuiltError.
    """
    _read("graph.js")  # which the script below runs
    node = find_program("node")
    if node is None:
        raise NoPictureError(
            "an SVG is drawn by Node.js 18 or newer, and there is no 'node' on the PATH; install it, or take "
            "'--format html', whose page draws the same picture in the browser and can export it"
        )
    try:
        done = subprocess.run(  # noqa: S603 # our own script, and a node that the user has
            [node, str(_FOLDER / "svg.cjs")],
            input=json.dumps({"graph": graph, "groupBy": group_by}).encode(),
            capture_output=True,
            check=False,
            timeout=_SVG_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise NoPictureError(f"Node.js did not draw the picture within {_SVG_SECONDS} seconds") from error
    if done.returncode:
        raise NoPictureError(f"Node.js could not draw the picture: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()
