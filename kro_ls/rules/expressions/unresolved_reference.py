"""A name in an expression that nothing declares.

Source: kro `pkg/graph/builder.go` (references unknown identifiers).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.model.sections import misspelling
from kro_ls.analysis.names.inspection import calls_in
from kro_ls.analysis.names.references import Meaning, Reference, meaning, name_of_kro, references
from kro_ls.cel.syntax.ast import Call, Identifier, MapLiteral
from kro_ls.kro.environment import DISABLED, FUNCTIONS, MACROS
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case
from kro_ls.kro.places import Place
from kro_ls.kro.rgd_schema import RESOURCE_FIELDS
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.rules.diagnostics import Finding, Findings, Related, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import UNKNOWN_IDENTIFIERS, InTemplates, Repair, Rule
from kro_ls.rules.versions.newer_functions import inspected_since
from kro_ls.spelling import closest, listed
from kro_ls.yaml_positions.nodes import Sequence, entries, entry_of, is_null, items, resolved

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.references import NameOfKro
    from kro_ls.analysis.scope import NamedScope


_DISABLED_LIBRARIES = {function.partition(".")[0]: library for function, library in DISABLED.items() if "." in function}
"""The libraries whose functions have a namespace, by its name."""
_TYPE_NAMES = frozenset("bool bytes double duration int list map null_type string timestamp type uint".split())


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the names that are no resource id, iterator or macro variable, and none of kro's own names."""
    reported: set[tuple[Expression, Call]] = set()
    not_written: list[Reference] = []
    unknown = Meaning.UNKNOWN  # a member of an enumeration takes long to look up
    for reference in references(part):
        known = meaning(reference.name, part, scope.resource_ids) is not unknown
        if known and not reference.use.node.leading_dot:
            continue
        if _is_reported(reference) or (not known and reference.name in _damaged_iterators(part)):
            continue
        if known:
            yield _leading_dot(reference)
            continue
        macro = _misspelt_macro(reference)
        if macro:
            call, name = macro
            if (reference.expression, call) not in reported:
                reported.add((reference.expression, call))
                yield _no_macro(reference, call, name)
            continue
        of_kro = name_of_kro(reference, scope.candidates)
        if of_kro and (part.sees_instance or of_kro.name != "schema"):
            yield _of_typekro(reference, of_kro, _names(reference, part, scope))
            continue
        suggestion = _closest(reference.name, _candidates(part, scope, reference))
        if reference.expression.place is Place.TEMPLATE and _may_be_iterator(part, scope, suggestion):
            continue
        if scope.anonymous_resources and (suggestion is None or suggestion in scope.candidates):
            # The name probably means the resource whose id is reported already.
            continue
        if scope.resources_unfinished and suggestion is None:
            not_written.append(reference)
        else:
            yield _finding(reference, suggestion, _names(reference, part, scope))
    if not_written:
        yield _not_written_yet(not_written, part, scope)


_closest = lru_cache(maxsize=100)(closest)  # while an id is typed, all parts that use it ask the same


def _not_written_yet(used: list[Reference], part: Resource | SchemaSection, scope: NamedScope) -> Finding:
    """Return one finding for all undeclared names in a status while the resources are still being written."""
    if len(used) == 1:
        return _finding(used[0], None, _names(used[0], part, scope))
    names = tuple(dict.fromkeys(reference.name for reference in used))
    message = f"unknown names {listed(names, 'and')}; no resources with these ids are written yet"
    related = tuple(Related(reference.span, f"'{reference.name}' is used here") for reference in used[1:])
    first = _names(used[0], part, scope)
    return Finding(used[0].span, message, related, kro_message=UNKNOWN_IDENTIFIERS.format(names=first))


def _leading_dot(reference: Reference) -> Finding:
    node = reference.use.node
    span = reference.expression.span(node.start, node.end)
    name = f".{reference.name}"
    return Finding(
        span,
        f"unknown name '{name}'; no name in kro begins with a dot",
        fixes=(change_to(span, reference.name),),
        kro_message=UNKNOWN_IDENTIFIERS.format(names=name),
    )


def _of_typekro(reference: Reference, of_kro: NameOfKro, names: str) -> Finding:
    what = "the instance is" if of_kro.name == "schema" else "kro names a resource by its id alone,"
    message = f"unknown name '{reference.name}'; {what} '{of_kro.name}'"
    fix = replace(change_to(of_kro.span, of_kro.name), keeps_meaning=True)
    return Finding(of_kro.span, message, fixes=(fix,), kro_message=UNKNOWN_IDENTIFIERS.format(names=names))


def _candidates(part: Resource | SchemaSection, scope: NamedScope, reference: Reference) -> tuple[str, ...]:
    place = reference.expression.place
    if place is Place.READY_WHEN:
        return (part.id,) if isinstance(part, Resource) and part.id else ()
    iterators = tuple(part.iterators) if isinstance(part, Resource) and place is Place.TEMPLATE else ()
    own_id = part.id if isinstance(part, Resource) else None
    closest_id = scope.candidates.closest(reference.name, own_id)
    instance = ("schema",) if part.sees_instance else ()
    return (*filter(None, (closest_id,)), *sorted(iterators), *instance)


def _is_reported(reference: Reference) -> bool:
    """Whether another reported fault makes the name unknown."""
    has_errors = not reference.expression.inspection.parsed.is_valid
    return has_errors or _in_unknown_call(reference) or _is_condition_key(reference)


def _in_unknown_call(reference: Reference) -> bool:
    """Whether the name may be the variable of a macro that is written as a function, which is reported."""
    node = reference.use.node
    calls = reference.expression.inspection.unknown_functions
    return any(call.function in MACROS and call.start <= node.start < call.end for call in calls)


def _misspelt_macro(reference: Reference) -> tuple[Call, str] | None:
    """Return the call of a misspelt macro with the name as its variable, and the macro that is meant."""
    for node in calls_in(reference.expression.inspection):
        if node.target is None or not node.arguments:
            continue
        variable = node.arguments[0]
        inside = variable.start <= reference.use.node.start < node.end
        if not inside or not isinstance(variable, Identifier) or variable.name != reference.name:
            continue
        macro = closest(node.function, tuple(MACROS)) if node.function not in FUNCTIONS else None
        if macro:
            return node, macro
    return None


def _no_macro(reference: Reference, call: Call, macro: str) -> Finding:
    span = reference.expression.span(*call.name_span)
    kro_message = UNKNOWN_IDENTIFIERS.format(names=reference.name)
    if macro == call.function:
        forms = listed(MACROS[macro].signatures())
        count = len(call.arguments)
        message = f"'{macro}' does not take {count} argument{'' if count == 1 else 's'}; expected {forms}"
        return Finding(span, message, kro_message=kro_message)
    message = f"unknown macro '{call.function}'; did you mean '{macro}'?"
    return Finding(span, message, fixes=(change_to(span, macro),), kro_message=kro_message)


def _damaged_iterators(part: Resource | SchemaSection) -> frozenset[str]:
    """Return the iterators under a misspelt `forEach`, or one that is no list; both are reported already."""
    if not isinstance(part, Resource) or part.dimensions:
        return frozenset()
    entry = entry_of(part.node, "forEach") or misspelling(part.node, "forEach", RESOURCE_FIELDS)
    mappings = (entry.value, *items(entry.value)) if entry else ()
    return frozenset(each.name for mapping in mappings for each in entries(mapping) if each.name)


def _may_be_iterator(part: Resource | SchemaSection, scope: NamedScope, suggestion: str | None) -> bool:
    """Whether the name may mean a faulty iterator, which is reported already."""
    if not isinstance(part, Resource):
        return False
    if part.dimensions:
        taken = RESERVED_WORDS | scope.resource_ids | {part.id}
        faulty = {each for each in part.iterators if not is_lower_camel_case(each) or each in taken}
        return bool(faulty) and (suggestion is None or suggestion in faulty)
    entry = entry_of(part.node, "forEach")
    if entry is None or is_null(entry.value) or suggestion is not None:
        return False
    return bool(items(entry.value)) or not isinstance(resolved(entry.value), Sequence)


def _is_condition_key(reference: Reference) -> bool:
    """Whether the name is a key of `newCondition({...})` on another target than `runtime`, which is reported."""
    for node in calls_in(reference.expression.inspection):
        if node.function == "newCondition" and len(node.arguments) == 1:
            argument = node.arguments[0]
            keys = [entry.key for entry in argument.entries] if isinstance(argument, MapLiteral) else []
            if reference.use.node in keys:
                return True
    return False


def _message(name: str) -> str:
    """Return the message for a name without a similar one."""
    library = _DISABLED_LIBRARIES.get(name)
    if library:
        return f"unknown name '{name}'; kro does not enable the CEL library {library}"
    if name in _TYPE_NAMES:
        return f"kro does not know the type '{name}' by name; compare 'type(a) == type(b)'"
    if name == "schema":
        return "unknown name 'schema'; a Graph has no instance to read"
    return f"unknown name '{name}'; no resource, iterator or variable is called that"


def _names(reference: Reference, part: Resource | SchemaSection, scope: NamedScope) -> str:
    """Return the names that kro lists: the first unknown one, in a status and in readyWhen all of them."""
    if reference.expression.place not in (Place.STATUS, Place.READY_WHEN):
        return reference.name
    names = (use.name for use in reference.expression.inspection.names)
    return " ".join(name for name in names if meaning(name, part, scope.resource_ids) is Meaning.UNKNOWN)


def _finding(reference: Reference, suggestion: str | None, names: str) -> Finding:
    is_type = reference.name in _TYPE_NAMES
    versions = Versions(since=inspected_since(reference.expression, reference.use.node)) if is_type else ALL
    kro_message = UNKNOWN_IDENTIFIERS.format(names=names)
    if suggestion is None:
        return Finding(reference.span, _message(reference.name), versions=versions, kro_message=kro_message)
    message = f"unknown name '{reference.name}'; did you mean '{suggestion}'?"
    fixes = (change_to(reference.span, suggestion),)
    return Finding(reference.span, message, fixes=fixes, versions=versions, kro_message=kro_message)


RULE = Rule(
    code="unresolved-reference",
    severity=Severity.ERROR,
    summary="An expression names something that is not declared.",
    explanation="""\
An expression may name the instance (`schema`), the ids of other resources, the `forEach` iterators of its own resource
and the variables of its own macros. Any other name, the names of CEL types included (`string`, `int`), is refused.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${shema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_names=check,
    in_graphs=GRAPHS,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="declaration",
    repairs=(Repair.UNDECLARED_NAME,),
    kro_messages=(UNKNOWN_IDENTIFIERS,),
)
