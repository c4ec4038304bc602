"""What a user can set about an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro.versions.dialect import features_of
from kro_ls.kro.versions.version import NEWEST, Version
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Severity
    from kro_ls.rules.rule import Rule


class Settings(Struct, frozen=True, dict=True):
    """Settings of an analysis, compared by value.

    `severities` gives rules another severity by code; None turns a rule off. `feature_gates` are the names
    of kro's gates that are on in the cluster (`kro.controller`), and `version` is kro's version there. `is_patch`:
    the file has parts of definitions, which Kustomize merges into whole ones.
    """

    severities: tuple[tuple[str, Severity | None], ...] = ()
    feature_gates: frozenset[str] = frozenset()
    version: Version = NEWEST
    is_patch: bool = False

    @cached_attribute
    def features(self) -> frozenset[str]:
        """What decides how a definition is read: the feature gates, and the differences of kro's version."""
        return self.feature_gates | features_of(self.version)

    def severity_of(self, rule: Rule) -> Severity | None:
        """Return the severity of a rule's findings; None if they are not reported."""
        return dict(self.severities).get(rule.code, rule.severity)
