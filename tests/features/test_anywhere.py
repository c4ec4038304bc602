"""No text and no position makes a feature of expressions fail."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.completion.completion_list import completion, resolve
from kro_ls.features.hints.inlay_hints import inlay_hints
from kro_ls.features.hints.signature_help import signature_help
from kro_ls.features.hover.hover import hover
from kro_ls.features.settings import InlayHintSettings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.examples import FEW
from tests.fixtures.features import as_read
from tests.fixtures.language import URI

TEXT = rgd(
    """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: "${schema.spec.name + '-é'}", labels: {a: '${schema.spec.zones.map(z, z.trim()).join("-")}'}}
    spec:
      replicas: ${schema.spec.zones.filter(z, z.startsWith("a") && has(schema.spec.name)).size() + 1}
- id: pods
  forEach:
    - zone: ${schema.spec.zones}
  includeWhen:
    - ${schema.spec.level in ["low", 'high'] ? true : web.status.replicas == 1}
  readyWhen:
    - ${each.status.?phase.orValue("x") == "Running"}
  template:
    apiVersion: v1
    kind: Pod
    metadata:
      name: |-
        a-${cel.bind(first, pods[0], zone + web.metadata.labels["a"])
            .substring(1, lists.range(3)[1])}
""",
    spec='{name: string, zones: "[]string", level: "string | enum=\\"low,high\\""}',
    status="ready: ${web.status.replicas > 0}\nconditions:\n  - ${runtime.newCondition({type: 'A', status: 'True'})}",
)


def ask_everything(content: str, offset: int) -> None:
    document = Document(URI, 1, Text(content))
    cursor = Cursor(document, offset)
    for item in completion(cursor, snippets=True).items[:3]:
        resolve(as_read(item, types.CompletionItem), {URI: document})
    hover(cursor)
    signature_help(cursor, label_offsets=False)
    window = types.Range(types.Position(0, 0), types.Position(content.count("\n") + 1, 0))
    inlay_hints(document, window, InlayHintSettings())


@given(
    st.integers(0, len(TEXT)), st.integers(0, 12), st.sampled_from(["", ".", "(", '"', "'", "${", "}", "[", "\n", ","])
)
def test_an_edited_text(offset: int, removed: int, inserted: str) -> None:
    content = TEXT[:offset] + inserted + TEXT[offset + removed :]
    ask_everything(content, offset + len(inserted))


@FEW
@given(st.integers(0, len(TEXT)))
def test_a_text_that_ends_at_the_cursor(end: int) -> None:
    ask_everything(TEXT[:end], end)
