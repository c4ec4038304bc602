"""The documents of a text that are not RGDs and have a known schema: instances, settings, tests, observed objects.

A client that shows a preview can edit what the cluster reports of a resource's objects. Such a document has no file.
Its URI names the kind of the objects, and its YAML has one document for each, without its identity:
`kro-observed:/apps/v1/Deployment/KEY/web.yaml`, where KEY is chosen by the client.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from msgspec import Struct

from kro_ls.analysis.analysis import default_schemas
from kro_ls.analysis.model.reading import is_rgd
from kro_ls.openapi.json_values import as_object
from kro_ls.rules.ignores import separate
from kro_ls.workspace.file_schemas import PROJECT_FILE, TEST_ENDINGS, schema_of_tests, value_by
from kro_ls.workspace.text_files import LARGEST_FILE, may_hold_instance
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import Choice, KindSchema
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text


class Described(Struct, frozen=True, eq=False):
    """A document and its schema. `kind` is that of an instance, None for a file of ours; `choice` has the definitions
    of the kind if there are several.

    With `is_observed` it is the state of an object in a cluster, which is checked as the API server checks it. `tested`
    is the definition that a test file is about.
    """

    document: YamlDocument
    schema: JsonObject
    kind: KindSchema | None = None
    choice: Choice | None = None
    is_observed: bool = False
    tested: TestedDefinition | None = None


def check_described(
    analysis: Analysis, described: tuple[Described, ...], settings: Settings
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the diagnostics of described documents in the order of the text, and those that comments silence."""
    from kro_ls.rules.files.failing_test import check_test_file
    from kro_ls.rules.files.instances import check_instance, unreadable
    from kro_ls.rules.files.invalid_file import check_file, check_observed

    found: list[Diagnostic] = []
    for each in described:
        if each.kind:
            found += check_instance(each.document, each.kind, settings, each.choice)
            if not analysis.stream.documents:  # else the diagnosis of the definition beside it has them
                found += unreadable(each.document, settings)
        elif each.is_observed:
            found += check_observed(each.document, each.schema, settings)
        elif each.tested:
            found += check_test_file(each.document, value_by, each.schema, each.tested, settings)
        else:
            found += check_file(each.document, value_by, each.schema, settings)
    found.sort(key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end))
    return separate(YamlStream(analysis.text, tuple(each.document for each in described)), found)


def described_documents(
    analysis: Analysis, uri: str, schemas: SchemaIndex | None, tested: tuple[TestedDefinition | None, ...] = ()
) -> tuple[Described, ...]:
    """Return the described documents of a text; large texts without RGDs are left out.

    `tested` are the definitions that the documents of a test file are about.
    """
    observed = observed_kind(uri)
    if observed is not None:
        schema = observed_schema(*observed, schemas or default_schemas())
        return tuple(Described(each, schema, is_observed=True) for each in parse_stream(analysis.text).documents)
    if uri.endswith(TEST_ENDINGS):
        return described_tests(analysis, tested)
    if uri.rpartition("/")[2] == PROJECT_FILE:
        from kro_ls.workspace.settings_schema import settings_schema

        return tuple(Described(each, settings_schema()) for each in parse_stream(analysis.text).documents)
    return tuple(_instances(analysis, schemas)) if schemas else ()


def described_tests(analysis: Analysis, tested: tuple[TestedDefinition | None, ...]) -> tuple[Described, ...]:
    """Return the described documents of a test file, whatever its name; `tested` are the definitions that they test."""
    documents = zip_longest(parse_stream(analysis.text).documents, tested)
    return tuple(_described_test(each, of) for each, of in documents if each and not _is_of_another_tool(each))


def _described_test(document: YamlDocument, tested: TestedDefinition | None) -> Described:
    nodes = tuple(tested.nodes) if tested and tested.nodes is not None else None
    return Described(document, schema_of_tests(nodes), tested=tested)


def described_instance(text: Text, kind: KindSchema) -> Described:
    """Return the first document of a text as an instance of a kind, whatever it says."""
    return Described(parse_stream(text).documents[0], kind.schema, kind)


def _is_of_another_tool(document: YamlDocument) -> bool:
    """Whether a document is an object of Kubernetes, as the tests of other tools are."""
    return field(document.frame.chunk.root, "apiVersion") is not None


def _instances(analysis: Analysis, schemas: SchemaIndex) -> Iterator[Described]:
    documents = analysis.stream.documents
    if not documents:
        content = analysis.text.content
        if len(content) > LARGEST_FILE or not may_hold_instance(content.encode("utf-8", "surrogatepass")):
            return
        documents = parse_stream(analysis.text).documents
    for document in documents:
        kind = None if is_rgd(document) else object_kind(document.frame.chunk.root, schemas)
        if kind and kind.is_generated:
            yield Described(document, kind.schema, kind, schemas.choice(kind.name))


def object_kind(node: Node | None, schemas: SchemaIndex) -> KindSchema | None:
    """Return the kind that a mapping names in `apiVersion` and `kind`, None where it is unknown."""
    api_version, kind = (text_of(field(node, name)) for name in ("apiVersion", "kind"))
    return schemas.find_api_version(api_version, kind) if api_version and kind else None


SCHEME: Final = "kro-observed"

_IDENTITY: Final = ("apiVersion", "kind", "metadata")
_STEPS_AFTER_KIND: Final = 2

_ANY_KIND: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "status": {
            "type": "object",
            "description": "What the controller of the kind reports.",
            "x-kubernetes-preserve-unknown-fields": True,
        },
    },
    "x-kubernetes-preserve-unknown-fields": True,
}
"""The schema of the state of an object whose kind is unknown."""


def observed_kind(uri: str) -> tuple[str, str] | None:
    """Return the `apiVersion` and the kind that a URI names, None for the URI of any other document."""
    scheme, _, path = uri.partition(":")
    *api_version, kind = unquote(path).strip("/").split("/")[:-_STEPS_AFTER_KIND] or [""]
    return ("/".join(api_version), kind) if scheme == SCHEME else None


def observed_schema(api_version: str, kind: str, schemas: SchemaIndex) -> JsonObject:
    """Return the schema of the state of an object: that of its kind without the identity."""
    found = schemas.find_api_version(api_version, kind)
    if found is None:
        return _ANY_KIND
    properties = as_object(found.schema.get("properties"))
    rest = {name: inner for name, inner in properties.items() if name not in _IDENTITY}
    return {**found.schema, "properties": rest, "required": []}
