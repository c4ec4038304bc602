"""The graph page: the layout of a large graph, and its first picture in a browser. It needs Node.js and Chromium."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from benchmarks.report import Row, row_of
from kro_ls.programs import find_program
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

RESOURCES = 130
BAR = 1_000.0
VIEWS = ROOT / "editors/views"
WHAT = {
    "groups": "layout as groups",
    "expanded": "layout with all groups expanded",
    "picture": "page opened to its first picture, 690x700",
}


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    node = find_program("node")
    if node is None:
        raise RuntimeError("no 'node' on the PATH")
    subprocess.run([node, "build.js", "--tests"], cwd=VIEWS, check=True, capture_output=True)
    command = [node, "out/test/pictures.js", str(RESOURCES), "2" if quick else "7"]
    found = json.loads(subprocess.run(command, cwd=VIEWS, check=True, capture_output=True).stdout)
    for name, what in WHAT.items():
        shown = f"{RESOURCES} resources, {what}"
        bar = BAR if name == "groups" else None
        yield row_of("graphs", shown, [each["wall"] for each in found[name]], bar=bar)
        yield row_of("graphs", f"{shown} (processor time)", [each["cpu"] for each in found[name]], bar=bar)
