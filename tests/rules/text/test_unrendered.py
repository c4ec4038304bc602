"""Definitions with the actions of Helm templates: one hint, and the errors that are certain anyway."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import Edited, analyze
from kro_ls.analysis.model.templates import masked
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose, diagnose_text
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Change, Text
from tests.fixtures.diagnostics import check_diagnostics

TEMPLATE = """\
{{- if .Values.enabled }}
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: {{ .Values.name }}
  labels:
    app: {{ .Chart.Name | quote }}
spec:
  schema:
    apiVersion: v1alpha1
    kind: {{ .Values.kind | default "App" }}
    spec:
      name: string | default="{{ .Values.name }}"
  resources:
    {{- with .Values.config }}
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name}
        data:
          count: "{{ .count }}"
    {{- else }}
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name}
    {{- end }}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${config.metadata.name}-{{ .Release.Name }}
        spec:
          ports:
            - port: {{ .Values.port }}
{{- end }}
"""


def found(text: str) -> list[tuple[str, str]]:
    return [(each.code, text[each.span.start : each.span.end]) for each in diagnose_text(Text(text)).diagnostics]


HINT = ("helm-template", "{{- if .Values.enabled }}")


def test_a_template_has_one_hint() -> None:
    assert found(TEMPLATE) == [HINT]


def test_the_rest_is_checked() -> None:
    text = TEMPLATE.replace("name: ${schema.spec.name}\n        data", "name: ${schema.spec.nam}\n        data", 1)
    assert found(text) == [HINT, ("undefined-field", "nam")]


@pytest.mark.parametrize("line", ['{{- include "app.fields" . | nindent 6 }}', "{{ .field }}: string"])
def test_what_an_action_may_add_is_not_missed(line: str) -> None:
    text = TEMPLATE.replace("      name: string", f"      {line}\n      name: string").replace(
        "spec.name}", "spec.more}"
    )
    assert found(text) == [HINT]


def test_actions_in_values_of_yaml_are_texts() -> None:
    text = TEMPLATE[TEMPLATE.index("apiVersion") : TEMPLATE.index("  resources:")]
    plain = text.replace("{{ .Values.name }}\n", "app\n").replace("{{ .Chart.Name | quote }}", "app")
    plain = plain.replace('{{ .Values.kind | default "App" }}', "App")
    assert "{{" in plain
    assert "helm-template" not in {code for code, _ in found(plain)}


def test_masked_texts_keep_their_lines() -> None:
    text = "a: {{ .x }}b\n{{- /* a\ncomment */ -}}\nc: '{{ .y }}'\n"
    content, actions = masked(text)
    assert content == "a: Xxxxxxxxb\n" + " " * 8 + "\n" + " " * 14 + "\nc: 'Xxxxxxxx'\n"
    assert [text[span.start : span.end][:2] for span in actions.spans] == ["{{"] * 3
    assert not actions.add_text


def test_an_edited_template_is_a_fresh_one() -> None:
    """Key by key, into a template and out of it again."""
    text = TEMPLATE.replace("{{- if .Values.enabled }}\n", "").replace("{{- end }}\n", "")
    analysis = analyze(Text(text))
    diagnosis = diagnose(analysis, DEFAULT_SETTINGS)
    at = text.index("    - id: service")
    typed = "{{- if a }}\n"
    edits = [(at + number, 0, key) for number, key in enumerate(typed)] + [(at, len(typed), "")]
    for start, removed, key in edits:
        text = text[:start] + key + text[start + removed :]
        analysis = analyze(Text(text), before=Edited(analysis, Change(start, start + removed, len(key))))
        diagnosis = diagnose(analysis, DEFAULT_SETTINGS)
        assert diagnosis.diagnostics == diagnose_text(Text(text)).diagnostics


def test_an_expression_that_is_a_map_is_not_an_action() -> None:
    text = "value: ${{'a': 1}}\nname: {{ .Values.name }}\n"
    assert masked(text)[0].splitlines()[0] == text.splitlines()[0]


HEAD = """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
#     ~~~~~~~~~~~~~~~~~~~~~~~ kustomize-patch
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
"""


def test_an_action_and_what_looks_like_one() -> None:
    check_diagnostics(
        f"""{HEAD}
      {{{{- if .Values.named }}}}
      ^^^^^^^^^^^^^^^^^^^^^^^ helm-template: Helm fills in
      name: string
      {{{{- end }}}}
"""
    )
    check_diagnostics(
        f"""{HEAD}
      name: string | default="{{{{ .Values.name }}}}"
      #                       ~~~~~~~~~~~~~~~~~~ helm-template
"""
    )


def test_a_patch() -> None:
    """Missing parts are not reported."""
    marked = "^^^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: Kustomize merges this patch into a definition"
    definition = HEAD.replace("~~~~~~~~~~~~~~~~~~~~~~~ kustomize-patch", marked)
    check_diagnostics(f"{definition}      name: strng\n", Settings(is_patch=True))
