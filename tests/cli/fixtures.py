"""Definitions to check, and a runner that starts a true process."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from click.testing import Result

from tests.paths import ROOT

Invoke: TypeAlias = Callable[..., Result]

HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: {name}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string
  resources:
"""
CONFIG_MAP = """\
    - id: {id}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: {name}
"""


def rgd(*resources: tuple[str, str], name: str = "app") -> str:
    """Return a definition of config maps, each given by its id and the value of its name."""
    return HEAD.format(name=name) + "".join(CONFIG_MAP.format(id=each, name=value) for each, value in resources)


GOOD = rgd(("config", "${schema.metadata.name}"))
ERROR = rgd(("config", "${shema.spec.name}"))
WARNING = rgd(("config", "hello-${schema.spec.name"))
SILENCED_ERROR = rgd(("config", "${shema.spec.name} # kro-ls: ignore[unresolved-reference]"))
CYCLE = rgd(("first", "${second.metadata.name}"), ("second", "${first.metadata.name}"))


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a process that can import this checkout from any folder."""
    colourless = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "TERM"}}
    return {**colourless, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **variables}


def start(*arguments: str, folder: Path, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kro_ls", *arguments],
        cwd=folder,
        input=stdin,
        env=environment(**variables),
        capture_output=True,
        check=False,
        timeout=60,
    )


def start_on_terminal(*arguments: str, **variables: str) -> str:
    """Return what a command prints on a terminal."""
    controlling, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "kro_ls", *arguments], env=environment(**variables), stdout=terminal, stderr=terminal
    ) as process:
        os.close(terminal)
        printed = b""
        while chunk := _read(controlling):
            printed += chunk
        process.wait(60)
    os.close(controlling)
    return printed.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the process has ended
        return b""
