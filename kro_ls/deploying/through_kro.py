"""Deploys through kro: applies the definition and an instance, and follows the status that kro reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.deploying.deletion_waves import until_gone
from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind
from kro_ls.deploying.following import READY, Following, is_current, is_true
from kro_ls.deploying.live_objects import Applied, Applying, became
from kro_ls.deploying.own_fields import own_fields
from kro_ls.deploying.strategy import Strategy
from kro_ls.deploying.trial import try_objects
from kro_ls.kro import labels
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.openapi.json_values import as_text
from kro_ls.runtime.causes.definition_troubles import definition_troubles
from kro_ls.runtime.causes.given_objects import Objects, conditions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.target import Declared, Target
    from kro_ls.openapi.json_values import JsonObject

_REFUSED_SECONDS: Final = 3.0
"""How long a definition must stay refused: kro retries while kinds that it uses are new."""


class Kro(Strategy):
    """Leaves the objects to kro, which must run in the cluster.

    A state ERROR of kro's that stays the same for `patience` seconds is a failure: kro tries again, and some errors
    pass. When the instance is ready, fields of its status that kro has not written yet are awaited for `settle`
    seconds. The definition stays when an instance is deleted, unless `delete_definition` is on.
    """

    def __init__(
        self,
        context: str = "",
        *,
        patience: float = 10.0,
        settle: float = 5.0,
        delete_definition: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(context, **options)
        self.patience = patience
        self.settle = settle
        self.delete_definition = delete_definition

    def deploying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Apply the definition, then the instance."""
        self._check_kro(api)
        applied: list[Applied] = []
        course.undo = lambda: self._undone(api, applied, course)
        with course.phase("definition"):
            for declared in (*target.used, target.declared):
                yield from self._apply(api, declared.definition, applied, course)
                yield from self._established(api, declared, course)
        with course.phase("instance"):
            yield from self._apply(api, target.written, applied, course)
            yield from Following(self, api, target, applied[-1], course).until_ready()
        yield course.event(EventKind.READY, value=target.name)

    def _check_kro(self, api: ClusterApi) -> None:
        if api.kind(API_VERSION, KIND) is None:
            text = f"the cluster of context {api.context!r} does not know {KIND}"
            raise DeploymentError(f"{text}: install kro there, or deploy with Direct, which needs no kro")

    def _apply(self, api: ClusterApi, value: JsonObject, applied: list[Applied], course: Course) -> Iterator[Event]:
        before = api.find(value)
        applied.append(Applied("", before, api.apply(value, self.manager, force=self.force), self.manager))
        yield course.event(applied[-1].kind, value=applied[-1].after)

    def _established(self, api: ClusterApi, declared: Declared, course: Course) -> Iterator[Event]:
        """Wait until kro serves the kind of a definition. Raises DeploymentError where kro refuses the definition."""
        written = declared.definition
        refused_since: float | None = None
        while True:
            definition = api.find(written) or {}
            if is_true(definition, READY) and api.kind(*declared.named, anew=True) is not None:
                return
            open_ = [each for each in conditions_of(definition).values() if each.get("status") != "True"]
            messages = [as_text(each.get("message")) for each in open_ if each.get("message")]
            message = messages[0] if messages else "kro has not looked at it yet"
            is_refused = any(each.get("status") == "False" and each.get("type") != READY for each in open_)
            if is_refused and is_current(definition):
                refused_since = course.seconds if refused_since is None else refused_since
            else:
                refused_since = None
            is_final = refused_since is not None and course.seconds - refused_since > _REFUSED_SECONDS
            if is_final or course.is_late:
                found = next(definition_troubles(definition, Objects((definition,))), None)
                text = f"{found.message} ({found.advice})" if found else f"{message}; check that kro runs"
                late = "" if is_final else f"not ready after {course.timeout:g} seconds: "
                raise DeploymentError(f"{late}{text}")
            yield from course.news(EventKind.WAITING, "", definition, message)
            course.pause(self.poll)

    def _undone(self, api: ClusterApi, applied: list[Applied], course: Course) -> Iterator[Event]:
        """Delete created objects and restore updated ones: the instance, then the definition."""
        for each in reversed(applied):
            if each.before is None:
                yield from self._deleted(api, each.after, course)
            elif each.kind is EventKind.UPDATED:
                api.apply(own_fields(each.before, self.manager), self.manager, force=True)
                yield course.event(EventKind.RESTORED, value=each.before)

    def deleting(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Delete the instance; kro deletes its objects first, in reverse order."""
        self._check_kro(api)
        instance = api.find(target.written)
        if instance is None:
            raise DeploymentError(f"{target.name} is not deployed in {target.namespace or 'the cluster'}")
        with course.phase("deletion"):
            yield from self._deleted(api, instance, course)
            for declared in (target.declared, *reversed(target.used)) if self.delete_definition else ():
                if (definition := api.find(declared.definition)) is not None:
                    yield from self._deleted(api, definition, course)

    def _deleted(self, api: ClusterApi, value: JsonObject, course: Course) -> Iterator[Event]:
        api.delete(value)
        yield from until_gone(api, "", value, course, self.poll)

    def trying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Try the definition, the instance where its kind is there already, and the objects as kro would apply them."""
        self._check_kro(api)
        with course.phase("dry run"):
            for value in (*(each.definition for each in target.used), target.declared.definition, target.written):
                if api.kind(as_text(value.get("apiVersion")), as_text(value.get("kind"))) is None:
                    text = "cannot be asked before kro has accepted the definition"
                    yield course.event(EventKind.WAITING, value=value, message=text)
                    continue
                before = api.find(value)
                after = api.apply(value, self.manager, force=self.force, dry_run=True)
                yield course.event(became(before, after, self.manager), value=value, message="dry run")
            applying = Applying(labels.APPLY_MANAGER, force=True)
            yield from try_objects(api, target, course, applying, instance=api.find(target.written))
