"""A web server for this computer alone, and there for browsers with a token.

It listens on 127.0.0.1. A page is opened by a URL with a token that is valid for one visit within some minutes; it sets
a cookie, which all other requests need. `Host` must be the server's own address (against DNS rebinding), and so must
the `Origin` of a WebSocket (against other sites).
"""

from __future__ import annotations

import logging
import secrets
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Origin

from kro_ls.render.pictures import digest
from kro_ls.server.delays import TOKEN_SECONDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

ADDRESS = "127.0.0.1"
_LONGEST_MESSAGE = 1024 * 1024  # an instance that the user writes is one
_USED_UP = "This address is good for one visit. Have your editor open the page again."

logger = logging.getLogger(__name__)


class Page(Struct, frozen=True):
    """A page: its title, its scripts, and the function that talks with them over a WebSocket.

    The page loads `view.js`, which may import the others by name. `style` and `waiting` are shown until that draws.
    """

    title: str
    scripts: Mapping[str, bytes]
    style: str
    waiting: str
    talk: Callable[[ServerConnection], Awaitable[None]]


class LoopbackServer:
    """Serves pages, from the first one until it is closed."""

    def __init__(self) -> None:
        self._secret = secrets.token_urlsafe(32)
        self._pages: dict[str, Page] = {}
        self._tokens: dict[str, tuple[str, float]] = {}
        self._server: Server | None = None
        self._port = 0

    async def add(self, page: Page) -> str:
        """Serve a page, and return the URL that opens it once."""
        await self._start()
        name = secrets.token_urlsafe(9)
        self._pages[name] = page
        token = secrets.token_urlsafe(32)
        self._tokens[token] = name, time.monotonic() + TOKEN_SECONDS
        return f"http://{self._host}/open/{token}"

    def close(self) -> None:
        """Stop serving, and disconnect every page."""
        if self._server:
            self._server.close()

    @property
    def _host(self) -> str:
        return f"{ADDRESS}:{self._port}"

    @property
    def _cookie(self) -> str:
        return f"kro_ls_{self._port}"

    async def _start(self) -> None:
        if self._server is None:
            self._server = await serve(
                self._talk,
                ADDRESS,
                0,
                process_request=self._answer,
                max_size=_LONGEST_MESSAGE,
                compression=None,  # on the same machine it only costs time
                server_header=None,
                logger=logger,
            )
            self._port = next(iter(self._server.sockets)).getsockname()[1]

    async def _talk(self, connection: ServerConnection) -> None:
        request = connection.request
        page = self._pages.get(request.path.split("/")[1]) if request else None
        if page:
            await page.talk(connection)

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request for a page; None lets a WebSocket through."""
        if request.headers.get_all("Host") != [self._host]:
            return _text(HTTPStatus.FORBIDDEN, f"This server answers as {self._host} only.")
        kind, _, rest = request.path.removeprefix("/").partition("/")
        if kind == "open":
            return self._open(rest)
        if not secrets.compare_digest(_cookies(request).get(self._cookie, "").encode(), self._secret.encode()):
            return _text(HTTPStatus.FORBIDDEN, _USED_UP)
        page = self._pages.get(kind)
        if page is None:
            return _text(HTTPStatus.NOT_FOUND, "There is no such page.")
        if rest == "live":
            if request.headers.get_all("Origin") != [Origin(f"http://{self._host}")]:
                return _text(HTTPStatus.FORBIDDEN, "Only the page itself may ask.")
            return None
        if script := page.scripts.get(rest):
            return _response(HTTPStatus.OK, "text/javascript; charset=utf-8", script)
        if rest == "":
            return self._document(kind, page)
        return _text(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _open(self, token: str) -> Response:
        name, until = self._tokens.pop(token, ("", 0.0))
        if not name or time.monotonic() > until:
            return _text(HTTPStatus.FORBIDDEN, _USED_UP)
        response = _text(HTTPStatus.SEE_OTHER, "")
        response.headers["Location"] = f"/{name}/"
        # Browsers send cookies to every port of a host; the page's name, which nobody can guess, keeps this one here.
        response.headers["Set-Cookie"] = f"{self._cookie}={self._secret}; HttpOnly; SameSite=Strict; Path=/{name}/"
        return response

    def _document(self, name: str, page: Page) -> Response:
        from html import escape

        body = (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(page.title)}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{page.style}</style></head>'
            f'<body>{page.waiting}<script src="/{name}/view.js"></script></body></html>'
        )
        response = _response(HTTPStatus.OK, "text/html; charset=utf-8", body.encode())
        # The views style their pages through the object model, which needs no permission; layout runs in a worker.
        response.headers["Content-Security-Policy"] = (
            f"default-src 'none'; script-src 'self'; style-src {digest(page.style)}; connect-src ws://{self._host}; "
            "worker-src blob:; img-src blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return response


def _cookies(request: Request) -> dict[str, str]:
    from http.cookies import CookieError, SimpleCookie

    found: dict[str, str] = {}
    for header in request.headers.get_all("Cookie"):
        try:
            found |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
        except CookieError:
            continue
    return found


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", text.encode())


def _response(status: HTTPStatus, content_type: str, body: bytes) -> Response:
    headers = Headers(
        {
            "Content-Type": content_type,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Connection": "close",
        }
    )
    return Response(status.value, status.phrase, headers, body)
