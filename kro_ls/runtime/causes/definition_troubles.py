"""Why a definition has not become a kind with a running controller, by its conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.golang.plural import plural
from kro_ls.openapi.json_values import as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import conditions_of, declared_kind, metadata_of, name_of, status_of
from kro_ls.runtime.causes.messages import reported_in
from kro_ls.runtime.passes.reasons import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.given_objects import Objects

_OWN = ("GraphAccepted", "GraphRevisionsResolved", "KindReady", "ControllerReady")
"""The conditions that kro sets one after the other; Ready only repeats them."""

ACCOUNT: Final = "system:serviceaccount:kro-system:kro"
KRO_LOG: Final = "kubectl logs -n kro-system deployment/kro"
"""The command that shows kro's log, where its chart is installed as documented."""


def definition_troubles(definition: JsonObject, objects: Objects) -> Iterator[Explanation]:
    """Yield why a definition is not active; nothing where it is, or was read from a file without a status."""
    conditions = conditions_of(definition)
    failed = [conditions[name] for name in _OWN if conditions.get(name, {}).get("status") == "False"]
    for condition in failed:
        yield _failed(definition, condition, objects)
    if not failed and as_text(status_of(definition).get("state")) == "Inactive":
        yield _unfinished(definition, conditions)
    if metadata_of(definition).get("deletionTimestamp"):
        message = f"{object_name(definition)} is being deleted: kro does nothing for its instances any more"
        yield Explanation(CauseKind.BEING_DELETED, message, value=definition)
    if not failed:
        yield from _twins(definition, objects)


def _failed(definition: JsonObject, condition: JsonObject, objects: Objects) -> Explanation:
    text = as_text(condition.get("message"))
    kro = f"{object_name(definition)}: {condition.get('type')}=False ({condition.get('reason')}): {text}"
    reported = next(reported_in(text))
    name, kind, unblock = object_name(definition), reported.kind, ""
    fetch: tuple[str, ...] = ()
    if kind is CauseKind.PERMISSION:
        return _permission(definition, kro, reported.text)
    if kind is CauseKind.KIND_TAKEN:
        group, declared = declared_kind(definition)
        other = _OTHER.get(reported.words["other"], reported.words["other"])
        message = f"{name} cannot have kind {declared} ({group}): {other} declares it already"
    elif kind is CauseKind.BREAKING_CHANGE:
        message = f"{name} was edited, and kro does not apply a breaking change to its kind"
    elif kind is CauseKind.KIND_MISSING and (circle := _circle(definition, objects)):
        kind, unblock = CauseKind.DEFINITION_REFUSED, _CIRCLE
        message = f"{name} and {circle} use each other's kinds, so neither can be first"
    elif kind is CauseKind.KIND_MISSING:
        fetch = "kubectl get crds", _DEFINITIONS
        message = f"{name} is refused, for a kind that it uses is not in the cluster: {text}"
    else:
        kind = CauseKind.DEFINITION_REFUSED
        what = text.splitlines()[0] if text else as_text(condition.get("reason"))
        edited = " since it was edited, and instances stay as the last accepted revision left them"
        is_edit = condition.get("observedGeneration") not in (None, 1)
        message = f"{name} is refused{edited if is_edit else ''}: {what}"
    return Explanation(kind, message, kro=kro, unblock=unblock, fetch=fetch, value=definition)


_OTHER = {"CRD": "a CustomResourceDefinition that kro did not make"}
_DEFINITIONS = "kubectl get resourcegraphdefinitions.kro.run -o yaml"
_CIRCLE = "take one of the two references out; kro needs each kind before it accepts what uses it"


def _circle(definition: JsonObject, objects: Objects) -> str:
    """Return the name of a definition that uses the kind of this one, and whose kind this one uses."""
    for other in objects.definitions:
        if other is not definition and _uses(definition, other) and _uses(other, definition):
            return object_name(other)
    return ""


def _uses(one: JsonObject, other: JsonObject) -> bool:
    group, kind = declared_kind(other)
    return any(used == (group, kind) for used in _used_kinds(one.get("spec")))


def _used_kinds(value: object) -> Iterator[tuple[str, str]]:
    """Yield group and kind of all that looks like an object."""
    if isinstance(value, dict):
        if isinstance(value.get("apiVersion"), str) and isinstance(value.get("kind"), str):
            yield value["apiVersion"].rpartition("/")[0], value["kind"]
        for each in value.values():
            yield from _used_kinds(each)
    elif isinstance(value, list):
        for each in value:
            yield from _used_kinds(each)


def _permission(definition: JsonObject, kro: str, text: str) -> Explanation:
    group, kind = declared_kind(definition)
    resource = f"{plural(kind)}.{group}"
    message = f"kro may not do what {object_name(definition)} needs: {text}"
    fetch: tuple[str, ...] = ()
    if "cache sync timeout" in text:
        message = (
            f"kro may not list or watch {resource}, the kind that {object_name(definition)} declares: "
            "it waits in vain for the instances"
        )
        fetch = _can_list_and_watch(resource)
    return Explanation(CauseKind.PERMISSION, message, kro=kro, value=definition, fetch=fetch)


def _unfinished(definition: JsonObject, conditions: dict[str, JsonObject]) -> Explanation:
    """Return why kro has not got to the end with a definition, about which nothing has failed."""
    open_ = [name for name in _OWN if conditions.get(name, {}).get("status") not in ("True", None)]
    group, kind = declared_kind(definition)
    resource = f"{plural(kind)}.{group}"
    message = (
        f"kro has not got past {', '.join(open_) or 'the beginning'} of {object_name(definition)}, "
        f"and gives no reason; most often it may not list or watch {resource}, which only its log says"
    )
    fetch = (*_can_list_and_watch(resource), KRO_LOG)
    said = "; ".join(f"{name}: {as_text(conditions[name].get('message'))}" for name in open_)
    return Explanation(CauseKind.PERMISSION, message, kro=said, value=definition, fetch=fetch)


def _twins(definition: JsonObject, objects: Objects) -> Iterator[Explanation]:
    """Yield the definitions that declare the same kind and so are refused."""
    for other in objects.definitions:
        if name_of(other) != name_of(definition) and declared_kind(other) == declared_kind(definition):
            _, kind = declared_kind(definition)
            message = f"{object_name(other)} declares kind {kind} as well: kro lets only one of them have it"
            yield Explanation(CauseKind.KIND_TAKEN, message, value=other)


def _can_list_and_watch(resource: str) -> tuple[str, ...]:
    return can_i("list", resource), can_i("watch", resource)


def can_i(verb: str, resource: str) -> str:
    """Return the command that checks whether kro may do something."""
    return f"kubectl auth can-i {verb} {resource} -A --as={ACCOUNT}"
