"""One mistake in the indentation gives one diagnostic, and the text is refused whatever is left out."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.paths import EXAMPLES

DEPLOYMENT = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      labels:
        app: web
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata:
          labels: {app: web}
        spec:
          containers: [{name: web, image: nginx}]
"""


def reported(resources: str, settings: Settings = DEFAULT_SETTINGS) -> list[tuple[str, str]]:
    """Return the codes of the errors in a definition, each with the line that it marks."""
    text = rgd(resources)
    found = diagnose_text(Text(text), settings).diagnostics
    return [
        (each.code, text[text.rfind("\n", 0, each.span.start) + 1 :].partition("\n")[0].strip())
        for each in found
        if each.severity is Severity.ERROR
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("      labels:\n        app", "        labels:\n        app", ("yaml-syntax", "name: web")),
        ("      name: web\n", "    name: web\n", ("yaml-syntax", "labels:")),
        ("      name: web\n", "        name: web\n", ("yaml-syntax", "labels:")),
        ("    metadata:\n      name", "  metadata:\n      name", ("unknown-field", "metadata:")),
        ("        metadata:\n", "          metadata:\n", ("yaml-syntax", "spec:")),
        ("    apiVersion", "  apiVersion", ("yaml-syntax", "apiVersion: apps/v1")),
    ],
)
def test_a_line_in_the_wrong_column(old: str, new: str, expected: tuple[str, str]) -> None:
    assert DEPLOYMENT.count(old) == 1
    assert reported(DEPLOYMENT.replace(old, new)) == [expected]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("    spec:\n      selector", "      spec:\n      selector", ("unknown-template-field", "spec:")),
        ("        metadata:\n", "      metadata:\n", ("unknown-template-field", "metadata:")),
        (
            "      labels:\n        app: web\n",
            "      labels:\n      app: web\n",
            ("unknown-template-field", "app: web"),
        ),
        ("        spec:\n          con", "        spec:\n        con", ("unknown-template-field", "containers:")),
    ],
)
def test_fields_after_one_without_a_value_are_reported_once(old: str, new: str, expected: tuple[str, str]) -> None:
    assert DEPLOYMENT.count(old) == 1
    ((code, line),) = reported(DEPLOYMENT.replace(old, new))
    assert (code, line.partition(" [")[0]) == expected


def test_metadata_without_a_value_reports_the_fields_after_it() -> None:
    flat = DEPLOYMENT.replace("      name: web\n      labels:\n        app: web\n", "    name: web\n")
    assert reported(flat) == [("incomplete-object", "metadata:")]


def test_a_field_of_the_definition_without_a_value_reports_those_after_it() -> None:
    text = rgd(DEPLOYMENT).replace("metadata:\n  name: app\nspec", "metadata:\nname: app\nspec")
    found = [each.message for each in diagnose_text(Text(text)).diagnostics if each.severity is Severity.ERROR]
    assert found == ["'metadata' is empty; it needs 'name'"]


def test_unknown_fields_of_their_own_are_all_reported() -> None:
    several = DEPLOYMENT.replace("    spec:\n      selector", "    spec:\n      a: 1\n      b:\n      selector")
    assert reported(several) == [("unknown-template-field", "a: 1"), ("unknown-template-field", "b:")]


def test_what_stands_before_the_damage_is_reported_as_well() -> None:
    broken = DEPLOYMENT.replace("      name: web\n", "      nme: web\n      name: web\n").replace(
        "        metadata:\n", "          metadata:\n"
    )
    assert reported(broken) == [("unknown-template-field", "nme: web"), ("yaml-syntax", "spec:")]


def test_other_resources_are_checked_beside_a_broken_one() -> None:
    other = "- id: other\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {nme: a}}\n"
    broken = DEPLOYMENT.replace("      name: web\n", "    name: web\n") + other
    assert [code for code, _ in reported(broken)] == ["yaml-syntax", "unknown-template-field"]


def test_the_error_of_the_yaml_is_reported_where_nothing_else_is() -> None:
    misplaced = DEPLOYMENT.replace("    metadata:\n      name", "  metadata:\n      name")
    as_warning = Settings(severities=(("unknown-field", Severity.WARNING),))
    assert reported(misplaced, as_warning) == [("yaml-syntax", "spec:")]
    silenced = misplaced.replace("  metadata:\n      name", "  metadata: # kro-ls: ignore[unknown-field]\n      name")
    assert reported(silenced) == [("yaml-syntax", "spec:")]


def test_most_lines_of_an_example_give_one_diagnostic_in_a_wrong_column() -> None:
    lines = (EXAMPLES / "web-app.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
    counts = []
    for number, line in list(enumerate(lines))[::3]:
        for moved in (f"  {line}", line.removeprefix("  ")):
            found = diagnose_text(Text("".join([*lines[:number], moved, *lines[number + 1 :]]))).diagnostics
            if moved != line and found:
                counts.append(len(found))
    assert len(counts) > 60
    assert counts.count(1) / len(counts) > 0.75
