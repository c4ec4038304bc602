"""URLs as Go's package net/url reads them, with its messages for what is not one."""

from __future__ import annotations

import re

from msgspec import Struct

from kro_ls.golang.ip import AddressError, parse_address
from kro_ls.golang.quoting import go_quoted

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_USER = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_PORT = re.compile(r"(?::[0-9]*)?")
_VALID_PATH = re.compile(r"[A-Za-z0-9_.~!$&'()*+,;=:@/\[\]%-]*")
_KEPT_IN_PATH = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@")
_IN_PATH = tuple(chr(byte) if byte in _KEPT_IN_PATH else f"%{byte:02X}" for byte in range(256))
"""Each byte as it stands in an escaped path. A table, because a path may have a million characters."""

# What is wrong in a host, from the left: a lone `%`, an escape of ASCII but for `%25`, another character of ASCII.
_WRONG_IN_HOST = re.compile(
    r"""(?P<escape>%(?![0-9A-Fa-f]{2}).{0,2}|%(?!25)[0-7][0-9A-Fa-f])|(?![A-Za-z0-9_.~!$&'()*+,;=:\[\]<>"%-])[\x00-\x7f]""",
    re.DOTALL,
)
# In a zone, characters that a host may hold unescaped may be escaped, and a space.
_WRONG_IN_ZONE = re.compile(
    r"""(?P<escape>%(?![0-9A-Fa-f]{2}).{0,2}"""
    r"""|%(?!2[0145-9A-F]|2[a-f]|3[0-9A-Ea-e]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[BbDdFf]|7[Ee])[0-9A-Fa-f]{2})"""
    r"""|(?![A-Za-z0-9_.~!$&'()*+,;=:\[\]<>"%-])[\x00-\x7f]""",
    re.DOTALL,
)


class URLError(ValueError):
    """A text that Go does not read as a URL; the text is Go's own."""


class _Refused(Exception):  # noqa: N818 - control flow inside this module
    """The reason without the text around it."""


class URL(Struct, frozen=True):
    """The parts of a URL; `path` is escaped, `query` and `opaque` are as written, the others are not escaped."""

    scheme: str = ""
    opaque: str = ""
    host: str = ""
    path: str = ""
    query: str = ""

    @property
    def hostname(self) -> str:
        """The host without the port and brackets."""
        host = self._without_port
        return host[1:-1] if host.startswith("[") and host.endswith("]") else host

    @property
    def port(self) -> str:
        """The digits after the host's last colon."""
        return self.host[len(self._without_port) :].removeprefix(":")

    @property
    def _without_port(self) -> str:
        before, colon, after = self.host.rpartition(":")
        return before if colon and re.fullmatch(r"[0-9]*", after) else self.host

    @property
    def values(self) -> dict[str, list[str]]:
        """The values of the query by their names; what is malformed is left out."""
        values: dict[str, list[str]] = {}
        for part in self.query.split("&"):
            name, _, value = part.partition("=")
            if part and ";" not in part and not _BAD_ESCAPE.search(part):
                values.setdefault(_query_text(name), []).append(_query_text(value))
        return values


def parse_url(text: str) -> URL:
    """Read a URL, absolute or relative (`url.Parse`). Raises URLError."""
    before, _, fragment = text.partition("#")
    url = _parsed(before, is_request=False)
    try:
        _unescaped(fragment)
    except _Refused as refused:
        raise _url_error(text, refused) from None
    return url


def parse_request_uri(text: str) -> URL:
    """Read an absolute URL or an absolute path, in which `#` means nothing (`url.ParseRequestURI`). Raises URLError."""
    return _parsed(text, is_request=True)


def _parsed(text: str, *, is_request: bool) -> URL:
    try:
        return _read(text, is_request=is_request)
    except _Refused as refused:
        raise _url_error(text, refused) from None


def _url_error(text: str, refused: _Refused) -> URLError:
    return URLError(f"parse {go_quoted(text)}: {refused}")


def _read(text: str, *, is_request: bool) -> URL:
    if _CONTROL.search(text):
        raise _Refused("net/url: invalid control character in URL")
    if not text and is_request:
        raise _Refused("empty url")
    if text == "*":
        return URL(path="*")
    match = _SCHEME.match(text)
    if match is None and text.startswith(":"):
        raise _Refused("missing protocol scheme")
    scheme = match[1].lower() if match else ""
    rest, _, query = text[match.end() if match else 0 :].partition("?")
    if not rest.startswith("/"):
        if scheme:
            return URL(scheme, opaque=rest, query=query)
        if is_request:
            raise _Refused("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise _Refused("first path segment in URL cannot contain colon")
    host = ""
    if rest.startswith("//") and (scheme or not (is_request or rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        host = _host_of(scheme, authority)
        rest = slash + path
    return URL(scheme, "", _shown(host), _escaped_path(rest), query)


def _host_of(scheme: str, authority: str) -> str:
    user, _, written = authority.rpartition("@")
    host = _host(scheme, written)
    if not _USER.fullmatch(user):
        raise _Refused("net/url: invalid userinfo")
    for part in user.split(":", 1):
        _unescaped(part)
    return host


def _host(scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        raise _Refused("invalid IP-literal")
    if bracket == 0:
        return _bracketed(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0:
        # Only web schemes are strict about further colons.
        _check_port(host[first if scheme in ("http", "https") else last :])
    return _host_text(host, _WRONG_IN_HOST)


def _bracketed(host: str) -> str:
    end = host.rfind("]")
    if end < 0:
        raise _Refused("missing ']' in host")
    port = host[end + 1 :]
    _check_port(port)
    name, percent, zone = host[1:end].partition("%25")
    name = _host_text(name, _WRONG_IN_HOST) + _host_text(percent + zone, _WRONG_IN_ZONE)
    try:
        address = parse_address(name)
    except AddressError as error:
        raise _Refused(f"invalid host: {error}") from None
    if address.version == 4:
        raise _Refused("invalid IP-literal")
    return f"[{name}]{port}"


def _bad_escape(text: str) -> _Refused:
    """Return the refusal of an escape, of which Go shows three bytes."""
    shown = text.encode(errors="surrogatepass")[:3].decode(errors="surrogateescape")
    return _Refused(f"invalid URL escape {go_quoted(shown)}")


def _check_port(port: str) -> None:
    if not _PORT.fullmatch(port):
        raise _Refused(f"invalid port {go_quoted(port)} after host")


def _host_text(text: str, wrong: re.Pattern[str]) -> str:
    found = wrong.search(text)
    if found is None:
        return _unescaped(text)
    if found["escape"]:
        raise _bad_escape(found["escape"])
    raise _Refused(f"invalid character {go_quoted(found[0])} in host name")


def _unescaped(text: str) -> str:
    found = _BAD_ESCAPE.search(text)
    if found:
        raise _bad_escape(text[found.start() :])
    return _bytes(text).decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), text.encode(errors="surrogatepass"))


def _shown(text: str) -> str:
    """Return text in which, as Go decodes it, each byte that is not UTF-8 is U+FFFD."""
    return re.sub("[\udc80-\udcff]", "\ufffd", text)


def _escaped_path(path: str) -> str:
    """Return the path as written where it is escaped already, else escaped."""
    _unescaped(path)
    if _VALID_PATH.fullmatch(path):
        return path
    return "".join([_IN_PATH[byte] for byte in _bytes(path)])


def _query_text(text: str) -> str:
    return _shown(_bytes(text.replace("+", " ")).decode(errors="surrogateescape"))
