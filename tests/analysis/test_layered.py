"""A dictionary in layers says what a plain one says."""

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis import layered
from kro_ls.analysis.layered import LayeredDict

NAMES = [f"n{number}" for number in range(40)]
CHANGES = st.lists(
    st.tuples(st.lists(st.sampled_from(NAMES), unique=True), st.dictionaries(st.sampled_from(NAMES), st.integers())),
    max_size=8,
)


@given(st.dictionaries(st.sampled_from(NAMES), st.integers()), CHANGES, st.integers(0, 30))
def test_it_is_as_a_plain_one(start, changes, most) -> None:  # type: ignore[no-untyped-def]
    before, layered._MOST_CHANGES = layered._MOST_CHANGES, most
    try:
        versions = [(LayeredDict(dict(start)), dict(start))]
        for gone, added in changes:
            found, plain = versions[-1]
            found, plain = found.without(gone), {name: value for name, value in plain.items() if name not in gone}
            for name, value in added.items():
                found[name] = plain[name] = value
            versions.append((found, plain))
        for found, plain in versions:  # the earlier ones, too, are as they were
            assert {name: found.get(name) for name in NAMES} == {name: plain.get(name) for name in NAMES}
            assert [name for name in NAMES if name in found] == [name for name in NAMES if name in plain]
            assert len(found) == len(plain)
            assert found.lacking(frozenset(NAMES)) == frozenset(NAMES) - plain.keys()
    finally:
        layered._MOST_CHANGES = before
