"""The kinds of well-known projects: how many unknown kinds of published definitions they cover, and their cost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.connection import ROOT
from benchmarks.published import FOLDERS, PUBLISHED
from benchmarks.report import Row
from benchmarks.summary import median
from kro_ls.analysis.analysis import analyze
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex

RUNS, QUICK_RUNS = 15, 3
BAR = 5.0  # milliseconds more where no such kind is used
OFF = PackPolicy.of({"*": "off"})
OWN = "kro.run"
"""The API group of kinds that definitions declare."""

KINDS = ("Role", "Policy", "Group", "User", "OpenIDConnectProvider", "InstanceProfile", "ServiceLinkedRole")
OTHERS = (("s3", "Bucket"), ("sqs", "Queue"), ("sns", "Topic"))
ALL = [("v1", "ConfigMap"), *(("iam.services.k8s.aws/v1alpha1", kind) for kind in KINDS)]
ALL += [(f"{group}.services.k8s.aws/v1alpha1", kind) for group, kind in OTHERS]


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    for name, policy in (("without them", OFF), ("with them", PackPolicy())):
        index = load([], SchemaSettings(well_known=policy)).index
        known, resources, complete, definitions = _known(index)
        what = f"of {resources} resources of kinds that no definition declares, known {name}"
        yield Row("kinds", what, "%", 100 * known / resources)
        yield Row(
            "kinds", f"of {definitions} definitions, all such kinds known {name}", "%", 100 * complete / definitions
        )
    for number in (0, 1, 10):
        off, on = _seconds(number, QUICK_RUNS if quick else RUNS)
        what = f"check of a definition with {number} such kinds, processor time more than with --kinds off"
        more = 1000 * (on - off)
        yield Row("kinds", what, "ms", more, bar=None if number else BAR, judged=more, beside={"off": 1000 * off})


def _known(index: SchemaIndex) -> tuple[int, int, int, int]:
    """Return four numbers: resources of known kinds, resources, definitions with known kinds alone, definitions."""
    known = resources = complete = definitions = 0
    for folder in FOLDERS:
        for path in sorted((PUBLISHED / folder).glob("*.yaml")):
            for rgd in analyze(Text(path.read_text(encoding="utf-8")), index).rgds:
                kinds = [facts.kind for facts in rgd.table.facts if facts.kind and not facts.kind[0].startswith(OWN)]
                found = [index.find_api_version(*kind) is not None for kind in kinds]
                known, resources = known + sum(found), resources + len(found)
                complete, definitions = complete + all(found), definitions + 1
    return known, resources, complete, definitions


def _seconds(number: int, runs: int) -> tuple[float, float]:
    """Return the medians of the processor time of a check without these kinds, and with them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "app.yaml").write_text(_definition(number), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": folder}
        took: dict[str, list[float]] = {"off": [], "warn": []}
        for _ in range(runs + 1):  # the first fills caches
            for choice, found in took.items():
                command = [sys.executable, "-m", "kro_ls", "check", folder, "--kinds", choice, "-q"]
                before = _processor_time()
                subprocess.run(command, env=environment, capture_output=True, check=False)
                found.append(_processor_time() - before)
    return median(took["off"][1:]), median(took["warn"][1:])


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _definition(number: int) -> str:
    """Return a definition with so many resources of such kinds, or with kinds of Kubernetes."""
    lines = ["apiVersion: kro.run/v1alpha1", "kind: ResourceGraphDefinition", "metadata: {name: app}", "spec:"]
    lines += ["  schema: {apiVersion: v1, kind: App, spec: {name: string | required=true}}", "  resources:"]
    for place, (api_version, kind) in enumerate(ALL[1 : number + 1] or ALL[:1]):
        lines += [
            f"    - id: r{place}",
            "      template:",
            f"        apiVersion: {api_version}",
            f"        kind: {kind}",
        ]
        lines += ['        metadata: {name: "${schema.spec.name}"}']
    return "\n".join([*lines, ""])
