"""What the API server refuses in the kinds that create pods.

Source: k8s.io/kubernetes, pkg/apis/{apps,core}/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text, has_unknown
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, go_json, place_of
from kro_ls.openapi.validation.object_meta import label_key_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    as_declared,
    at_least,
    declared,
    error,
    is_empty,
    label,
    labels,
    number_of,
    one_of,
    text_of,
    unsupported,
)
from kro_ls.openapi.validation.objects.claims import CLAIM
from kro_ls.openapi.validation.objects.pods import pod_errors
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_PERCENT: Final = "[0-9]+%"
_NOT_NEGATIVE: Final = at_least(0)


def pod_template(value: JsonValue, path: Path, templates: frozenset[str] | None = frozenset()) -> Iterator[FieldError]:
    """Yield what is wrong with a template of pods."""
    template = as_object(value)
    metadata = as_object(template.get("metadata"))
    for each in labels(metadata.get("labels"), (*path, "metadata", "labels")):
        yield field_error(each.path, f"{place_of(path)}.labels", each.type, each.value, each.detail, in_key=each.in_key)
    for name in as_object(metadata.get("annotations")):
        for problem in label_key_problems(name.lower()):
            here = (*path, "metadata", "annotations", name)
            yield field_error(here, f"{place_of(path)}.annotations", ErrorType.INVALID, name, problem, in_key=True)
    spec = template.get("spec", {})
    if isinstance(spec, dict):
        yield from pod_errors(spec, (*path, "spec"), "", templates)


def _always_runs(kind: str) -> Check:
    """Return a check of a template of pods that keep running."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        spec = as_object(as_object(value).get("spec"))
        restarts = spec.get("restartPolicy")
        if isinstance(restarts, str) and restarts not in ("", "Always"):
            yield unsupported((*path, "spec", "restartPolicy"), restarts, ("Always",))
        if spec.get("activeDeadlineSeconds") is not None:
            detail = f"activeDeadlineSeconds in {kind} is not Supported"
            yield error((*path, "spec", "activeDeadlineSeconds"), ErrorType.FORBIDDEN, "", detail)

    return check


def _selects(selector: JsonObject, found: JsonObject) -> bool | None:
    """Return whether a selector selects some labels; None where that is unknown."""
    if has_unknown(selector):
        return None
    for name, text in as_object(selector.get("matchLabels")).items():
        if not isinstance(text, str) or not isinstance(found.get(name, ""), str):
            return None
        if found.get(name) != text:
            return False
    for each in as_list(selector.get("matchExpressions")):
        key, operator = text_of(each, "key"), text_of(each, "operator")
        values = as_list(as_object(each).get("values"))
        if key is None or not all(isinstance(value, str) for value in (*values, found.get(key, ""))):
            return None
        is_there = key in found
        holds = {
            "In": is_there and found.get(key) in values,
            "NotIn": not is_there or found.get(key) not in values,
            "Exists": is_there,
            "DoesNotExist": not is_there,
        }.get(operator or "")
        if not holds:
            return holds
    return True


def selected_template(kind: str, detail: str = "") -> Check:
    """Return a check of a selector and of a template of pods, which it must select."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        spec = as_object(value)
        selector, template = spec.get("selector"), spec.get("template", {})
        here = (*path, "selector")
        problems: list[FieldError] = []
        selects_all = isinstance(selector, dict) and all(
            is_empty(selector.get(each)) for each in ("matchLabels", "matchExpressions")
        )
        if selector is None:
            if kind != "daemonset":
                yield error(here, ErrorType.REQUIRED)
        else:
            problems = LABEL_SELECTOR(selector, here)
            yield from problems
        empty_error = error(here, ErrorType.INVALID, selector, f"empty selector is invalid for {kind}")
        if selects_all and kind != "daemonset":
            yield empty_error
        if problems and kind != "daemonset":
            shown = {
                name: as_object(selector)[name]
                for name in ("matchLabels", "matchExpressions")
                if as_object(selector).get(name)
            }
            yield as_declared(error(here, ErrorType.INVALID, selector, detail), shown)
            return
        if not problems and not selects_all and isinstance(selector, dict | None):
            found = as_object(as_object(template).get("metadata")).get("labels")
            if isinstance(found, dict | None):
                matches = _selects(selector, found or {}) if selector is not None else False
                if matches is False:
                    where = (*path, "template", "metadata", "labels")
                    yield error(where, ErrorType.INVALID, found, "`selector` does not match template `labels`")
        if selects_all and kind == "daemonset":
            yield empty_error
        made = spec.get("volumeClaimTemplates")
        claims = frozenset(as_text(as_object(as_object(each).get("metadata")).get("name")) for each in as_list(made))
        if kind == "statefulset" and isinstance(pod := as_object(template).get("spec"), dict):
            # The names of the pods replace these.
            named = {name: each for name, each in pod.items() if name not in ("hostname", "subdomain")}
            template = {**as_object(template), "spec": named}
        yield from pod_template(template, (*path, "template"), None if has_unknown(made) else claims)

    return check


def number_or_percent(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a number or a percentage."""
    if isinstance(value, str):
        if not re.fullmatch(_PERCENT, value):
            detail = (
                "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', "
                "regex used for validation is '[0-9]+%')"
            )
            yield error(path, ErrorType.INVALID, value, detail)
    else:
        yield from _NOT_NEGATIVE(value, path)


def not_over_all(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for more than 100 %."""
    if isinstance(value, str) and re.fullmatch(_PERCENT, value) and int(value[:-1]) > 100:
        yield error(path, ErrorType.INVALID, value, "must not be greater than 100%")


def _is_none(value: JsonValue) -> bool:
    return value == 0 or (isinstance(value, str) and re.fullmatch(_PERCENT, value) is not None and int(value[:-1]) == 0)


_PARTS: Final = (("maxUnavailable", number_or_percent), ("maxSurge", number_or_percent))


def _strategy(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    kind, rolling = text_of(fields, "type"), fields.get("rollingUpdate")
    if kind == "Recreate":
        if rolling is not None:
            detail = "may not be specified when strategy `type` is 'Recreate'"
            yield error((*path, "rollingUpdate"), ErrorType.FORBIDDEN, "", detail)
    elif kind in ("RollingUpdate", ""):
        here = (*path, "rollingUpdate")
        yield from Shape(*_PARTS)(rolling, here)
        if _is_none(as_object(rolling).get("maxUnavailable")) and _is_none(as_object(rolling).get("maxSurge")):
            shown = as_object(rolling)["maxUnavailable"]
            detail = "may not be 0 when `maxSurge` is 0"
            yield error((*here, "maxUnavailable"), ErrorType.INVALID, shown, detail)
        yield from Shape(("maxUnavailable", not_over_all))(rolling, here)
    elif kind is not None:
        found = unsupported((*path, "type"), kind, ("Recreate", "RollingUpdate"))
        yield _whole(found, path, kind, _rolling(rolling))


def _rolling(value: JsonValue) -> JsonObject | None:
    fields = as_object(value)
    parts = {"MaxUnavailable": fields.get("maxUnavailable"), "MaxSurge": fields.get("maxSurge")}
    return None if value is None else parts


def _whole(found: FieldError, path: Path, kind: str, rolling: JsonObject | None) -> FieldError:
    """Return an error about the type of a strategy, which the API server prints as a whole."""
    inner = "null" if rolling is None else declared(rolling)
    head = f'{found.type.value}: {{"Type":{go_json(kind)},"RollingUpdate":{inner}}}: {found.detail}'
    return replace(found, text=f"{place_of(path)}: {head}")


def _daemon_strategy(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    kind, rolling = text_of(fields, "type"), fields.get("rollingUpdate")
    if kind in ("RollingUpdate", ""):
        here = (*path, "rollingUpdate")
        parts = as_object(rolling)
        unavailable, surge = parts.get("maxUnavailable", 1), parts.get("maxSurge", 0)
        yield from Shape(("maxUnavailable", number_or_percent), ("maxUnavailable", not_over_all))(rolling, here)
        yield from Shape(("maxSurge", number_or_percent), ("maxSurge", not_over_all))(rolling, here)
        if not isinstance(unavailable, str | int) or not isinstance(surge, str | int):
            return
        if not _is_none(unavailable) and not _is_none(surge) and _is_amount(unavailable) and _is_amount(surge):
            detail = "may not be set when maxUnavailable is non-zero"
            yield error((*here, "maxSurge"), ErrorType.INVALID, surge, detail)
        elif _is_none(unavailable) and _is_none(surge):
            yield error((*here, "maxUnavailable"), ErrorType.REQUIRED, "", "cannot be 0 when maxSurge is 0")
    elif kind is not None and kind != "OnDelete":
        found = unsupported((*path, "type"), kind, ("RollingUpdate", "OnDelete"))
        yield _whole(found, path, kind, _rolling(rolling))


def _is_amount(value: JsonValue) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and re.fullmatch(_PERCENT, value) is not None)


def _stateful_strategy(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    kind, rolling = text_of(fields, "type"), fields.get("rollingUpdate")
    if kind in ("RollingUpdate", ""):
        yield from Shape(("partition", _NOT_NEGATIVE))(rolling, (*path, "rollingUpdate"))
    elif kind is not None and kind != "OnDelete":
        found = error((*path, "type"), ErrorType.INVALID, kind, "must be 'RollingUpdate' or 'OnDelete'")
        parts: JsonObject = {"Partition": as_object(rolling).get("partition", 0), "MaxUnavailable": None}
        yield _whole(found, path, kind, parts if rolling is not None else None)


def _management(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if isinstance(value, str) and value not in ("", "OrderedReady", "Parallel"):
        yield error(path, ErrorType.INVALID, value, "must be 'OrderedReady' or 'Parallel'")


def _claims(value: JsonValue, path: Path) -> Iterator[FieldError]:
    for number, each in enumerate(as_list(value)):
        if isinstance(each, dict):
            yield from CLAIM(each.get("spec", {}), (*path, number, "spec"))


def _progress(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    seconds, least = spec.get("progressDeadlineSeconds", 600), number_of(spec, "minReadySeconds")
    if isinstance(seconds, int) and not isinstance(seconds, bool):
        here = (*path, "progressDeadlineSeconds")
        yield from _NOT_NEGATIVE(seconds, here)
        if least is not None and seconds <= least:
            yield error(here, ErrorType.INVALID, seconds, "must be greater than minReadySeconds")


_RETENTION: Final = one_of("Retain", "Delete")

DEPLOYMENT: Final = Shape(
    ("replicas", _NOT_NEGATIVE),
    ("", selected_template("deployment", detail="invalid label selector")),
    ("template", _always_runs("ReplicaSet")),
    ("strategy", _strategy),
    ("minReadySeconds", _NOT_NEGATIVE),
    ("revisionHistoryLimit", _NOT_NEGATIVE),
    ("", _progress),
)
REPLICA_SET: Final = Shape(
    ("replicas", _NOT_NEGATIVE),
    ("minReadySeconds", _NOT_NEGATIVE),
    ("", selected_template("deployment", detail="invalid label selector")),
    ("template", _always_runs("ReplicaSet")),
)
STATEFUL_SET: Final = Shape(
    ("podManagementPolicy", _management),
    ("updateStrategy", _stateful_strategy),
    ("persistentVolumeClaimRetentionPolicy.whenDeleted", _RETENTION),
    ("persistentVolumeClaimRetentionPolicy.whenScaled", _RETENTION),
    ("volumeClaimTemplates", _claims),
    ("replicas", _NOT_NEGATIVE),
    ("minReadySeconds", _NOT_NEGATIVE),
    ("ordinals.start", _NOT_NEGATIVE),
    ("serviceName", label),
    ("", selected_template("statefulset")),
    ("template", _always_runs("StatefulSet")),
)
DAEMON_SET: Final = Shape(
    ("", selected_template("daemonset")),
    ("template", _always_runs("DaemonSet")),
    ("minReadySeconds", _NOT_NEGATIVE),
    ("updateStrategy", _daemon_strategy),
    ("revisionHistoryLimit", _NOT_NEGATIVE),
)


def _controlled_template(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    selector, template = spec.get("selector"), spec.get("template")
    found = as_object(as_object(template).get("metadata")).get("labels")
    if is_empty(selector) and not found:
        yield error((*path, "selector"), ErrorType.REQUIRED)
    if template is None:
        yield error((*path, "template"), ErrorType.REQUIRED)
        return
    if isinstance(selector, dict) and selector and isinstance(found, dict | None):
        matches = _selects({"matchLabels": selector}, found or {})
        if matches is False:
            where = (*path, "template", "metadata", "labels")
            yield error(where, ErrorType.INVALID, found, "`selector` does not match template `labels`")
    yield from pod_template(template, (*path, "template"))


REPLICATION_CONTROLLER: Final = Shape(
    ("minReadySeconds", _NOT_NEGATIVE),
    ("replicas", _NOT_NEGATIVE),
    ("", _controlled_template),
    ("template", _always_runs("ReplicationController")),
)
