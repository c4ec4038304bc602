"""An analysis is a value: after any edits it is what the same text gives when nothing is remembered."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.analysis.locate import parts
from kro_ls.analysis.types.checking import check_part
from kro_ls.yaml_positions.text import Text

EXAMPLES = [
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
]

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


def outcome(analysis: Analysis) -> object:
    """Return all that an analysis tells, without the objects that are compared by identity."""
    return (
        analysis.diagnostics,
        analysis.silenced,
        [(rgd.graph, list(rgd.resources)) for rgd in analysis.rgds],
        [
            [
                (checked.expression.text, str(checked.result.type), str(checked.expected))
                for part in parts(rgd)
                for scope in [rgd.surroundings.scope(part.part)]
                for checked in check_part(part.part, scope.bindings, scope.kind)
            ]
            for rgd in analysis.rgds
        ],
    )


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(EXAMPLES), edits)
def test_an_edited_text_is_analysed_as_if_it_were_new(source: str, changes: list[tuple[float, int, str]]) -> None:
    text = Text(source)
    analyze(text)
    for where, removed, inserted in changes:
        start = int(where * len(text.content))
        text = text.replace(start, min(start + removed, len(text.content)), inserted)
        warm = outcome(analyze(text))
    forget_everything()
    assert outcome(analyze(Text(text.content))) == warm
