"""Named formats (apiserver `pkg/cel/library/format.go`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import CONSTANT, Cost
from kro_ls.cel.evaluation.values import NONE, CustomValue, Optional
from kro_ls.golang.quoting import utf8
from kro_ls.golang.url import URLError, parse_request_uri
from kro_ls.openapi.rules.formats import NAMES
from kro_ls.openapi.validation import object_meta
from kro_ls.openapi.validation.formats import has_format

if TYPE_CHECKING:
    from collections.abc import Callable


class NamedFormat(CustomValue, Struct, frozen=True):
    """A format by its name, one of `NAMES`."""

    name: str
    type_name: ClassVar[str] = "kubernetes.NamedFormat"


def _before_an_ending(problems: Callable[[str], list[str]], text: str) -> list[str]:
    """Return what is wrong with a text that continues after a dash at its end.

    As in Kubernetes, the dash and the byte before it count as one letter, whatever that byte is.
    """
    is_open = len(text) > 1 and text.endswith("-")
    return problems(utf8(text)[:-2].decode(errors="surrogateescape") + "a" if is_open else text)


def _uri_problems(text: str) -> list[str]:
    try:
        parse_request_uri(text)
    except URLError as error:
        return [str(error)]
    return []


def _unless_it_has(format_name: str, problem: str) -> Callable[[str], list[str]]:
    return lambda text: [] if has_format(text, format_name) else [problem]


_PROBLEMS: dict[str, Callable[[str], list[str]]] = {
    "dns1123Label": object_meta.label_problems,
    "dns1123Subdomain": object_meta.subdomain_problems,
    "dns1035Label": object_meta.label_1035_problems,
    "qualifiedName": object_meta.label_key_problems,
    "dns1123LabelPrefix": partial(_before_an_ending, object_meta.label_problems),
    "dns1123SubdomainPrefix": partial(_before_an_ending, object_meta.subdomain_problems),
    "dns1035LabelPrefix": partial(_before_an_ending, object_meta.label_1035_problems),
    "labelValue": object_meta.label_value_problems,
    "uri": _uri_problems,
    "uuid": _unless_it_has("uuid", "does not match the UUID format"),
    "byte": _unless_it_has("byte", "invalid base64"),
    "date": _unless_it_has("date", "invalid date"),
    "datetime": _unless_it_has("datetime", "invalid datetime"),
}


def _named(name: str) -> Optional:
    return Optional(NamedFormat(name)) if name in _PROBLEMS else NONE


def _validate(chosen: NamedFormat, text: str) -> Optional:
    problems = _PROBLEMS[chosen.name](text)
    return Optional(problems) if problems else NONE


IMPLEMENTATIONS: dict[str, Callable[..., object]] = {
    "format-named": _named,
    "format-validate": _validate,
    **{f"format-{name}": partial(NamedFormat, name) for name in NAMES},
}
COSTS = {"format-named": CONSTANT, "format-validate": Cost(50, characters=4 * 64, quoted=4)}
