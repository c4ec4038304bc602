"""First lookup of Deployment in a fresh process, size of the bundled file, and memory of all kinds of one minor.

Run: python benchmarks/openapi_lookup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import tracemalloc

RUNS = 15
LIMIT = 0.015

LOOKUP = """
import time, json, re, struct, zlib, dataclasses, functools, pathlib, typing
start = time.perf_counter()
from kro_ls.openapi.bundled import kubernetes
from kro_ls.openapi.kinds import GroupVersionKind
found = kubernetes().find(GroupVersionKind("apps", "v1", "Deployment"))
assert found is not None and found.plural == "deployments"
served = time.perf_counter()
assert found.schema["properties"]["spec"]["properties"]["template"]
print(served - start, time.perf_counter() - start)
"""


def main() -> None:
    """Print the numbers; fail when the first lookup is over its bar."""
    runs = []
    for _ in range(RUNS):
        finished = subprocess.run([sys.executable, "-c", LOOKUP], check=True, capture_output=True, text=True)
        runs.append([float(number) for number in finished.stdout.split()])
    found, resolved = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"fresh process with our imports: found in {found * 1e3:.1f} ms, whole schema in {resolved * 1e3:.1f} ms")

    from kro_ls.openapi import bundled

    print(f"{bundled.DATA.name}: {bundled.DATA.stat().st_size} bytes for Kubernetes {', '.join(bundled.minors())}")
    tracemalloc.start()
    start = time.perf_counter()
    source = bundled.kubernetes()
    kinds = [source.find(name) for name in source.names()]
    sizes = sum(len(kind.schema) for kind in kinds if kind is not None)
    elapsed = time.perf_counter() - start
    memory = tracemalloc.get_traced_memory()[0]
    print(f"all {len(kinds)} kinds of {source.minor} resolved: {elapsed * 1e3:.0f} ms (traced), {memory / 1e6:.1f} MB")
    assert sizes
    if resolved > LIMIT:
        sys.exit(f"over the bar of {LIMIT * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
