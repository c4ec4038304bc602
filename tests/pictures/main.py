"""Takes the pictures of the documentation: `scripts/pictures`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.editors.vscode import missing
from tests.paths import ROOT
from tests.pictures.camera import Camera, changed_words, path_of
from tests.pictures.stages import STAGES


def main() -> int:
    """Take the wanted pictures; return 1 if one of them could not be taken."""
    parser = argparse.ArgumentParser(prog="scripts/pictures", description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT, metavar="DIR", help="write them below this folder")
    parser.add_argument("--check", action="store_true", help="tell which kept pictures show other words, and keep them")
    parser.add_argument("--list", action="store_true", help="print the names and do nothing else")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="pictures whose names begin so; all of them by default"
    )
    options = parser.parse_args()
    beginnings = tuple(options.names) or ("",)
    wanted = frozenset(name for stage in STAGES for name in stage.names if name.startswith(beginnings))
    if not wanted:
        parser.error("no picture has such a name; --list prints all names")
    if options.list:
        print("\n".join(sorted(wanted)))
        return 0
    lack = missing() or (None if shutil.which("pngquant") else "no pngquant here; scripts/setup-editors installs it")
    if lack:
        parser.error(lack)

    with tempfile.TemporaryDirectory() as temporary:
        return take(wanted, Path(temporary) if options.check else options.into, check=options.check)


def take(wanted: frozenset[str], target: Path, *, check: bool) -> int:
    """Take pictures; return 1 if one could not be taken or, where they are checked, a kept one is old."""
    camera = Camera(target, wanted)
    for stage in STAGES:
        if wanted.isdisjoint(stage.names):
            continue
        started = time.monotonic()
        with camera.attempt():
            stage.play(camera)
        print(f"{', '.join(sorted(wanted & set(stage.names)))}: {time.monotonic() - started:.0f} s", flush=True)
    for name in sorted(wanted.intersection(camera.taken)):
        print(f"{(target / path_of(name)).stat().st_size:8} {path_of(name)}")
    failed = sorted(wanted.difference(camera.taken))
    if failed:
        print(f"not taken: {', '.join(failed)}", file=sys.stderr)
    changed = [line for name in camera.taken if check for line in changed_words(target, name)]
    print("\n".join(changed))
    return 1 if failed or changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
