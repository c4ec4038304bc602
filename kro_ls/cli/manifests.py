"""Judges the objects in files as the API server would, for `kro-ls validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.cli.report import Checked, CheckedFile
from kro_ls.kro.forms import GROUP, KIND
from kro_ls.openapi.json_values import as_text
from kro_ls.openapi.kind_schema import Trust
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.objects.refusal import problems
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.resources.refused_object import RULE
from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.workspace.manifests_in_texts import Manifest, Name
    from kro_ls.yaml_positions.text import Text


class Verdicts(Struct):
    """A count of the objects in the files so far: those that were judged, and those that were not."""

    objects: int = 0
    definitions: int = 0
    """How many are ResourceGraphDefinitions, of which `kro-ls check` knows more."""
    unknown_kinds: set[str] = field(default_factory=set)

    def of_file(
        self, path: str, text: Text, objects: Iterable[Manifest], index: SchemaIndex, stored: Mapping[Name, JsonObject]
    ) -> CheckedFile:
        """Return a file with what the API server refuses of its objects; `stored` are those that are there."""
        found: list[Diagnostic] = []
        for each in objects:
            group, kind, _, _ = each.name
            if (group, kind) == (GROUP, KIND):
                self.definitions += 1
            elif group not in LOCAL_GROUPS:
                self.objects += 1
                found += self._of(each, index, stored.get(each.name))
        found.sort(key=lambda diagnostic: diagnostic.span.start)
        return CheckedFile(path, text, Checked(diagnostics=tuple(found)))

    def _of(self, manifest: Manifest, index: SchemaIndex, stored: JsonObject | None) -> Iterator[Diagnostic]:
        value = manifest.value
        for problem in problems(value, self._kind(manifest, index), rule_errors, stored):
            span = span_at(manifest.document, (*manifest.path, *problem.path), in_key=problem.in_key)
            yield Diagnostic(RULE.code, Severity.ERROR, span, problem.message, kro_message=problem.text)

    def _kind(self, manifest: Manifest, index: SchemaIndex) -> KindSchema | None:
        """Return the kind of an object, None where nobody has said that the cluster has it like this."""
        api_version = as_text(manifest.value.get("apiVersion"))
        group, _, version = api_version.rpartition("/")
        name = manifest.name[1]
        kind = index.find(group, version, name)
        if kind is not None and kind.trust is Trust.FULL:
            return kind
        self.unknown_kinds.add(f"{api_version} {name}")
        return None
