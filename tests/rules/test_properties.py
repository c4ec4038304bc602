"""Whatever is typed: nothing raises, and every diagnostic and fix stays inside the text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.registry import RULES
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

_TEXTS = [rgd_around(example) for rule in RULES for example in (rule.wrong, rule.right)]
_INSERTS = st.sampled_from(
    ["", "$", "${", "}", "{", "[", "- ", ": ", "\n", "\t", '"', "'", "|", "&a ", "*a", "<<", "𝒳", "#", "null"]
)


@st.composite
def edited_texts(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(_TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(_INSERTS) + text[end:]
    return text


_DAMAGED = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: example}
spec:
  schema: {apiVersion: v1alpha1, kind: Example}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        m
etadata:
         ${ ${schema.metadata.name}
        data: {}
"""


@example(_DAMAGED)
@given(edited_texts())
def test_any_edit_gives_diagnostics_inside_the_text(content: str) -> None:
    for diagnostic in diagnose_text(Text(content)).diagnostics:
        spans = [diagnostic.span, *(related.span for related in diagnostic.related)]
        for fix in diagnostic.fixes:
            replaced = sorted((each.span.start, each.span.end) for each in fix.replacements)
            assert replaced
            assert all(left[1] <= right[0] for left, right in pairwise(replaced))
            spans += [each.span for each in fix.replacements]
        assert all(0 <= span.start <= span.end <= len(content) for span in spans)
        assert diagnostic.message
