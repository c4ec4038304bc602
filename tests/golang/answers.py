"""Our answers to the questions of tests/golang/oracle, in its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.library import quantity_functions as quantity
from kro_ls.golang import ip, numbers, semver, url
from kro_ls.golang.plural import plural
from kro_ls.golang.quoting import go_quoted
from kro_ls.golang.re2.pattern_cache import compiled
from kro_ls.golang.re2.pattern_errors import PatternError
from kro_ls.openapi.rules import formats_functions
from kro_ls.openapi.validation.formats import has_format


def answer(function: str, arguments: list[str]) -> Any:
    """Return what the oracle would."""
    try:
        return _FUNCTIONS[function](*arguments)
    except (PatternError, ip.AddressError, url.URLError, semver.VersionError, numbers.NumberError) as error:
        return {"error": str(error)}
    except EvaluationError as error:
        return {"error": error.message}


def _regexp(pattern: str, *texts: str) -> Any:
    matcher = compiled(pattern)
    found = [matcher.find_groups(text) for text in texts]
    assert [matcher.search(text) for text in texts] == [bounds is not None for bounds in found]
    return {
        "names": list(matcher.program.names),
        "first": [None if bounds is None else list(bounds) for bounds in found],
        "all": [list(map(list, matcher.find_all(text))) for text in texts],
    }


def _addr(text: str) -> Any:
    address = ip.parse_address(text)
    return {
        "text": str(address),
        "version": 1 if address.version == 4 else 4,
        "zone": address.zone,
        "is_4_in_6": address.is_4_in_6,
        "is_unspecified": address.is_unspecified,
        "is_loopback": address.is_loopback,
        "is_link_local_multicast": address.is_link_local_multicast,
        "is_link_local_unicast": address.is_link_local_unicast,
        "is_global_unicast": address.is_global_unicast,
    }


def _prefix(text: str, other: str) -> Any:
    prefix = ip.parse_prefix(text)
    try:
        contains = prefix.contains(ip.parse_address(other))
    except ip.AddressError:
        contains = False
    return {"text": str(prefix), "bits": prefix.bits, "masked": str(prefix.masked), "contains": contains}


def _url(text: str, _: str) -> Any:
    read = url.parse_url(text)
    try:
        url.parse_request_uri(text)
    except url.URLError:
        is_request_uri = False
    else:
        is_request_uri = True
    return {
        "is_request_uri": is_request_uri,
        "scheme": read.scheme,
        "opaque": read.opaque,
        "host": read.host,
        "hostname": read.hostname,
        "port": read.port,
        "path": read.path,
        "query": read.values,
    }


def _semver(text: str, other: str) -> Any:
    version = semver.parse_version(text)
    prerelease = "-" + ".".join(map(str, version.prerelease)) if version.prerelease else ""
    build = "+" + text.partition("+")[2] if "+" in text else ""
    read: dict[str, Any] = {"major": version.major, "minor": version.minor, "patch": version.patch}
    read["text"] = f"{version.major}.{version.minor}.{version.patch}{prerelease}{build}"
    try:
        order = semver.parse_version(other).order
    except ValueError:
        return read
    return {**read, "compared": (version.order > order) - (version.order < order)}


def _quantity(text: str, other: str) -> Any:
    functions: dict[str, Any] = dict(quantity.IMPLEMENTATIONS)
    read = functions["string_to_quantity"](text)
    is_integer = functions["quantity_is_integer"](read)
    answered = {
        "sign": functions["quantity_sign"](read),
        "is_integer": is_integer,
        "integer": functions["quantity_get_int"](read) if is_integer else 0,
        "float": float(functions["quantity_get_float"](read)),
    }
    if functions["is_quantity_string"](other):
        answered["compared"] = functions["quantity_compare_to"](read, functions["string_to_quantity"](other))
    return answered


def _literal(text: str) -> Any:
    def noted(read: Callable[[str], Any]) -> Any:
        try:
            return read(text)
        except numbers.NumberError as error:
            return {"error": str(error)}

    return {
        "trimmed": numbers.trim(text),
        "space": any(each in numbers.WHITE_SPACE for each in text),
        "bool": noted(numbers.parse_bool),
        "int": noted(numbers.parse_int),
        "uint": noted(numbers.parse_uint),
        "float": noted(numbers.parse_float),
    }


def _name_problems(text: str, name: str) -> Any:
    formats: dict[str, Any] = dict(formats_functions.IMPLEMENTATIONS)
    return formats["format-validate"](formats["format-named"](name).value, text).value


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "addr": _addr,
    "format": lambda text, *names: [name for name in names if has_format(text, name)],
    "literal": _literal,
    "names": _name_problems,
    "plural": plural,
    "prefix": _prefix,
    "quantity": _quantity,
    "quote": go_quoted,
    "regexp": _regexp,
    "semver": _semver,
    "url": _url,
}


def same(ours: Any, go: Any) -> bool:
    """Whether two answers agree; Go writes a float as text, since JSON has no infinities."""
    if isinstance(ours, float):
        return repr(ours) == repr(float(go))
    if isinstance(ours, dict) and isinstance(go, dict):
        return ours.keys() == go.keys() and all(same(value, go[key]) for key, value in ours.items())
    return bool(ours == go)
