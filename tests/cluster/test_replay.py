"""Compares kro-ls with recorded answers of clusters. A list has the differences; it may only get shorter."""

from __future__ import annotations

import pytest

from tests.cluster.replay import Shares, gone, read_known, replay, surprises
from tests.paths import CLUSTER, CONFORMANCE

SHORTEN = "scripts/test-cluster --replay --accept shortens the list"


def test_the_recordings_agree_but_for_known_differences(capsys: pytest.CaptureFixture[str]) -> None:
    found = list(replay())
    shares = Shares()
    for each in found:
        shares.add(each)
    missing = [each.name for each in (CLUSTER, CONFORMANCE) if not each.is_dir()]
    with capsys.disabled():
        print("", *shares.lines(), *(f"not beside the checkout: {each}" for each in missing), sep="\n", end="")
    known = read_known()
    assert not surprises(found, known), "\n".join(surprises(found, known))
    assert not gone(found, known), "\n".join(["these agree by now", *gone(found, known), SHORTEN])
