"""Imports and runs in idle time what the first open file and the first requests would otherwise wait for."""

from __future__ import annotations

import gc
import logging
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.background import start_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.server.connection.protocol import KroProtocol
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)

_DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: warm-up
spec:
  schema:
    apiVersion: v1alpha1
    kind: WarmUp
    spec:
      name: string | required=true
      replicas: integer | default=1
    status:
      ready: ${deployment.status.?readyReplicas.orValue(0)}
  resources:
    - id: deployment
      readyWhen:
        - ${deployment.status.conditions.exists(c, c.type == "Available" && c.status == "True")}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${schema.spec.name}-app
        spec:
          replicas: ${schema.spec.replicas}
          selector:
            matchLabels: {app: "${schema.spec.name}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${deployment.metadata.name}
"""


_DOCUMENT = {"uri": "file:///warm-up.yaml", "version": 1}
_POSITION = {"line": 0, "character": 0}
_RANGE = {"start": _POSITION, "end": _POSITION}
_AT_A_POSITION = {"textDocument": _DOCUMENT, "position": _POSITION}
_READ = {
    types.TEXT_DOCUMENT_DID_OPEN: {"textDocument": {**_DOCUMENT, "languageId": "yaml", "text": ""}},
    types.TEXT_DOCUMENT_DID_CHANGE: {"textDocument": _DOCUMENT, "contentChanges": [{"range": _RANGE, "text": ""}]},
    types.TEXT_DOCUMENT_COMPLETION: _AT_A_POSITION,
    types.TEXT_DOCUMENT_DEFINITION: _AT_A_POSITION,
    types.TEXT_DOCUMENT_HOVER: _AT_A_POSITION,
    types.TEXT_DOCUMENT_CODE_ACTION: {"textDocument": _DOCUMENT, "range": _RANGE, "context": {"diagnostics": []}},
}
"""Examples of the first messages: parameters by method."""


def _written() -> Iterator[object]:
    """Yield examples of the first answers."""
    place = types.Range(types.Position(0, 0), types.Position(0, 0))
    yield types.Hover(types.MarkupContent(types.MarkupKind.Markdown, ""), place)


def _open() -> Document:
    """Diagnose a definition, as when the first file is opened."""
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import PositionEncoding
    from kro_ls.yaml_positions.text import Text

    document = Document("file:///warm-up.yaml", None, Text(_DEFINITION), PositionEncoding.UTF16)
    _ = document.diagnosis
    return document


def _answer(document: Document) -> None:
    """Answer the usual first requests, which imports what features import lazily, such as CEL functions."""
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.completion.completion_list import completion
    from kro_ls.features.hover.hover import hover
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.workspace.instances import find_instance

    rgd = document.analysis.rgds[0]
    cursor = Cursor(document, _DEFINITION.index("schema.spec.name"))
    hover(cursor, make_preview(rgd, find_instance(rgd, document.uri, ())))
    completion(cursor, snippets=False)


def start_warming_up(protocol: KroProtocol) -> None:
    """Load features, rules and Kubernetes' kinds in a thread that never delays the end of the process."""
    start_thread("warm-up", lambda: _warm_up(protocol))


def _warm_up(protocol: KroProtocol) -> None:
    try:
        protocol.rehearse(_READ, _written())
        document = _open()
        features = import_module("kro_ls.features")
        for module in walk_packages(features.__path__, "kro_ls.features."):
            import_module(module.name)
        import_module("rapidfuzz.process")  # for misspelt names
        import_module("kro_ls.yaml_positions.parsing.repair")  # for damaged texts
        import_module("kro_ls.workspace.kind_making")  # for kinds that definitions declare
        _answer(document)
    except Exception:
        logger.exception("could not warm up; what was not loaded is loaded when it is needed")
    # All of this stays loaded, so garbage collection can skip it.
    gc.freeze()
