"""What the API server refuses in Jobs and CronJobs, and in the schedules of these.

Source: k8s.io/kubernetes, pkg/apis/batch/validation/validation.go; github.com/robfig/cron/v3, parser.go and spec.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, has_unknown
from kro_ls.openapi.validation.field_errors import ErrorType, place_of
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    at_least,
    domain_prefixed,
    error,
    is_empty,
    label_key,
    needs,
    needs_one_of,
    one_of,
    text_of,
    unsupported,
)
from kro_ls.openapi.validation.objects.workloads import pod_template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path


class _Field(Struct, frozen=True):
    """One of the five fields of a schedule: its bounds, and names for numbers."""

    least: int
    most: int
    names: tuple[str, ...] = ()
    first: int = 0
    """The number of the first name."""


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: Final = (_Field(0, 59), _Field(0, 23), _Field(1, 31), _Field(1, 12, _MONTHS, 1), _Field(0, 6, _DAYS))
_DESCRIPTORS: Final = frozenset(
    f"@{each}" for each in ("yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly")
)
_NUMBER: Final = "[+-]?[0-9]+"


class _UnreadableError(Exception):
    """A schedule cannot be read; the text says why."""


def schedule_problem(text: str) -> str:
    """Return why a schedule cannot be read, empty where it can."""
    if text.startswith("@"):
        known = text in _DESCRIPTORS or text.startswith("@every ")
        return "" if known else f"unrecognized descriptor: {text}"
    fields = text.split()
    if len(fields) != len(_FIELDS):
        return f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]"
    try:
        for written, field in zip(fields, _FIELDS, strict=True):
            for each in written.split(","):
                if each:
                    _read(each, field)
    except _UnreadableError as failed:
        return str(failed)
    return ""


def _read(text: str, field: _Field) -> None:
    span, *steps = text.split("/")
    ends = span.split("-")
    if ends[0] in ("*", "?"):
        start, end = field.least, field.most
    else:
        start = _number(ends[0], field)
        if len(ends) > 2:
            raise _UnreadableError(f"too many hyphens: {text}")
        end = _number(ends[1], field) if len(ends) > 1 else start
    if len(steps) > 1:
        raise _UnreadableError(f"too many slashes: {text}")
    step = _integer(steps[0]) if steps else 1
    if steps and len(ends) == 1:
        end = field.most
    if start < field.least:
        raise _UnreadableError(f"beginning of range ({start}) below minimum ({field.least}): {text}")
    if end > field.most:
        raise _UnreadableError(f"end of range ({end}) above maximum ({field.most}): {text}")
    if start > end:
        raise _UnreadableError(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise _UnreadableError(f"step of range should be a positive number: {text}")


def _number(text: str, field: _Field) -> int:
    name = text.lower()
    return field.names.index(name) + field.first if name in field.names else _integer(text)


def _integer(text: str) -> int:
    if not re.fullmatch(_NUMBER, text):
        raise _UnreadableError(
            f"failed to parse int from {text}: strconv.Atoi: parsing {go_quoted(text)}: invalid syntax"
        )
    number = int(text)
    if number < 0:
        raise _UnreadableError(f"negative number ({number}) not allowed: {text}")
    return number


_NOT_NEGATIVE: Final = at_least(0)


def _indexed(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with fields that need an indexed job."""
    spec = as_object(value)
    mode = spec.get("completionMode")
    if spec.get("maxFailedIndexes") is not None and spec.get("backoffLimitPerIndex") is None:
        detail = "when maxFailedIndexes is specified"
        yield error((*path, "backoffLimitPerIndex"), ErrorType.REQUIRED, "", detail)
    yield from Shape(("managedBy", domain_prefixed))(spec, path)
    yield from one_of("NonIndexed", "Indexed", or_empty=False)(mode, (*path, "completionMode"))
    if mode == "Indexed" and spec.get("completions") is None:
        yield error((*path, "completions"), ErrorType.REQUIRED, "", "when completion mode is Indexed")
    if mode in (None, "NonIndexed"):
        for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if spec.get(name) is not None:
                yield error((*path, name), ErrorType.INVALID, spec[name], "requires indexed completion mode")


_ACTIONS: Final = ("Count", "FailIndex", "FailJob", "Ignore")


def _failure_policy(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    template = spec.get("template")
    pod = as_object(as_object(template).get("spec"))
    groups = ("containers", "initContainers")
    names = {text_of(each, "name") for group in groups for each in as_list(pod.get(group))}
    if has_unknown(template):
        names.add(None)
    for number, rule in enumerate(as_list(as_object(spec.get("podFailurePolicy")).get("rules"))):
        if not isinstance(rule, dict):
            continue
        here = (*path, "podFailurePolicy", "rules", number)
        yield from needs_one_of("action", *_ACTIONS, detail=_valid(_ACTIONS))(rule, here)
        codes, conditions = rule.get("onExitCodes"), rule.get("onPodConditions")
        if isinstance(codes, dict):
            yield from _exit_codes(codes, (*here, "onExitCodes"), names)
        yield from Shape(("onPodConditions[]", _condition))(rule, here)
        if codes is not None and conditions:
            detail = "specifying both OnExitCodes and OnPodConditions is not supported"
            yield _without_value(error(here, ErrorType.INVALID, "", detail))
        if codes is None and is_empty(conditions):
            detail = "specifying one of OnExitCodes and OnPodConditions is required"
            yield _without_value(error(here, ErrorType.INVALID, "", detail))


def _without_value(found: FieldError) -> FieldError:
    message = f"{found.type.value}: {found.detail}"
    return replace(found, text=f"{place_of(found.path)}: {message}", message=message)


def _valid(values: tuple[str, ...]) -> str:
    return f"valid values: [{' '.join(map(go_quoted, values))}]"


def _exit_codes(codes: JsonObject, path: Path, names: set[str | None]) -> Iterator[FieldError]:
    yield from needs_one_of("operator", "In", "NotIn", detail=_valid(("In", "NotIn")))(codes, path)
    container = codes.get("containerName")
    if isinstance(container, str) and container not in names and None not in names:
        detail = "must be one of the container or initContainer names in the pod template"
        yield error((*path, "containerName"), ErrorType.INVALID, container, detail)
    values = codes.get("values")
    if is_empty(values):
        yield error((*path, "values"), ErrorType.INVALID, values, "at least one value is required")
    for number, each in enumerate(as_list(values)):
        if each == 0 and codes.get("operator") == "In":
            detail = "must not be 0 for the In operator"
            yield error((*path, "values", number), ErrorType.INVALID, each, detail)


def _condition(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    yield from label_key(text_of(value, "type"), (*path, "type"))
    yield from one_of("False", "True", "Unknown")(value.get("status"), (*path, "status"))


def _replacement(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    supported = ("Failed",) if spec.get("podFailurePolicy") is not None else ("Failed", "TerminatingOrFailed")
    yield from one_of(*supported, or_empty=False)(spec.get("podReplacementPolicy"), (*path, "podReplacementPolicy"))


def _ends(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where the pods of a job are always restarted, which is the default."""
    spec = as_object(value)
    pod = as_object(spec.get("template", {})).get("spec", {})
    here = (*path, "template", "spec", "restartPolicy")
    restarts = text_of(pod, "restartPolicy") if isinstance(pod, dict) else None
    if restarts in ("", "Always"):
        yield error(here, ErrorType.REQUIRED, restarts or "", 'valid values: "OnFailure", "Never"')
    elif restarts is not None and restarts not in ("OnFailure", "Never"):
        yield unsupported(here, restarts, ("OnFailure", "Never"))
    elif restarts == "OnFailure" and spec.get("podFailurePolicy") is not None:
        detail = 'only "Never" is supported when podFailurePolicy is specified'
        yield error(here, ErrorType.INVALID, restarts, detail)


JOB: Final = Shape(
    *(
        (each, _NOT_NEGATIVE)
        for each in (
            *("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"),
            *("backoffLimitPerIndex", "maxFailedIndexes"),
        )
    ),
    ("", _indexed),
    ("", _failure_policy),
    ("", _replacement),
    ("template", pod_template),
    ("", _ends),
)


def _schedule(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    text, zone = text_of(spec, "schedule"), spec.get("timeZone")
    here = (*path, "schedule")
    if not text:
        return
    if "TZ" in text:
        detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        if zone is not None:
            detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule"
        yield error(here, ErrorType.INVALID, text, detail)
    elif problem := schedule_problem(text):
        yield error(here, ErrorType.INVALID, text, problem)


def _time_zone(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, str):
        return
    if not value:
        yield error(path, ErrorType.INVALID, value, "timeZone must be nil or non-empty string")
    elif value.lower() == "local":
        detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        yield error(path, ErrorType.INVALID, value, detail)
    elif not _is_zone(value):
        yield error(path, ErrorType.INVALID, value, f"unknown time zone {value}")


def _is_zone(name: str) -> bool:
    """Whether a time zone exists; where this computer has no zones, each counts as one."""
    from zoneinfo import ZoneInfo

    for each in (name, "Europe/Berlin"):
        try:
            ZoneInfo(each)
        except (KeyError, ValueError, OSError):
            continue
        return each == name
    return True


CRON_JOB: Final = Shape(
    ("", needs("schedule")),
    ("", _schedule),
    ("startingDeadlineSeconds", _NOT_NEGATIVE),
    ("timeZone", _time_zone),
    ("concurrencyPolicy", one_of("Allow", "Forbid", "Replace")),
    ("jobTemplate.spec", JOB),
    ("successfulJobsHistoryLimit", _NOT_NEGATIVE),
    ("failedJobsHistoryLimit", _NOT_NEGATIVE),
)
