"""The memory of patterns."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from kro_ls.golang.re2.pattern_cache import Patterns
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError


def test_a_pattern_is_compiled_once_and_dropped_when_others_need_the_room() -> None:
    patterns = Patterns(most=2_000)
    first = patterns.compiled("^a{1,100}$")
    assert patterns.compiled("^a{1,100}$") is first
    assert patterns.error("^a{1,100}$") is None
    for count in range(100):
        patterns.compiled(f"^b{{{count}}}").search("b" * 200)
        assert patterns.held <= 2_000
    assert patterns.compiled("^a{1,100}$") is not first


def test_what_matching_remembers_counts() -> None:
    patterns = Patterns(most=100_000)
    matcher = patterns.compiled("[a-z]+x")
    assert patterns.compiled("[a-z]+x") is matcher
    before = patterns.held
    assert not matcher.search("abcdefghij" * 100)
    assert patterns.compiled("[a-z]+x") is matcher
    assert patterns.held > before
    patterns.forget()
    assert patterns.held == 0


def test_a_matcher_forgets_its_states_when_they_become_many() -> None:
    matcher = Patterns(most=100).compiled("(?s)^(.{3})*x")
    text = "".join(map(chr, range(0x4E00, 0x9E00)))
    assert not matcher.search(text * 10)
    assert matcher.cached <= 200_000
    assert matcher.search(text[: len(text) // 3 * 3] + "x")


def test_a_refusal_that_is_kept_holds_no_frames() -> None:
    patterns = Patterns(most=1_000)
    with pytest.raises(PatternError):
        patterns.compiled("(")
    error = patterns.error("(")
    assert error is not None
    assert error.__traceback__ is None


def test_refusals_are_raised_each_time() -> None:
    patterns = Patterns(most=1_000)
    for _ in range(2):
        with pytest.raises(PatternError, match="missing closing"):
            patterns.compiled("(")
        with pytest.raises(UndecidedError, match="too large"):
            patterns.compiled("(.?){1000}" * 5)
    assert patterns.error("(.?){1000}" * 5) is None


def meanwhile(work: Callable[[], object]) -> None:
    """Let another thread work for a while before this one continues."""
    other = Thread(target=work, daemon=True)
    other.start()
    other.join(0.2)


def test_threads_give_different_classes_of_characters_different_numbers() -> None:
    matcher = Patterns(most=100).compiled("[ab]c")

    class Numbers(dict[Any, int]):
        def setdefault(self, key: Any, default: Any = None) -> Any:  # called with the number that is free now
            if not interrupted:
                interrupted.append(True)
                meanwhile(lambda: matcher.search("a"))
            return super().setdefault(key, default)

    interrupted: list[bool] = []
    matcher._class_numbers = Numbers(matcher._class_numbers)
    assert not matcher.search("c")
    assert matcher.search("ac")
    assert not matcher.search("cc")
    assert interrupted


def test_a_pattern_that_another_thread_drops_can_be_used() -> None:
    patterns = Patterns(most=100)

    class Kept(OrderedDict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            found = super().get(key, default)
            meanwhile(patterns.forget)
            return found

    patterns.compiled("a")
    patterns._kept = Kept(patterns._kept)
    assert patterns.compiled("a").search("a")
