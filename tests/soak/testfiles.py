"""Damaged test files: their faults are reported."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from kro_ls.runtime.testing.testrun import read_test_file
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text
from tests.soak.damage import damage_value, damaged
from tests.soak.subject import Subject
from tests.soak.texts import TEST_FILE

if TYPE_CHECKING:
    from random import Random

    from kro_ls.openapi.json_values import JsonValue


@cache
def _value() -> JsonValue:
    return parse_stream(Text(TEST_FILE)).documents[0].to_python()


def _make(random: Random) -> str:
    if random.random() < 0.5:
        return damaged(random, TEST_FILE)
    value = json.loads(json.dumps(_value()))
    for _ in range(random.randint(1, 3)):
        damage_value(random, value)
    return json.dumps(value)


def _run(text: str) -> int:
    for document in parse_stream(Text(text)).documents:
        try:
            file = read_test_file(document.to_python())
        except ExcessiveAliasingError:
            continue
        assert all(each.message for each in file.problems)
    return 1


TEST_FILES = Subject(_make, _run, share=20)
