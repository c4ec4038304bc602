"""`textDocument/signatureHelp`."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode

_OPTIONS = types.SignatureHelpOptions(trigger_characters=["(", ","])


def _signature_help(asked: Asked[types.SignatureHelpParams]) -> types.SignatureHelp | None:
    from kro_ls.features.hints.signature_help import signature_help

    label_offsets = asked.server.client_takes_label_offsets
    return signature_help(asked.cursor(asked.params.position), label_offsets=label_offsets)


REGISTERED = (DocumentRequest(types.TEXT_DOCUMENT_SIGNATURE_HELP, Mode.QUICK, _signature_help, _OPTIONS),)
