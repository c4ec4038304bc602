"""Why a request gets no answer."""

from __future__ import annotations

from pygls.exceptions import JsonRpcContentModified


class NoAnswerError(Exception):
    """There is no answer to what is asked, or a parameter is wrong; the message says why, for people."""


class OvertakenError(JsonRpcContentModified):
    """A newer request, or an edit, took the place of this one; the client asks again if it still wants to know."""

    MESSAGE = "a newer request, or an edit, took the place of this one"
