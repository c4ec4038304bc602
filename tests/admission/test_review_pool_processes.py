"""A process that reviews: what it is asked, and how it is ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kro_ls.admission.known_definitions import ReviewOptions
from kro_ls.admission.review_pool import EndedError, LateError, ReviewingProcess
from kro_ls.admission.webhook_server import stamps_of
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from tests.admission.test_reviewer import WEB, web
from tests.fixtures.webhook import review

BODY = json.dumps(review(web(name="much-too-long"))).encode()


@pytest.fixture
def process() -> Iterator[ReviewingProcess]:
    started = ReviewingProcess(ReviewOptions(DEFAULT_SETTINGS), {})
    try:
        started.wait_until_ready()
        yield started
    finally:
        started.end()


def test_it_reads_files_that_have_changed_since_it_was_asked(process: ReviewingProcess, tmp_path: Path) -> None:
    assert process.review(BODY, {}, 60).outcome == "not-concerned"
    (tmp_path / "web.yaml").write_text(WEB, encoding="utf-8")
    files = stamps_of([tmp_path])
    assert process.review(BODY, files, 60).outcome == "denied"
    (tmp_path / "web.yaml").unlink()
    assert process.review(BODY, stamps_of([tmp_path]), 60).outcome == "not-concerned"


def test_it_is_late_where_there_is_no_time(process: ReviewingProcess) -> None:
    with pytest.raises(LateError):
        process.review(BODY, {}, 0)


def test_one_that_has_ended_says_so() -> None:
    process = ReviewingProcess(ReviewOptions(DEFAULT_SETTINGS), {})
    process.wait_until_ready()
    process.end()
    with pytest.raises(EndedError):
        process.review(BODY, {}, 60)
