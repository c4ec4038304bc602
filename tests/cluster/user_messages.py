"""Prints the messages that users get for each recorded fault and each stuck instance, as two tables in Markdown.

`python -m tests.cluster.user_messages [FOLDER]`; the folder has the layout of `../shared/cluster`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT

CLUSTER = ROOT.parent / "shared/cluster"

_SHORT = 160
_AT_PLACE = re.compile(r"^\S+\.yaml:\d+:\d+: (.+)$", re.MULTILINE)


def main(folder: Path) -> None:
    """Print the tables."""
    faults = list(_faults(folder / "faults"))
    print("| fault | the cluster | check | preview |\n|---|---|---|---|")
    for name, cluster, check, preview in faults:
        print(f"| {name} | {_cell(cluster)} | {_cell(check)} | {_cell(preview)} |")
    for where, output in (("check", [row[2] for row in faults]), ("preview", [row[3] for row in faults])):
        print(f"\n{where} reports {sum(map(bool, output))} of {len(faults)}")
    print(f"\nchecked or previewed: {sum(bool(row[2] or row[3]) for row in faults)} of {len(faults)}\n")
    print("| stuck | the cause | why |\n|---|---|---|")
    for name, cause, why in _stuck(folder / "stuck"):
        print(f"| {name} | {_cell(cause)} | {_cell(why)} |")


def _faults(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield each fault: its name, its outcome, and the messages of `check` and `preview`, if any."""
    for case in sorted(folder.iterdir()):
        (said, *_) = json.loads((case / "kro.json").read_text())
        check = _ran("check", str(case / "rgd.yaml"), "--format", "json")
        reported = [each["message"] for each in json.loads(check.stdout) if each["severity"] in ("error", "warning")]
        preview = _ran("preview", str(case / "rgd.yaml"), "--instance", str(case / "instance.yaml"))
        shown = f"{preview.stdout}\n{preview.stderr}" if preview.returncode else ""
        places = _AT_PLACE.findall(shown) or shown.strip().splitlines()[:1]
        yield said["what"], ": ".join(said.get("real", [said["rgd"]])), "; ".join(reported), "; ".join(places)


def _stuck(folder: Path) -> Iterator[tuple[str, str, str]]:
    for case in sorted(folder.iterdir()):
        files = [str(path) for name in ("instance", "rgd", "children") if (path := case / f"{name}.yaml").exists()]
        causes = json.loads(_ran("why", *files, "--format", "json").stdout)["causes"]
        yield case.name, (case / "cause.txt").read_text(), "; ".join(each["message"] for each in causes[:1])


def _ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kro_ls", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _cell(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CLUSTER)
