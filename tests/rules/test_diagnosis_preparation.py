"""A large text diagnosed in steps: the first screen is reported first, and the final result is the same."""

from __future__ import annotations

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, Diagnosis, diagnose_text, prepare
from kro_ls.yaml_positions.text import Text

_HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: large}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Large
    status:
      late: ${config99.metadata.name}
  resources:
"""


def _resource(number: int, data: str) -> str:
    return f"""\
    - id: config{number}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {{name: config-{number}}}
        data: {{value: "{data}"}}
"""


def _codes(text: str) -> list[list[tuple[str, int]]]:
    steps = prepare(Text(text), DEFAULT_SETTINGS, None)
    shown = [step for step in steps if isinstance(step, Diagnosis)]
    return [[(each.code, text.count("\n", 0, each.span.start)) for each in step.diagnostics] for step in shown]


def _large(data: dict[int, str]) -> str:
    return _HEAD + "".join(_resource(number, data.get(number, "plain")) for number in range(100))


def _line(number: int) -> int:
    return _HEAD.count("\n") + 6 * number + 5


def test_the_first_screen_is_reported_first() -> None:
    text = _large({3: "${config2.metadata.nothing}", 80: "${config2.metadata.nothing}"})
    first, last = _codes(text)
    assert first == [("undefined-field", _line(3))]
    assert last == [("undefined-field", _line(3)), ("undefined-field", _line(80))]


def test_what_may_be_declared_further_down_is_not_reported_first() -> None:
    first, last = _codes(_large({3: "${config90.metadata.name}", 4: "${nowhere.metadata.name}"}))
    assert first == []
    assert last == [("unresolved-reference", _line(4))]


def test_the_last_diagnosis_is_that_of_the_whole_text() -> None:
    text = _large({3: "${config2.metadata.nothing}", 60: "${config60.metadata.name}", 61: "${"})
    *_, last = [step for step in prepare(Text(text), DEFAULT_SETTINGS, None) if isinstance(step, Diagnosis)]
    assert last.diagnostics == diagnose_text(Text(text)).diagnostics
