"""What clusters said before: whatever kro-ls says otherwise stands in a list, which can only get shorter."""

from __future__ import annotations

import pytest

from tests.cluster.replay import Shares, gone, read_known, replay_shared, surprises
from tests.paths import CLUSTER, CONFORMANCE, needs_cluster, needs_conformance

SHORTEN = "scripts/test-cluster --replay --accept shortens the list"


@needs_cluster
@needs_conformance
def test_the_shared_recordings_agree_but_for_known_differences(capsys: pytest.CaptureFixture[str]) -> None:
    found = list(replay_shared(CLUSTER, CONFORMANCE))
    shares = Shares()
    for each in found:
        shares.add(each)
    with capsys.disabled():
        print("", *shares.lines(), sep="\n", end="")
    known = read_known()
    assert not surprises(found, known), "\n".join(surprises(found, known))
    assert not gone(found, known), "\n".join(["these agree by now", *gone(found, known), SHORTEN])
