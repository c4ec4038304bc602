"""Downloads over HTTP, as the environment says: `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`, `SSL_CERT_DIR`.

Nothing is sent but the address, and nothing is kept that is not what was asked for.
"""

from __future__ import annotations

import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from http.client import HTTPException
from typing import TYPE_CHECKING, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from msgspec.structs import replace

from kro_ls import __version__
from kro_ls.workspace.gathering.part import LARGEST_INPUT, Part, UnusableError
from kro_ls.workspace.gathering.releases import HOST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from http.client import HTTPMessage
    from typing import IO

    from kro_ls.workspace.gathering.releases import PinnedFile


_WAITING_SECONDS: Final = 30.0
_LONGEST_SECONDS: Final = 600.0
_PIECE: Final = 1024 * 1024
_SCHEMES: Final = ("https", "http")
_TOO_MANY_REQUESTS: Final = 429


def is_url(text: str) -> bool:
    """Whether a text is an address that can be downloaded from."""
    return text.lower().startswith(("https://", "http://"))


def without_secrets(url: str) -> str:
    """Return an address without what may be a password or a token in it."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def download(url: str, digest: str = "") -> bytes:
    """Return what is at an address for which `is_url`; with a `digest`, only what has that SHA-256.

    Raises UnusableError.
    """
    name = without_secrets(url)
    try:
        if "@" in urlsplit(url).netloc:
            raise UnusableError(name, "a name or a password in an address is not sent; download the file yourself")
        content = _content(name, url)
    except HTTPError as error:
        error.close()
        advice = "; try again later, or use --mirror" if error.code == _TOO_MANY_REQUESTS else ""
        raise UnusableError(name, f"the server answers {error.code} {error.reason}{advice}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise UnusableError(name, _reason(error)) from error
    if digest and sha256(content).hexdigest() != digest:
        raise UnusableError(name, f"not what is expected: its SHA-256 is not {digest}; nothing of it is used")
    return content


class _Redirects(HTTPRedirectHandler):
    """Follows a redirection to another address, but never from HTTPS to anything else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in _SCHEMES or (scheme != req.type and req.type == "https"):
            fp.close()
            raise URLError(f"it leads to {without_secrets(newurl)}, which is not safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _content(name: str, url: str) -> bytes:
    opener = build_opener(_Redirects(), HTTPSHandler(context=ssl.create_default_context()))
    request = Request(url, headers={"User-Agent": f"kro-ls/{__version__}"})  # noqa: S310 (callers ask `is_url`)
    end = time.monotonic() + _LONGEST_SECONDS
    pieces: list[bytes] = []
    left = LARGEST_INPUT + 1
    with opener.open(request, timeout=_WAITING_SECONDS) as answer:
        while left and (piece := answer.read1(min(left, _PIECE))):
            pieces.append(piece)
            left -= len(piece)
            if time.monotonic() > end:
                raise TimeoutError
        expected = answer.headers.get("Content-Length")
    content = b"".join(pieces)
    if not left:
        raise UnusableError(name, f"larger than {LARGEST_INPUT // 1024**2} MiB")
    if expected is not None and expected.isdigit() and len(content) < int(expected):
        raise ValueError("the connection ended early; try again")
    return content


def _reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        advice = "for a certificate of your company, set SSL_CERT_FILE"
        return f"its certificate cannot be verified ({cause.verify_message}); {advice}"
    if isinstance(cause, TimeoutError):
        return "no answer in time; check the network and HTTPS_PROXY"
    if isinstance(cause, socket.gaierror):
        return "the host is not found; check the network and HTTPS_PROXY"
    if isinstance(cause, ConnectionRefusedError):
        return "the connection is refused; check the network and HTTPS_PROXY"
    if isinstance(cause, OSError) and cause.strerror:
        return f"cannot be downloaded: {cause.strerror.lower()}"
    return f"cannot be downloaded: {cause or type(error).__name__}"


_MOST_CONNECTIONS: Final = 8


def fetched(files: Sequence[PinnedFile], mirror: str = HOST) -> Iterator[Part]:
    """Yield what the files contain, in their order; `mirror` is the address of a copy of their host.

    Raises UnusableError for the first that cannot be had.
    """
    urls = [f"{mirror.rstrip('/')}/{file.path}" for file in files]
    pool = ThreadPoolExecutor(_MOST_CONNECTIONS)
    try:
        contents = pool.map(download, urls, (file.digest for file in files))
        for url, file, content in zip(urls, files, contents, strict=True):
            location = without_secrets(url)
            yield Part(location, content, replace(file.origin, location=location, digest=f"sha256:{file.digest}"))
    finally:
        pool.shutdown(cancel_futures=True)
