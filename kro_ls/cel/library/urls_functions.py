"""URLs (apiserver `pkg/cel/library/urls.go`)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import Cost
from kro_ls.cel.evaluation.values import CustomValue, EvaluationError, Value, make_map
from kro_ls.golang import url as go


class URL(CustomValue, Struct, frozen=True):
    """An absolute URL or an absolute path."""

    url: go.URL
    type_name: ClassVar[str] = "kubernetes.URL"

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(map(len, (self.url.opaque, self.url.host, self.url.path, self.url.query)))


def parse_url(text: str) -> URL:
    """Read an absolute URI or an absolute path. Raises EvaluationError for other text."""
    try:
        go.parse_request_uri(text)
        return URL(go.parse_url(text))
    except go.URLError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def _is_url(text: str) -> bool:
    try:
        go.parse_request_uri(text)
    except go.URLError:
        return False
    return True


def _query(url: URL) -> Value:
    return make_map((name, list[Value](values)) for name, values in url.url.values.items())


IMPLEMENTATIONS = {
    "string_to_url": parse_url,
    "is_url_string": _is_url,
    "url_get_scheme": lambda url: url.url.scheme,
    "url_get_host": lambda url: url.url.host,
    "url_get_hostname": lambda url: url.url.hostname,
    "url_get_port": lambda url: url.url.port,
    "url_get_escaped_path": lambda url: url.url.path,
    "url_get_query": _query,
}
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20)),
    **dict.fromkeys(("string_to_url", "is_url_string", "url_get_query"), Cost(100, characters=4 * 64)),
}
