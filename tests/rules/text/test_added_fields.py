"""The quick fixes that add missing fields."""

from __future__ import annotations

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text

HEAD = "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\n"
NAMED = HEAD + "metadata:\n  name: a\n"
SCHEMA = NAMED + "spec:\n  schema:\n    apiVersion: v1\n    kind: App\n  resources:\n"
TEMPLATE = "template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"


def with_all_fields(content: str) -> str:
    """Return the text after each missing field was added, one after the other, and check that kro takes the result."""
    for _ in range(6):
        text = Text(content)
        found = [each for each in diagnose_text(text).diagnostics if each.severity is Severity.ERROR]
        if not found:
            return content
        (fix,) = found[0].fixes
        assert fix.title.startswith("Add '"), fix
        content = edited(content, fix.replacements)
    raise AssertionError(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (HEAD, NAMED.replace(" a\n", " my-app\n") + "spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: MyApp\n"),
        (
            "kind: ResourceGraphDefinition\nmetadata: {}\nspec: {}",
            HEAD + "metadata: {name: my-app}\nspec: {schema: {apiVersion: v1alpha1, kind: MyApp}}",
        ),
        (NAMED + "spec:", NAMED + "spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: MyApp"),
        (NAMED + "spec: ~", NAMED + "spec: {schema: {apiVersion: v1alpha1, kind: MyApp}}"),
        (
            NAMED + "spec:\n  resources: []\n",
            NAMED + "spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: MyApp\n  resources: []\n",
        ),
        (
            NAMED + "spec:\n  schema:\n    group: a.b\n",
            NAMED + "spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: MyApp\n    group: a.b\n",
        ),
        (
            NAMED + "spec:\n  schema:\n    apiVersion: v1 # why\n",
            NAMED + "spec:\n  schema:\n    apiVersion: v1 # why\n    kind: MyApp\n",
        ),
        (
            NAMED + "spec:\n  schema:\n    apiVersion:\n    kind: App\n",
            NAMED + "spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: App\n",
        ),
        (NAMED + "spec: {schema: {kind: App}}\n", NAMED + "spec: {schema: {apiVersion: v1alpha1, kind: App}}\n"),
        (SCHEMA + "    - " + TEMPLATE, SCHEMA + "    - id: myResource\n      " + TEMPLATE),
        (
            SCHEMA + "    - id: a\n      externalRef:\n        kind: ConfigMap\n",
            SCHEMA + "    - id: a\n      externalRef:\n        apiVersion: v1\n        kind: ConfigMap\n"
            "        metadata:\n          name: my-app\n",
        ),
        (
            SCHEMA.replace("  resources:\n", "    additionalPrinterColumns:\n      - name: Age\n"),
            SCHEMA.replace(
                "  resources:\n",
                "    additionalPrinterColumns:\n      - name: Age\n"
                "        type: string\n        jsonPath: .spec.name\n",
            ),
        ),
    ],
)
def test_missing_fields_are_added_in_their_place(content: str, expected: str) -> None:
    assert with_all_fields(content) == expected
    assert with_all_fields(content.replace("\n", "\r\n")) == expected.replace("\n", "\r\n")
