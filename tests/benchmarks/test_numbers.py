"""How the benchmarks read the server's answers and what they make of their numbers; how long it takes is not tested."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from benchmarks.chart import log_log
from benchmarks.client import EMPTY_SERVER, Client
from benchmarks.documentation import BEGIN, END, curves, with_measured
from benchmarks.edits import Change
from benchmarks.process import cpu_seconds, is_runnable, resident_megabytes
from benchmarks.report import Row, row_of, table
from benchmarks.summary import fitted_exponent, percentile


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.0, 1.0)])
def test_percentile(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.0])
def test_the_fitted_exponent_is_that_of_the_curve(exponent: float) -> None:
    assert fitted_exponent([(x, 3 * x**exponent) for x in (100.0, 1000.0, 20000.0)]) == pytest.approx(exponent)


def test_the_client_gets_the_diagnostics_of_each_version() -> None:
    uri = "file:///test.yaml"
    with Client(EMPTY_SERVER) as client:
        client.initialize()
        client.open(uri, "a: 1\n")
        assert len(client.diagnostics(uri, 0).diagnostics) == 20
        sent = client.change(uri, 1, Change((0, 0), (0, 1), "b"))
        published = client.diagnostics(uri, 1, at_least=20)
        assert published.version == 1
        assert published.at > sent
        with pytest.raises(TimeoutError, match="no answer within 0 s"):
            client.diagnostics(uri, 2, patience=0.01)
        client.settle()
        assert client.cpu_seconds > 0


def test_a_server_that_ends_is_reported() -> None:
    with Client(("false",)) as client, pytest.raises(ConnectionError):
        client.initialize()


def test_processor_time_and_memory_of_a_process() -> None:
    before = cpu_seconds(os.getpid())
    assert sum(range(100_000)) > 0
    assert cpu_seconds(os.getpid()) > before > 0
    assert resident_megabytes(os.getpid()) > 1
    assert is_runnable(os.getpid())
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        while Path(f"/proc/{sleeper.pid}/comm").read_text() != "sleep\n" or is_runnable(sleeper.pid):
            time.sleep(0.01)
        assert cpu_seconds(sleeper.pid) < 1
        sleeper.kill()


def test_a_row_is_judged_by_its_95th_percentile_unless_told_otherwise() -> None:
    times = [1.0] * 9 + [30.0]
    assert row_of("a", "b", times, bar=20).verdict == "over"
    assert row_of("a", "b", times, bar=20, judged=1.0).verdict == "met"
    assert row_of("a", "b", times).verdict == ""
    assert Row("a", "b", "s", 5, bar=9, judged=5, limit=True).verdict == "over"


def test_the_table_shows_the_bar_beside_the_number() -> None:
    row = row_of("editing", "comment", [4.0, 4.0], bar=5, cpu_ms=[3.5], beside={"empty": 2.0})
    shown = table([row]).splitlines()
    assert shown[2] == "EDITING"
    assert shown[3].split() == "comment 4 ms 4 3.5 4 5 ms met empty 2 ms (x 2.0)".split()


@pytest.mark.parametrize(
    ("other", "shown"), [(1.0, "(x 4.0)"), (40.0, "(x 0.1)"), (41.0, "(1:10)"), (352.0, "(1:88)"), (0.0, "ms")]
)
def test_what_takes_many_times_as_long_is_reported_as_a_ratio(other: float, shown: str) -> None:
    assert row_of("peer", "comment", [4.0], beside={"other": other}).cells()[-1].endswith(shown)


def test_the_page_gets_the_numbers_and_keeps_what_is_around_them() -> None:
    page = f"# Title\n\n{BEGIN}\nold\n{END}\nrest\n"
    written = with_measured(page, "command\nmachine\ndate", [row_of("editing", "comment", [4.0], bar=5)])
    assert written.startswith(f"# Title\n\n{BEGIN}\n")
    assert "| comment | 4 ms | 4 |" in written
    assert "old" not in written
    assert written.endswith(f"{END}\nrest\n")
    with pytest.raises(ValueError, match="no place for the numbers"):
        with_measured("# Title\n", "", [])


def test_the_page_has_a_place_for_the_numbers() -> None:
    page = Path(__file__).parents[2] / "docs" / "performance.md"
    assert with_measured(page.read_text(encoding="utf-8"), "", [])


def test_the_chart_has_a_curve_for_each_kind_of_edit() -> None:
    rows = [
        Row("growth", f"{kind}, {size:,} resources", "ms", size / 10, size=size)
        for kind in "ab"
        for size in (100, 1000)
    ]
    assert curves(rows) == {"a": [(100, 10), (1000, 100)], "b": [(100, 10), (1000, 100)]}
    drawn = log_log(curves(rows), "resources", "milliseconds <")
    assert drawn.count("<polyline") == 2
    assert "milliseconds &lt;" in drawn
