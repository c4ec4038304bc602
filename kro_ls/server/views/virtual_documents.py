"""The texts that commands return, which are virtual documents as well: the request, its URI, and the text."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, TypedDict

from msgspec import Struct
from msgspec.structs import astuple

from kro_ls.server.connection.protocol import SCHEME, NoAnswerError
from kro_ls.server.views.definitions import document_at

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.render.page_data import NodeState
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


class InstanceAnswer(TypedDict):
    """The instance that is used for a definition: its file, None for a sample, and its name for people."""

    uri: str | None
    label: str


class TextAnswer(TypedDict):
    """A text, and a file name for it."""

    text: str
    title: str


class PreviewAnswer(TextAnswer):
    """The text of a preview with its data; `docs/editor-commands.md` describes each member."""

    uri: str
    instance: InstanceAnswer
    state: str | None
    settled: bool | None
    refusals: list[str]
    errors: int
    nodes: list[NodeState]


_SUFFIXES = {"mermaid": "mmd", "table": "txt", "markdown": "md"}


class View(Struct, frozen=True):
    """A request: `preview`, `graph`, `crd` or `instance` of a definition, by its 0-based place in `uri`.

    `why` is about an instance, by its place.
    """

    name: str
    uri: str
    definition: int = 0
    format: str = "yaml"
    resource: str | None = None

    @property
    def title(self) -> str:
        """A file name for the text."""
        source = self.uri.rpartition("/")[2].removesuffix(".yaml").removesuffix(".yml")
        parts = [source, self.resource, self.name, _SUFFIXES.get(self.format, self.format)]
        return ".".join(part for part in parts if part)

    @property
    def virtual_uri(self) -> str:
        """The URI of the virtual document. It encodes the request in characters that no client rewrites."""
        encoded = base64.urlsafe_b64encode(json.dumps(astuple(self)).encode()).decode().rstrip("=")
        return f"{SCHEME}:/{encoded}/{self.title}"


def read_virtual_uri(uri: str) -> View:
    """Return the request in the URI of a virtual document. Raises NoAnswerError for other URIs."""
    from kro_ls.features.previews.views import FORMATS

    try:
        encoded = uri.removeprefix(f"{SCHEME}:").lstrip("/").partition("/")[0]
        match json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))):
            case [str(name), str(source), int(number), str(output_format), str() | None as resource]:
                if output_format in FORMATS.get(name, ()):
                    return View(name, source, number, output_format, resource)
    except ValueError:
        pass
    raise NoAnswerError(f"'{uri}' is not a virtual document of kro-ls")


async def render(server: KroLanguageServer, view: View) -> TextAnswer:
    """Return the text with all else that the command of that name returns. Raises NoAnswerError."""
    from kro_ls.features.previews import views
    from kro_ls.server.views.definitions import why_text_of

    if view.name == "why":
        return {"text": await why_text_of(server, view.uri, view.definition), "title": view.title}
    if view.name == "graph":
        await server.graphs.loaded()
    document, rgd = await _definition(server, view)
    if view.name == "preview":
        while (preview := await server.previews.preview(document, view.definition)) is None:
            asked_text = document.text
            document, rgd = await _definition(server, view)
            if document.text is asked_text or document.uri not in server.documents:
                raise NoAnswerError("there is no preview: it failed, as the server's log says")
        return _preview(document, view, preview)
    if view.name == "graph":
        return {"text": views.graph_text(rgd, view.format), "title": view.title}
    text = views.crd_text(rgd, view.format) if view.name == "crd" else views.instance_text(rgd)
    if text is None:
        raise NoAnswerError("the definition declares no kind that can be used: see its diagnostics")
    return {"text": text, "title": view.title}


async def _definition(server: KroLanguageServer, view: View) -> tuple[Document, RgdAnalysis]:
    """Return the newest version of a view's document, and the definition in it. Raises NoAnswerError."""
    document = await document_at(server, view.uri)
    if document is None:
        raise NoAnswerError(f"'{view.uri}' is neither open in the editor nor a file of the workspace; open it first")
    rgds = document.analysis.rgds
    if not 0 <= view.definition < len(rgds):
        raise NoAnswerError(f"'{view.uri}' has no definition with the number {view.definition}, it has {len(rgds)}")
    rgd = rgds[view.definition]
    if view.resource is not None and view.resource not in rgd.resources:
        raise NoAnswerError(f"no resource has the id '{view.resource}'; the resources are: {', '.join(rgd.resources)}")
    return document, rgd


def _preview(document: Document, view: View, preview: Preview) -> PreviewAnswer:
    from kro_ls.features.previews import views

    simulation = preview.simulation
    return {
        "text": views.preview_text(document, preview, view.format, view.resource),
        "title": view.title,
        "uri": view.virtual_uri,
        "instance": {"uri": preview.instance.uri, "label": preview.instance.label},
        "state": simulation.state.value if simulation else None,
        "settled": simulation.settled if simulation else None,
        "refusals": list(preview.refusals),
        "errors": len(preview.errors),
        "nodes": [each for each in views.nodes_of(preview) if view.resource in (None, each["id"])],
    }
