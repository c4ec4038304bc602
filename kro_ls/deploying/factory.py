"""Makes instances of one definition: by name and spec, with one strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.deploying.strategy import Run, Strategy
    from kro_ls.deploying.target import Definition


class Factory:
    """Deploys instances of a definition into a namespace, without one into that of the context.

    A subclass may override `instance`, to give all instances labels or values of its own.
    """

    def __init__(self, definition: Definition, strategy: Strategy, namespace: str = "") -> None:
        self.definition = definition
        self.strategy = strategy
        self.namespace = namespace

    def instance(self, name: str, spec: Any) -> Mapping[str, Any]:
        """Return the object of an instance; `spec` is a mapping, a dataclass, a msgspec or a Pydantic model."""
        plain = spec.model_dump(mode="json", by_alias=True) if hasattr(spec, "model_dump") else to_builtins(spec)
        return {**self._named(name), "spec": plain}

    def _named(self, name: str) -> Mapping[str, Any]:
        return {"metadata": {"name": name, **({"namespace": self.namespace} if self.namespace else {})}}

    def deploy(self, name: str, spec: Any) -> Run:
        """Deploy an instance."""
        return self.strategy.deploy(self.definition, self.instance(name, spec))

    def dry_run(self, name: str, spec: Any) -> Run:
        """Have the API server validate an instance without writing it."""
        return self.strategy.dry_run(self.definition, self.instance(name, spec))

    def delete(self, name: str) -> Run:
        """Delete an instance."""
        return self.strategy.delete(self.definition, self._named(name))
