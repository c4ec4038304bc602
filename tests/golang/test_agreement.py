"""What Go answers: recorded for a clone without Go, and asked afresh where there is one."""

import json
from pathlib import Path

import pytest

from kro_ls.golang.re2.pattern_cache import pattern_error
from tests.golang.answers import answer, same
from tests.golang.go import SOURCES, ask, built, needs_go
from tests.golang.random_texts import FUNCTIONS, questions

RECORDED = Path(__file__).parent / "recorded"


def _differences(function: str, asked: list[list[str]], answered: list[object]) -> list[object]:
    return [
        (arguments, ours, go)
        for arguments, go in zip(asked, answered, strict=True)
        if not same(ours := answer(function, arguments), go)
    ]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_recorded_answers(function: str) -> None:
    lines = (RECORDED / f"{function}.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    asked, answered = zip(*map(json.loads, lines), strict=True)
    assert len(asked) >= 500
    assert _differences(function, list(asked), list(answered)) == []


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("oracle"))


@needs_go
@pytest.mark.parametrize("function", FUNCTIONS)
def test_fresh_answers(function: str, oracle: Path) -> None:
    asked = list(questions(function, seed=2026, count=500))
    assert _differences(function, asked, ask(oracle, function, asked)) == []


LARGE_PATTERNS = [
    *(f"{'(' * depth}{inner}{')' * depth}" for depth in (499, 500, 998, 999, 1000) for inner in ("a", "ab*", "a|bc")),
    *(f"{'(?:' * depth}a{')*' * depth}" for depth in (998, 999, 1000)),
    *("(?:" + "a*" * count + "){1000}" for count in (1118, 1119, 1676, 1677)),
    *(f"({'a{1000}' * count}){{1000}}" for count in (3, 4)),
]


@needs_go
def test_limits(oracle: Path) -> None:
    answers = ask(oracle, "regexp", [[pattern] for pattern in LARGE_PATTERNS])
    errors = [pattern_error(pattern) for pattern in LARGE_PATTERNS]
    assert [error and error.message for error in errors] == [each.get("error") for each in answers]
    assert {error.code for error in errors if error} >= {"expression nests too deeply", "expression too large"}


@needs_go
def test_unicode_tables_are_those_of_go(oracle: Path) -> None:
    import subprocess

    printed = subprocess.run([str(oracle), "tables"], capture_output=True, text=True, check=True).stdout
    assert printed == (SOURCES.parents[2] / "kro_ls" / "golang" / "unicode_tables.py").read_text(encoding="utf-8")
