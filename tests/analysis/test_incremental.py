"""An analysis is a value: after any edits it is what the same text gives when nothing is remembered."""

from __future__ import annotations

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.analysis.types.checking import check_part
from kro_ls.cursor.parts import parts
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.paths import EXAMPLES

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))]

edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 30),
        st.sampled_from(["", "x", "${", "}", "\n", "\n    - id: added\n", ": ", '"', "schema.spec.", "  "]),
    ),
    min_size=1,
    max_size=4,
)


def forget_everything() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("kro_ls.") and not name.startswith("kro_ls.openapi"):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()


def outcome(diagnosis: Diagnosis) -> object:
    """Return all that a diagnosis tells, without the objects that are compared by identity."""
    return (
        diagnosis.diagnostics,
        diagnosis.silenced,
        [(rgd.graph, list(rgd.resources)) for rgd in diagnosis.analysis.rgds],
        [
            [
                (checked.expression.text, str(checked.result.type), str(checked.expected))
                for part in parts(rgd)
                for scope in [rgd.surroundings.scope(part.part)]
                for checked in check_part(part.part, scope.bindings, scope.kind)
            ]
            for rgd in diagnosis.analysis.rgds
        ],
    )


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(TEXTS), edits)
def test_an_edited_text_is_analysed_as_if_it_were_new(source: str, changes: list[tuple[float, int, str]]) -> None:
    text = Text(source)
    diagnose_text(text)
    for where, removed, inserted in changes:
        start = int(where * len(text.content))
        text = text.replace(start, min(start + removed, len(text.content)), inserted)
        warm = outcome(diagnose_text(text))
    forget_everything()
    assert outcome(diagnose_text(Text(text.content))) == warm
