"""Writes a sample instance as YAML, with comments above the fields and optional fields as comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.printable import printable
from kro_ls.render.yaml_text import entry_lines, key_line
from kro_ls.runtime.values.sample_instance import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.sample_instance import SampleField


def instance_yaml(
    crd: dict[str, Any], demand: Demand | None = None, *, everything: bool = False, only_required: bool = False
) -> str:
    """Return the YAML of a sample instance of a CRD that kro generates; `demand` is what it must fulfil.

    Unless `everything` is set, fields that an instance can do without are commented out; with `only_required` they
    are left out.
    """
    made = sample(crd, demand, only_required=only_required)
    head = {name: value for name, value in made.instance.items() if name != "spec"}
    lines = [line for name, value in head.items() for line in entry_lines(name, value)]
    lines += _object_lines("spec", made.fields, everything=everything)
    return "".join(f"{line}\n" for line in lines)


def _object_lines(name: str, fields: tuple[SampleField, ...], *, everything: bool) -> Iterator[str]:
    """Yield an entry whose value is an object, `{}` if it has nothing but comments."""
    if any(everything or field.is_set for field in fields):
        yield key_line(name)
    else:
        yield from entry_lines(name, {})
    for field in fields:
        yield from (f"  {line}" for line in _field_lines(field, everything=everything))


def _field_lines(field: SampleField, *, everything: bool) -> Iterator[str]:
    yield from (f"# {printable(comment)}".rstrip() for comment in field.comments)
    if not everything and not field.is_set:
        yield from (f"# {line}" for line in entry_lines(field.name, field.whole))
    elif field.fields is None:
        yield from entry_lines(field.name, field.value)
    else:
        yield from _object_lines(field.name, field.fields, everything=everything)
