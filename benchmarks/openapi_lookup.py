"""First lookup of Deployment in a fresh process, size and memory of the bundled schemas, and reading of CRD files.

Run: python benchmarks/openapi_lookup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

DEFINITIONS = Path(__file__).parents[2] / "shared" / "conformance" / "crds"
RUNS = 15
LIMIT = 0.015

LOOKUP = """
import time, json, re, struct, zlib, dataclasses, functools, pathlib, typing
start = time.perf_counter()
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.kinds import GroupVersionKind
found = kubernetes().find(GroupVersionKind("apps", "v1", "Deployment"))
assert found is not None and found.plural == "deployments"
served = time.perf_counter()
assert found.schema["properties"]["spec"]["properties"]["template"]
print(served - start, time.perf_counter() - start)
"""


def measure_definitions(object_meta: JsonObject) -> None:
    """Print how long the CustomResourceDefinitions of the conformance data take, if they are there."""
    from kro_ls.openapi.sources.crds.source import CrdSource

    files = [(path.name, path.read_text(encoding="utf-8")) for path in sorted(DEFINITIONS.glob("*.yaml"))]
    if not files:
        print(f"no CustomResourceDefinitions at {DEFINITIONS}")
        return
    start = time.process_time()
    source = CrdSource(files, object_meta)
    read = time.process_time()
    source.with_file(files[0][0], files[0][1] + "# changed")
    changed = time.process_time()
    characters = sum(len(text) for _, text in files)
    print(
        f"{len(files)} CRD files of {characters / 1e6:.1f} million characters: {read - start:.2f} s of processor time"
    )
    print(f"one of them changed: {(changed - read) * 1e3:.0f} ms")


def main() -> None:
    """Print the numbers; fail when the first lookup is over its bar."""
    runs = []
    for _ in range(RUNS):
        finished = subprocess.run([sys.executable, "-c", LOOKUP], check=True, capture_output=True, text=True)
        runs.append([float(number) for number in finished.stdout.split()])
    found, resolved = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"fresh process with our imports: found in {found * 1e3:.1f} ms, whole schema in {resolved * 1e3:.1f} ms")

    from kro_ls.openapi.sources import bundled

    print(f"{bundled.DATA.name}: {bundled.DATA.stat().st_size} bytes for Kubernetes {', '.join(bundled.minors())}")
    tracemalloc.start()
    start = time.perf_counter()
    source = bundled.kubernetes()
    kinds = [source.find(name) for name in source.names()]
    sizes = sum(len(kind.schema) for kind in kinds if kind is not None)
    elapsed = time.perf_counter() - start
    memory = tracemalloc.get_traced_memory()[0]
    print(f"all {len(kinds)} kinds of {source.minor} resolved: {elapsed * 1e3:.0f} ms (traced), {memory / 1e6:.1f} MB")
    tracemalloc.stop()
    assert sizes
    measure_definitions(bundled.kubernetes().definition(bundled.OBJECT_META))
    if resolved > LIMIT:
        sys.exit(f"over the bar of {LIMIT * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
