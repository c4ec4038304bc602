"""The forms in which a definition can be given, as YAML text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.render.yaml_text import to_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    class WritesYaml(Protocol):
        """Something that writes itself as the YAML of a definition, such as a composition."""

        def to_yaml(self) -> str:
            """Return the YAML."""

    Definition: TypeAlias = str | Path | Mapping[str, Any] | WritesYaml
    """A definition as YAML text, a file of it, an object, or what writes itself as YAML.

    A text may have several definitions, of which the others are used by the one that is deployed.
    """


def text_of(definition: Definition) -> str:
    """Return a definition, and those that a composition uses before it, as YAML. Raises DeploymentError."""
    return "---\n".join(dict.fromkeys(_texts(definition)))


def _texts(definition: Definition) -> Iterator[str]:
    if isinstance(definition, str):
        yield definition
    elif isinstance(definition, Path):
        try:
            yield definition.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DeploymentError(f"{definition}: cannot be read: {error}") from error
    elif hasattr(definition, "to_yaml"):
        built: Any = getattr(definition, "definition", None)
        for used in getattr(built, "uses", ()):
            yield from _texts(used)
        yield definition.to_yaml()
    else:
        yield to_yaml(dict(definition))
