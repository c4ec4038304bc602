"""A test expects something else than its definition does now."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.files.failing_test import FailedExpectation, TestedDefinition, check_test_file, written_test
from kro_ls.workspace.file_schemas import schema_of_tests, value_by
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_found
from tests.fixtures.language import read_files

UNMET = FailedExpectation(("expect", "state"), "state is IN_PROGRESS")
"""What a run of the test found; `tests/workspace/test_tested.py` runs some."""


@pytest.mark.parametrize(
    "source",
    [
        """
definition: app.yaml
tests:
  - name: a
    expect:
      state: ACTIVE
      #      ^^^^^^ failing-test: state is IN_PROGRESS
  - name: b
    expect:
      state: ACTIVE
      #      ~~~~~~ failing-test
""",
        """
definition: app.yaml
tests:
  - name: a
    expect:
      state: ACTIVE
      #      ~~~~~~ failing-test
      nodes: {a: redy}
      #          ^^^^ invalid-file: did you mean 'ready'?
""",
    ],
)
def test_an_expectation_that_is_not_met(source: str) -> None:
    """Of a test in which something else is wrong, nothing is said."""
    (file,) = read_files(source)
    (document,) = parse_stream(Text(file.content)).documents
    tested = TestedDefinition("app.yaml", failures={written_test(document, ("tests", 0)): (UNMET,)})
    check_found(file, check_test_file(document, value_by, schema_of_tests(None), tested, DEFAULT_SETTINGS))
