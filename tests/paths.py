"""Where the tests find what they read."""

import os
from pathlib import Path

import pytest

from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.pack.reading import installed_pack

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
CONFORMANCE = ROOT.parent / "shared" / "conformance"
"""Recorded answers of real kro; a clone on its own does not have this folder."""

CLUSTER = ROOT.parent / "shared" / "cluster"
"""What a real cluster with real kro said."""

needs_cluster = pytest.mark.skipif(
    not CLUSTER.is_dir(), reason="the recordings of a cluster are not beside the checkout"
)
needs_conformance = pytest.mark.skipif(
    not CONFORMANCE.is_dir() and os.environ.get("CI") != "true",
    reason="the recorded answers of kro are not beside the checkout",
)
"""Marks what reads that folder; in CI nothing is skipped, and a missing folder fails."""

KINDS = ROOT.parent / "shared" / "kinds"
"""CustomResourceDefinitions of projects that RGDs use."""

needs_kinds = pytest.mark.skipif(
    not KINDS.is_dir() and os.environ.get("CI") != "true",
    reason="the definitions of well-known projects are not beside the checkout",
)

needs_pack = pytest.mark.skipif(
    installed_pack(kubernetes(), DEFAULT_POLICY) is None and os.environ.get("CI") != "true",
    reason="kro-ls is built without the kinds of well-known projects",
)
"""Marks what uses kinds that come with kro-ls; in CI nothing is skipped."""
