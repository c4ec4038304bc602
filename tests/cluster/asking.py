"""Runs kro-ls as a user of a real cluster, which `scripts/test-cluster` names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.control_plane import ControlPlane

CLUSTER_NAME = "KRO_LS_TEST_CLUSTER"

NEEDS_CLUSTER = [
    pytest.mark.skipif(CLUSTER_NAME not in os.environ, reason="no cluster runs: scripts/test-cluster starts one"),
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kro-ls asks clusters through kubectl"),
]


class Asking:
    """Runs kro-ls with a user's kubeconfig and a separate store."""

    def __init__(self, folder: Path) -> None:
        self.cluster = ControlPlane(os.environ[CLUSTER_NAME])
        self.store = folder / "kro-ls" / "kinds"
        self._folder = folder

    def kinds(self, *arguments: str, user: str = "admin") -> tuple[int, str, str]:
        """Return the exit code and the output of `kro-ls kinds`."""
        return self.run("kinds", *arguments, user=user)

    def run(self, *arguments: str, user: str = "admin") -> tuple[int, str, str]:
        """Return the exit code and the output of `kro-ls`."""
        own = {
            "KUBECONFIG": str(self.cluster.certificates / f"{user}.kubeconfig"),
            "XDG_DATA_HOME": str(self._folder),
            "HOME": str(self._folder),
        }
        ran = subprocess.run(
            [sys.executable, "-m", "kro_ls", *arguments],
            env=os.environ | own,
            cwd=self._folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return ran.returncode, ran.stdout, ran.stderr
