"""The versions of kro that can be asked."""

from __future__ import annotations

import subprocess

import pytest

from tests.conformance.test_recorded import VERSIONS
from tests.oracle.oracle import OUT_OF_REACH, ROOT


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """A version of kro whose oracle is built; skipped where the repository that it comes from does not answer."""
    named = str(request.param)
    if (ROOT / "tests" / "oracle" / named / "commit").exists():
        built = subprocess.run([str(ROOT / "scripts" / "oracle"), named, "--build"], check=False)
        if built.returncode == OUT_OF_REACH:
            pytest.skip(f"the repository that kro {named} comes from does not answer: name a mirror in KRO_REPOSITORY")
    return named
