"""Builds the programs of a control plane from Go modules, once for each version."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cluster.versions import (
    CACHE,
    KRO_CONTROLLER,
    KRO_DEFINITIONS,
    KUBERNETES_MODULE,
    PROGRAMS,
    ClusterError,
    Program,
)

GO = "1.26.0"
STAGING = re.compile(r"^\s*(?:replace )?(k8s\.io/[a-z0-9-]+) => \./staging/", re.MULTILINE)
GIT = "k8s.io/component-base/version.git"
ENVIRONMENT = {"GOFLAGS": "-p=2 -mod=mod -buildvcs=false", "CGO_ENABLED": "0"}


def build() -> None:
    """Build the missing programs.

    The first build takes about ten minutes on two cores, and 2 GB of memory. Go's build cache may then be deleted.
    """
    missing = [each for each in PROGRAMS if not each.path.is_file()]
    if not missing and KRO_DEFINITIONS.is_dir():
        return
    if shutil.which("go") is None:
        raise ClusterError(f"the cluster is built from Go modules: install Go {GO} or newer (https://go.dev/dl)")
    (CACHE / "bin").mkdir(parents=True, exist_ok=True)
    for program in missing:
        _build_program(program)
    if not KRO_DEFINITIONS.is_dir():
        _copy_definitions()


def _build_program(program: Program) -> None:
    print(f"building {program.name} {program.version}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=CACHE / "bin") as folder:
        _write_module(Path(folder), program)
        built = Path(folder) / program.name
        _go(Path(folder), "build", "-trimpath", f"-ldflags={_linked(program)}", "-o", str(built), program.package)
        built.replace(program.path)  # atomically: an interrupted build is repeated


def _linked(program: Program) -> str:
    """Return the flags of the linker: no symbols, and the version of Kubernetes, which its build must set."""
    if program.module != KUBERNETES_MODULE:
        return "-s -w"
    major, minor, _ = program.version.removeprefix("v").split(".")
    values = {"Version": program.version, "Major": major, "Minor": minor, "TreeState": "clean"}
    return " ".join(["-s -w", *(f"-X {GIT}{name}={value}" for name, value in values.items())])


def _copy_definitions() -> None:
    with tempfile.TemporaryDirectory(dir=CACHE / "bin") as folder:
        module = json.loads(_go(Path(folder), "mod", "download", "-json", _at_version(KRO_CONTROLLER)))
        definitions = Path(folder) / "crds"
        definitions.mkdir()
        for file in sorted((Path(module["Dir"]) / "helm" / "crds").glob("*.yaml")):
            (definitions / file.name).write_bytes(file.read_bytes())  # the module's files are read-only
        definitions.rename(KRO_DEFINITIONS)


def _write_module(folder: Path, program: Program) -> None:
    """Write a module that requires the program's module, so that Go selects the same versions as its authors."""
    lines = ["module kro-ls.test/cluster", f"go {GO}", f"require {program.module} {program.version}"]
    lines += [f"replace {module} => {module} {version}" for module, version in _staging(folder, program)]
    (folder / "go.mod").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _staging(folder: Path, program: Program) -> list[tuple[str, str]]:
    """Return the modules that Kubernetes replaces by folders of its repository, with their published versions."""
    if program.module != KUBERNETES_MODULE:
        return []
    described = json.loads(_go(folder, "mod", "download", "-json", _at_version(program)))
    requirements = Path(described["GoMod"]).read_text(encoding="utf-8")
    published = program.version.replace("v1.", "v0.", 1)
    return [(module, published) for module in STAGING.findall(requirements)]


def _at_version(program: Program) -> str:
    return f"{program.module}@{program.version}"


def _go(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        ["go", *arguments],
        cwd=folder,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if ran.returncode:
        raise ClusterError(f"go {arguments[0]} failed:\n{ran.stderr.strip()}")
    return ran.stdout
