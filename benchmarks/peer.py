"""The same edits of the same texts in yaml-language-server, which reads YAML and knows nothing of kro or CEL.

It is installed from npm into .cache, and left out with a notice where there is no npm. Its schema store is turned off,
so it makes no requests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.connection import ROOT
from benchmarks.definitions import definition_of_lines
from benchmarks.editing import measure_kind
from benchmarks.edits import KINDS
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "yaml-language-server@1.25.0"
FOLDER = ROOT / ".cache" / "benchmarks" / "peer"
SERVER = FOLDER / "node_modules" / ".bin" / "yaml-language-server"
COMPARED = ("template value", "comment", "paste of a resource")
TIMES_AS_FAST = 40
"""The bar: so many times as fast as the other server."""
SETTINGS = {"yaml": {"schemaStore": {"enable": False}, "kubernetesCRDStore": {"enable": False}, "validate": True}}


def _is_installed() -> bool:
    """Install it unless it is there; return whether it is there then."""
    npm = shutil.which("npm")
    if not SERVER.exists() and npm and shutil.which("node"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(FOLDER), PACKAGE]
        subprocess.run(install, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return SERVER.exists()


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table: wall time and, in separate rows, processor time."""
    if not _is_installed():
        print("no yaml-language-server: install Node.js with npm to compare", file=sys.stderr)
        return
    for lines, edits in ((100, 3),) if quick else ((100, 10), (500, 10), (5000, 10)):
        with Client(KRO_LS) as ours, Client((str(SERVER), "--stdio")) as peer:
            for client in (ours, peer):
                client.initialize()
                client.notify("workspace/didChangeConfiguration", {"settings": {} if client is ours else SETTINGS})
                client.settle()
            for number, kind in enumerate(kind for kind in KINDS if kind.name in COMPARED):
                opened = definition_of_lines(lines, number)
                mine, other = (measure_kind(client, opened, kind, edits, 0) for client in (ours, peer))
                what = f"{lines:,} lines: {kind.name}"
                times, theirs = [each.complete for each in mine], median([each.complete for each in other])
                bar, beside = theirs / TIMES_AS_FAST, {"yaml-language-server": theirs}
                yield row_of("peer", what, times, bar=bar, judged=median(times), beside=beside)
                beside = {"yaml-language-server": median([each.cpu for each in other])}
                yield row_of("peer", f"{what}, processor time", [each.cpu for each in mine], beside=beside)
