"""The statements that make resources: templates, external references, and what stands beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.kind_modules.module_names import kinds_by_module, module_name
from kro_ls.authoring.python_fields import python_name
from kro_ls.authoring.to_python.cel_in_python import python_text
from kro_ls.authoring.to_python.written_texts import SourceLine, bracketed, keyword_lines, value_lines, with_prefix
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.authoring.to_python.written_texts import Expressions, Path
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_FIELDS: Final = frozenset({"id", "template", "externalRef", "forEach", "includeWhen", "readyWhen"})
_EXTERNAL: Final = frozenset({"name", "namespace", "selector"})
_OPTIONS: Final = frozenset({"id", "include_when", "ready_when", "for_each"})
_TAKEN: Final = frozenset(
    "spec metadata schema cel each when external composition field dataclass Any Meta ObjectMeta Resource self".split()
)
_SELF: Final = "self"


class CannotBePythonError(ValueError):
    """No composition builds an equal definition; the text gives the obstacle."""


class Imports:
    """What the program imports. `taken` are names that it has for itself."""

    def __init__(self, kinds: SchemaIndex, taken: set[str]) -> None:
        self._kinds = kinds
        self._taken = {*_TAKEN, *taken}
        self.of_kinds: dict[str, set[str]] = {}
        self._classes: dict[tuple[str, str], str | None] = {}
        self.authoring = {"composition"}
        """The names of `kro_ls.authoring`."""

    def class_of(self, api_version: str, kind: str) -> str | None:
        """Return the class of a kind, None where it is unknown or another one has its name."""
        key = api_version, kind
        if key not in self._classes:
            self._classes[key] = self._found(api_version, kind)
        return self._classes[key]

    def _found(self, api_version: str, kind: str) -> str | None:
        schema = self._kinds.find_api_version(api_version, kind)
        if schema is None or kind in self._taken or not kind.isidentifier():
            return None
        module = module_name(schema.name)
        if kinds_by_module(self._kinds).get(module, {}).get(kind) != schema.name:
            return None
        self._taken.add(kind)
        self.of_kinds.setdefault(str(module), set()).add(kind)
        return kind


class Statement(Struct, frozen=True):
    """A statement about a resource; `name` is its name in CEL, `python` that of its variable."""

    name: str
    python: str
    before: list[SourceLine]
    made: list[SourceLine]

    def lines(self, *, is_read: bool) -> list[SourceLine]:
        """Return it as lines; with a variable if it is read."""
        return [*self.before, *with_prefix(f"{self.python} = " if is_read and self.python else "", self.made)]


class ResourceWriter:
    """Writes the resources of a definition, each of which can read those before it."""

    def __init__(self, expressions: Expressions, imports: Imports) -> None:
        self._expressions = expressions
        self._imports = imports

    def statement(self, entry: JsonObject, number: int, *, has_class: bool) -> Statement:
        """Return the statement for an entry of `spec.resources`, without the class of its kind if it is to have none.

        Raises CannotBePythonError.
        """
        path: Path = "spec", "resources", number
        id_ = as_text(entry.get("id"))
        if entry.keys() - _FIELDS or not id_.isidentifier() or ("template" in entry) == ("externalRef" in entry):
            raise CannotBePythonError(f"resource {number + 1} has a form that no composition has")
        outer = dict(self._expressions.names)
        before, loops = self._loops(entry, path)
        form = "template" if "template" in entry else "externalRef"
        value = as_object(entry[form])
        write = self._expressions.write
        if form == "template":
            head, arguments = self._template(value, (*path, form), has_class=has_class)
        else:
            head, arguments = self._external(value, (*path, form))
        arguments.append([SourceLine(f"id={python_text(id_)}")])
        if "includeWhen" in entry:
            self._expressions.names = dict(outer)
            conditions = value_lines(entry["includeWhen"], (*path, "includeWhen"), write)
            arguments.append(keyword_lines("include_when", conditions))
        if loops:
            arguments.append([SourceLine(f"for_each=[{', '.join(loops)}]")])
        if "readyWhen" in entry:
            arguments.append(self._ready(entry, id_, (*path, "readyWhen")))
        self._expressions.names = outer
        before += self._expressions.assigned()
        python = python_name(id_)
        python = f"{python}_" if python in _TAKEN else python
        self._expressions.names[id_] = python
        made = bracketed(f"{head}(", arguments, ")")
        return Statement(id_, python, before, made)

    def _loops(self, entry: JsonObject, path: Path) -> tuple[list[SourceLine], list[str]]:
        """Return the assignments of the iterators, and their names in Python; they can be read from now on."""
        lines: list[SourceLine] = []
        names = []
        for index, dimension in enumerate(as_list(entry.get("forEach"))):
            for name, over in as_object(dimension).items():
                place: Path = (*path, "forEach", index, name)
                if not isinstance(over, str) or not name.isidentifier():
                    raise CannotBePythonError(f"the iterator '{name}' is not over an expression")
                code = self._expressions.write(over, place)
                python = f"{python_name(name)}_" if python_name(name) in _TAKEN else python_name(name)
                lines += self._expressions.assigned()
                self._imports.authoring.add("each")
                lines.append(SourceLine(f"{python} = each({code}, name={python_text(name)})", (place,)))
                names.append((name, python))
        for name, python in names:
            self._expressions.names[name] = f"{python}.item"
        return lines, [python for _, python in names]

    def _template(self, value: JsonObject, path: Path, *, has_class: bool) -> tuple[str, list[list[SourceLine]]]:
        api_version, kind = value.get("apiVersion"), value.get("kind")
        if not isinstance(api_version, str) or not isinstance(kind, str) or "${" in api_version + kind:
            raise CannotBePythonError("a template has no kind that is written")
        head, arguments = self._head("Resource", api_version, kind, has_class=has_class)
        fields: list[list[SourceLine]] = []
        for name, each in value.items():
            if name in ("apiVersion", "kind"):
                continue
            python = python_name(name)
            made = value_lines(each, (*path, name), self._expressions.write)
            if not python.isidentifier() or python in _OPTIONS:
                raise CannotBePythonError(f"a template has the field '{name}'")
            fields.append(keyword_lines(python, made))
        return head, [*arguments, *fields]

    def _head(
        self, name: str, api_version: str, kind: str, *, has_class: bool = True
    ) -> tuple[str, list[list[SourceLine]]]:
        """Return the constructor for a kind, and the arguments that name the kind."""
        own = self._imports.class_of(api_version, kind) if has_class else None
        if own and name != "external":
            return own, []
        self._imports.authoring.add(name)
        arguments = [own] if own else [python_text(api_version), python_text(kind)]
        return name, [[SourceLine(each)] for each in arguments]

    def _external(self, value: JsonObject, path: Path) -> tuple[str, list[list[SourceLine]]]:
        metadata = as_object(value.get("metadata"))
        api_version, kind = as_text(value.get("apiVersion")), as_text(value.get("kind"))
        has_others = value.keys() - {"apiVersion", "kind", "metadata"} or metadata.keys() - _EXTERNAL
        if has_others or not api_version or not kind:
            raise CannotBePythonError("an external reference has a form that no composition has")
        head, arguments = self._head("external", api_version, kind)
        for name, each in metadata.items():
            arguments.append(keyword_lines(name, value_lines(each, (*path, "metadata", name), self._expressions.write)))
        return head, arguments

    def _ready(self, entry: JsonObject, id_: str, path: Path) -> list[SourceLine]:
        """Return the conditions of readiness, which see the object alone: one of a collection as `each`."""
        names: Mapping[str, str] = {"each" if "forEach" in entry else id_: _SELF}
        conditions: Sequence[JsonValue] = as_list(entry["readyWhen"])
        made: list[list[SourceLine]] = []
        for index, each in enumerate(conditions):
            place = (*path, index)
            if not isinstance(each, str):
                raise CannotBePythonError("a condition is no text")
            code = self._expressions.write(each, place, names)
            made.append([SourceLine(code, (place,))])
        lines = made[0] if len(made) == 1 else bracketed("[", made, "]")
        return keyword_lines("ready_when", with_prefix(f"lambda {_SELF}: ", lines))
