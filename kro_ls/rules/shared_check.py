"""A check that several rules share: one walk finds what each of them reports."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.rules.rule import SchemaAs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.diagnostics import Finding, Part
    from kro_ls.rules.rule import Rule

CodedFinding: TypeAlias = "tuple[str, Finding]"
"""A finding with the code of the rule that reports it."""

PlacedFinding: TypeAlias = "tuple[Part, str, Finding]"
"""A finding with the part that its spans are in, and the code of its rule."""


class SharedCheck(Struct, frozen=True):
    """The checks of `rules` that have none of their own: as in a `Rule`, but each finding has its rule's code.

    What is found stands as long as it does for a rule.
    """

    rules: tuple[Rule, ...]
    check_resource: Callable[[Resource, Scope], Iterator[CodedFinding]] | None = None
    check_schema: Callable[[SchemaSection, Scope], Iterator[CodedFinding]] | None = None
    check_document: Callable[[RgdAnalysis], Iterator[PlacedFinding]] | None = None
    schema_as: SchemaAs = SchemaAs.PARTS

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its rules."""
        return tuple(rule.code for rule in self.rules)


def own_check(rule: Rule) -> SharedCheck:
    """Return the checks that a rule has of its own, in the form of those that rules share."""
    code, of_resource, of_schema, of_document = rule.code, rule.check_resource, rule.check_schema, rule.check_document
    return SharedCheck(
        (rule,),
        of_resource and (lambda resource, scope: zip(repeat(code), of_resource(resource, scope))),
        of_schema and (lambda section, scope: zip(repeat(code), of_schema(section, scope))),
        of_document and (lambda rgd: ((part, code, finding) for part, finding in of_document(rgd))),
        rule.schema_as,
    )
