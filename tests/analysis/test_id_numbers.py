"""Ids lead to the same numbers, whether they are carried through edits or looked up afresh."""

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.facts import FactTable, facts_of
from kro_ls.analysis.model.reading import read_resource_of
from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.yaml_positions.blocks import Blocks
from kro_ls.yaml_positions.chunks import parse_chunk

RESOURCES = [
    read_resource_of(parse_chunk(text), NEWEST_DIALECT)
    for text in ("- template: {}", *(f"- id: r{number}\n  template: {{}}" for number in range(150)))
]
FACTS = [facts_of(resource) for resource in RESOURCES if resource]
PLACE = st.integers(0, 1000)
"""In thousandths."""


@given(
    st.booleans(),
    st.permutations(range(len(FACTS))),
    st.lists(st.tuples(PLACE, PLACE, st.lists(st.sampled_from(FACTS), max_size=3)), max_size=6),
)
def test_numbers_are_those_of_the_first_with_an_id(unique, order, edits) -> None:  # type: ignore[no-untyped-def]
    table = FactTable(Blocks.of([FACTS[number] for number in order if number or not unique]))
    for one, other, new in [(0, 0, []), *edits]:
        start, end = (place * len(table.facts) // 1000 for place in sorted((one, other)))
        table = FactTable(table.facts.replaced(start, min(end, start + 3), new), table)
        expected: dict[str, int] = {}
        for number, facts in enumerate(table.facts):
            if facts.id is not None:
                expected.setdefault(facts.id, number)
        assert dict(table.numbers) == expected
        names = {f"r{number}" for number in range(150)}
        assert [*table.numbers] == [*expected]
        assert table.numbers.undeclared(frozenset(["nobody", *names])) == {"nobody", *names} - expected.keys()
        assert len(table.numbers) == len(expected)
        assert table.numbers.get("nobody") is None
        assert "nobody" not in table.numbers
        assert table.ids == Blocks.of([facts.id for facts in table.facts])
