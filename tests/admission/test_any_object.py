"""Whatever an API server sends gets an answer that it understands, and none that kro-ls failed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.admission.known_definitions import ReviewOptions
from kro_ls.admission.reviewer import Reviewer
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from tests.admission.test_reviewer import WEB, value_of, web
from tests.fixtures.graphs import SHOP
from tests.fixtures.webhook import review

TEXTS = st.text(max_size=12) | st.sampled_from(
    ["${schema.spec.name}", "${", "a\n\n b ", "${service", "1", "null", "- a", "---"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values in a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in inside:
        yield (*path, step)
        yield from places(inner, (*path, step))


def changed(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """Return a copy with another value at a path."""
    result = deepcopy(value)
    *above, last = path
    holder = result
    for step in above:
        holder = holder[step]
    holder[last] = new
    return result


DEFINITIONS = [value_of(WEB), value_of(SHOP)]
PLACES = [(number, path) for number, value in enumerate(DEFINITIONS) for path in places(value)]


def check_answer(value: Any, old: Any, reviewer: Reviewer) -> None:
    reviewed = reviewer.review(json.dumps(review(value, old)).encode())
    if reviewed.status != 200:
        assert reviewed.outcome == "malformed"
        return
    assert reviewed.outcome != "failed", reviewed.body
    response = json.loads(reviewed.body)["response"]
    assert response["uid"] == "705ab4f5"
    assert response["allowed"] or response["status"]["message"]
    for warning in response.get("warnings", ()):
        assert warning.isprintable()
        assert len(warning.encode()) <= 256


ALONE = Reviewer(ReviewOptions(DEFAULT_SETTINGS), ())


@pytest.fixture(scope="module")
def knowing(tmp_path_factory: pytest.TempPathFactory) -> Reviewer:
    """A reviewer that knows the definition of Web."""
    file = tmp_path_factory.mktemp("web") / "web.yaml"
    file.write_text(WEB, encoding="utf-8")
    return Reviewer(ReviewOptions(DEFAULT_SETTINGS), [str(file)])


@settings(deadline=None, max_examples=150)
@given(place=st.sampled_from(PLACES), new=JSON)
def test_a_definition_with_anything_anywhere(place: tuple[int, tuple[str | int, ...]], new: Any) -> None:
    number, path = place
    definition = DEFINITIONS[number]
    broken = changed(definition, path, new)
    check_answer(broken, None, ALONE)
    check_answer(broken, {**definition, "status": {"state": "Active"}}, ALONE)


@settings(deadline=None, max_examples=100)
@given(spec=JSON, old=JSON, metadata=JSON)
def test_an_instance_with_anything(knowing: Reviewer, spec: Any, old: Any, metadata: Any) -> None:
    check_answer({**web(), "spec": spec}, {**web(), "spec": old}, knowing)
    check_answer({**web(name=old, port=spec), "metadata": metadata}, web(), knowing)


@settings(deadline=None, max_examples=100)
@given(value=JSON, old=JSON)
def test_any_value(value: Any, old: Any) -> None:
    check_answer(value, old, ALONE)


@settings(deadline=None, max_examples=100)
@given(body=st.binary(max_size=60) | st.builds(lambda each: json.dumps(each).encode(), JSON))
def test_any_body(body: bytes) -> None:
    assert ALONE.review(body).status in (200, 400)
