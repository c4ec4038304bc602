"""The command that imports manifests into a definition: it edits the text so that their objects become resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from lsprotocol import types

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Command, definition_number, needed_text_of, refuse_others, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.repairs.imports import Import
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


class ImportAnswer(TypedDict):
    """The ids of the resources that the manifests became."""

    ids: list[str]


async def _import(server: KroLanguageServer, arguments: Mapping[str, object]) -> ImportAnswer:
    from kro_ls.features.convert import to_text_edit

    refuse_others(arguments, ("uri", "definition", "text", "manifests"))
    uri, number = needed_text_of(arguments, "uri"), definition_number(arguments)
    text = await _text(server, arguments)
    document = await server.slow_documents.newest(uri)
    if document is None or number >= len(document.analysis.rgds):
        raise NoAnswerError(f"'{uri}' is not open in the editor, or has no definition with the number {number}")
    made = await server.slow_documents.worked_out(document, lambda each: _made(each, number, text), about_all=True)
    if isinstance(made, str):
        raise NoAnswerError(made)
    if server.documents.get(uri) is not document:
        raise NoAnswerError("the text was changed meanwhile; try again")
    edit = types.WorkspaceEdit(changes={uri: [to_text_edit(document, made.replacement)]})
    await _apply(server, edit)
    return {"ids": list(made.ids)}


async def _apply(server: KroLanguageServer, edit: types.WorkspaceEdit) -> None:
    """Apply an edit through the client. Raises NoAnswerError if it refuses."""
    from pygls.exceptions import JsonRpcException

    asked = types.ApplyWorkspaceEditParams(edit, label="Import manifests")
    try:
        applied = await server.workspace_apply_edit_async(asked)
        reason = None if applied.applied else applied.failure_reason or "it says no reason"
    except JsonRpcException as error:
        reason = str(error.message)
    if reason is not None:
        raise NoAnswerError(f"the editor did not change the text: {reason}")


async def _text(server: KroLanguageServer, arguments: Mapping[str, object]) -> str:
    """Return the manifests, given as a text or as the URI of a document or of a file in the workspace."""
    text, manifests = text_of(arguments, "text"), text_of(arguments, "manifests")
    if (text is None) == (manifests is None):
        raise NoAnswerError("give the manifests as a 'text', or as 'manifests', the URI of a file with them")
    found = text if manifests is None else await server.previews.instances.text_of(manifests)
    if found is None:
        raise NoAnswerError(f"'{manifests}' is neither open nor a file in a folder of the workspace that can be read")
    return found


def _made(document: Document, number: int, text: str) -> Import | str:
    """Return the import of a text with manifests into a definition, or the reason why it is impossible."""
    from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
    from kro_ls.repairs.imports import import_manifests
    from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS, Broken, manifests_in
    from kro_ls.yaml_positions.text import Text

    objects = []
    for found in manifests_in(Text(text)):
        if isinstance(found, Broken):
            is_template = "{{" in text
            return "that is a template: let Helm render it first" if is_template else f"the manifests: {found.message}"
        if found.name[0] not in LOCAL_GROUPS:
            objects.append(found.value)
    try:
        return import_manifests(document, document.analysis.rgds[number], objects)
    except UnusableObjectsError as error:
        return str(error)


REGISTERED = (Command("kro.importManifests", _import),)
