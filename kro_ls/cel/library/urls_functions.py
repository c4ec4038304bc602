"""URLs as Go's `net/url` reads them (apiserver `pkg/cel/library/urls.go`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kro_ls.cel.evaluation.errors import EvaluationError
from kro_ls.cel.evaluation.values import Value, make_map

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_USER = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_HOST_CHARACTERS = re.compile(r"""[A-Za-z0-9_.~!$&'()*+,;=:\[\]<>"%-]|[^\x00-\x7f]""")
_HOST_ESCAPES = re.compile(r"%[0-7][0-9A-Fa-f]")
_PORT = re.compile(r":[0-9]*")
_VALID_PATH = re.compile(r"[A-Za-z0-9_.~!$&'()*+,;=:@/\[\]%-]*")
_KEPT_IN_PATH = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@")


@dataclass(frozen=True, slots=True)
class URL:
    """The parts of a URL that can be asked for; `path` and `query` are escaped."""

    scheme: str
    user: str
    host: str
    path: str
    query: str
    fragment: str
    type_name: ClassVar[str] = "kubernetes.URL"


def parse_url(text: str) -> URL:
    """Read an absolute URI or an absolute path. Raises EvaluationError for other text."""
    if re.search(r"[\x00-\x1f\x7f]", text):
        raise _invalid(text, "net/url: invalid control character in URL")
    rest, _, fragment = text.partition("#")
    _check_escapes(text, fragment)
    match = _SCHEME.match(rest)
    if match is None and rest.startswith(":"):
        raise _invalid(text, "missing protocol scheme")
    scheme = match[1].lower() if match else ""
    rest, _, query = rest[match.end() if match else 0 :].partition("?")
    if not rest.startswith("/"):
        if not scheme:
            raise _invalid(text, "invalid URI for request" if text else "empty url")
        return URL(scheme, "", "", "", query, fragment)
    user = host = ""
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        user, _, host = authority.rpartition("@")
        host = _host(text, user, host)
        rest = slash + path
    _check_escapes(text, rest)
    return URL(scheme, user, host, _escaped_path(rest), query, fragment)


def _invalid(text: str, reason: str) -> EvaluationError:
    return EvaluationError(f'URL parse error during conversion from string: parse "{text[:100]}": {reason}')


def _check_escapes(text: str, part: str) -> None:
    found = _BAD_ESCAPE.search(part)
    if found:
        raise _invalid(text, f'invalid URL escape "{found[0]}"')


def _host(text: str, user: str, host: str) -> str:
    if not _USER.fullmatch(user):
        raise _invalid(text, "net/url: invalid userinfo")
    _check_escapes(text, user)
    if host.startswith("["):
        _, bracket, port = host.rpartition("]")
        if not bracket:
            raise _invalid(text, "missing ']' in host")
    else:
        _, colon, port = host.rpartition(":")
        port = colon + port if colon else ""
    if port and not _PORT.fullmatch(port):
        raise _invalid(text, f'invalid port "{port[:20]}" after host')
    _check_escapes(text, host)
    zone = host.startswith("[") and "%25" in host
    if (_HOST_ESCAPES.search(host) and not zone) or len(_HOST_CHARACTERS.findall(host)) != len(host):
        raise _invalid(text, "invalid character in host name")
    return _unescape(host).decode(errors="replace")


def _unescape(text: str) -> bytes:
    return _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), text.encode(errors="surrogatepass"))


def _escaped_path(path: str) -> str:
    """Return the path as written where it is escaped already, else escaped."""
    if _VALID_PATH.fullmatch(path):
        return path
    return "".join(chr(byte) if byte in _KEPT_IN_PATH else f"%{byte:02X}" for byte in _unescape(path))


def _is_url(text: str) -> bool:
    try:
        parse_url(text)
    except EvaluationError:
        return False
    return True


def _hostname(url: URL) -> str:
    host = _without_port(url.host)
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _without_port(host: str) -> str:
    before, colon, after = host.rpartition(":")
    return before if colon and re.fullmatch(r"[0-9]*", after) else host


def _port(url: URL) -> str:
    return url.host[len(_without_port(url.host)) :].removeprefix(":")


def _query(url: URL) -> Value:
    values: dict[str, list[Value]] = {}
    for part in url.query.split("&"):
        key, _, value = part.partition("=")
        if part and ";" not in part and not _BAD_ESCAPE.search(part):
            values.setdefault(_query_text(key), []).append(_query_text(value))
    return make_map(values.items())


def _query_text(text: str) -> str:
    return _unescape(text.replace("+", " ")).decode(errors="replace")


IMPLEMENTATIONS = {
    "string_to_url": parse_url,
    "is_url_string": _is_url,
    "url_get_scheme": lambda url: url.scheme,
    "url_get_host": lambda url: url.host,
    "url_get_hostname": _hostname,
    "url_get_port": _port,
    "url_get_escaped_path": lambda url: url.path,
    "url_get_query": _query,
}
