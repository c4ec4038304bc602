"""The versions of kro that can be asked."""

from __future__ import annotations

import os

import pytest

from tests.conformance.test_recorded import VERSIONS
from tests.oracle.oracle import ROOT


def can_be_had(version: str) -> bool:
    """Whether a version comes from the module proxy, or its repository is named."""
    return "KRO_REPOSITORY" in os.environ or not (ROOT / "tests" / "oracle" / version / "commit").exists()


@pytest.fixture(params=[each for each in VERSIONS if can_be_had(each)])
def version(request: pytest.FixtureRequest) -> str:
    """A version of kro whose oracle can be built."""
    return str(request.param)
