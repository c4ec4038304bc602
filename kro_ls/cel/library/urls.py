"""URLs (apiserver `pkg/cel/library/urls.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function

_EXAMPLE = "url('https://user@example.com:80/a%20b?k=1&k=2')"


def _part(name: str, id_: str, text: str, expected: str, result: str = "string") -> FunctionDeclaration:
    return function(
        name,
        Documentation(text, f"{_EXAMPLE}.{name}() == {expected}"),
        {f"url_get_{id_}": f"kubernetes.URL.() -> {result}"},
    )


FUNCTIONS = (
    function(
        "url",
        Documentation(
            "Reads a URL: an absolute URI or an absolute path.",
            "url('https://example.com/').getHost() == 'example.com'",
            "Another text fails with `URL parse error during conversion from string: ...`; test with `isURL` first.",
        ),
        {"string_to_url": "(text: string) -> kubernetes.URL"},
    ),
    _part("getScheme", "scheme", "The scheme, empty when there is none.", "'https'"),
    _part("getHost", "host", "The host with its port, an IPv6 address in brackets.", "'example.com:80'"),
    _part("getHostname", "hostname", "The host without port, an IPv6 address without brackets.", "'example.com'"),
    _part("getPort", "port", "The port as a string, empty when there is none.", "'80'"),
    _part(
        "getEscapedPath", "escaped_path", "The path as written in a URL, with special characters escaped.", "'/a%20b'"
    ),
    _part(
        "getQuery",
        "query",
        "The query parameters, unescaped, each name with the list of its values.",
        "{'k': ['1', '2']}",
        "map(string, list(string))",
    ),
    function(
        "isURL",
        Documentation(
            "True when the string is an absolute URI or an absolute path.", "isURL('/path') && !isURL('path')"
        ),
        {"is_url_string": "(text: string) -> bool"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
