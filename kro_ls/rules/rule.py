"""A rule: a code, a severity, an explanation with examples, and its checks. Also checks that several rules share."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from kro_ls.kro.places import Place
from kro_ls.kro.versions.version import ALL, NONE, Versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import NamedScope, Scope, TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.check_result import CheckError, ErrorKind
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.rules.diagnostics import Finding, Findings, Part, PartFindings, Severity


ExpressionCheck: TypeAlias = "Callable[[CheckedExpression, Resource | SchemaSection, TypedScope], Findings]"
ErrorCheck: TypeAlias = "Callable[[CheckedExpression, CheckError, TypedScope], Findings]"
ResourceCheck: TypeAlias = "Callable[[Resource, Scope], Findings]"
SchemaCheck: TypeAlias = "Callable[[SchemaSection, Scope], Findings]"
NameCheck: TypeAlias = "Callable[[Resource | SchemaSection, NamedScope], Findings]"
DocumentCheck: TypeAlias = "Callable[[RgdAnalysis], PartFindings]"


class BrokenYaml(Enum):
    """Whether a finding is shown beside an error of the YAML in its part: a wrong indentation causes many others."""

    SHOWN = "always"
    BEFORE = "where it stands before the lines that the error makes uncertain"
    HIDDEN = "never: what seems to be absent may be there"


class InTemplates(Enum):
    """Whether a rule is shown in a definition that Helm must render first, outside of the lines with actions."""

    CERTAIN = "always"
    UNLESS_TEXT_IS_ADDED = "where no action adds keys or items, which could make the finding wrong"
    NEVER = "not at all, because both branches of a condition are seen together"


WaitsFor: TypeAlias = Literal["rest", "declaration", "kinds"]
"""What a finding waits for: the rest of what the user is typing, a resource further down that declares the name, or the
kinds of the workspace."""


class Tag(Enum):
    """How clients show the findings of a rule, besides their severity."""

    UNNECESSARY = "faded"
    DEPRECATED = "struck through"


class Repair(Enum):
    """What may mend a diagnostic: `repairs/proof.py` makes each, and offers those that do mend it."""

    ADDED_ID = auto()
    ADDED_TEMPLATE = auto()
    CLOSED_EXPRESSION = auto()
    CLOSED_TEXT = auto()
    COMPLETED_OBJECT = auto()
    CONDITION = auto()
    DECLARED_FIELD = auto()
    GLUED_KEYS = auto()
    INLINED_REFERENCE = auto()
    KNOWN_KIND = auto()
    LINES_OF_EMPTY_FIELD = auto()
    MENDED_LINES = auto()
    MENDED_SYNTAX = auto()
    MISMATCH = auto()
    MOVED_LINES = auto()
    NO_OVERLOAD = auto()
    REMOVED_FIELD = auto()
    REMOVED_REPETITION = auto()
    RENAMED_ID = auto()
    STANDALONE = auto()
    TYPE_ERROR = auto()
    UNDECLARED_NAME = auto()
    UNDEFINED_FIELD = auto()
    UNKNOWN_CALL = auto()
    VERSION_FORM = auto()
    WRONG_DEFAULT = auto()
    WRONG_VALUE = auto()


_PLAIN = """\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
"""


class Rule(Struct, frozen=True):
    """One kind of diagnostic.

    `code` is its kebab-case name, `summary` one line, `explanation` a few plain sentences in Markdown. `wrong` and
    `right` are examples that do and do not show it, both tested: a whole RGD, or a fragment of its `spec` that begins
    with `schema:` or `resources:`. `wrong` is empty where a fault needs more than a definition of plain kinds to show.

    `check_resource`, `check_schema` and `check_outline` see one part and its scope, and run again when either has
    changed. The second sees a large schema section in parts: each field of `spec` and of `status`, and the rest with
    their first fields. The third is for all that is in neither: it sees this rest, and the whole section if it finds
    something there. None of them knows what other parts declare.
    `check_names` sees a resource or a part of the schema section, and which of its names are declared.
    `check_expression` sees one expression of these `places` with its types, one with type errors only if the rule
    `sees_faulty` ones, and one that is but a name, or fields of it, only if the rule `sees_plain_reads`. `check_error`
    sees one type error of the kinds `errors`. Neither sees an expression that is in error for another reason. They
    run again when the types of the expression have changed, or what `findings.py` names of the scope.
    `check_document` sees the whole RGD. All that it reads are queries, and it runs again when their results change. A
    rule whose findings come from the parser or another stage has no checks.
    `in_broken_yaml` says whether a finding is shown beside broken YAML.
    No check knows a version of kro: a finding says which versions it is about, and `versions` says it for all findings.
    `in_graphs` are the versions under which the rule is shown in a Graph, `in_patches` says whether it is shown in a
    patch of Kustomize, and `in_templates` whether in a template of Helm. A finding is held back while what it
    `waits_for` may still come.
    `repairs` are tried where it is found, the likeliest first: after the fixes of the finding, or before them if it
    `prefers_repairs`.
    `kro_messages` are what kro or the API server prints for it, with `{name}` for what differs; people search for them.
    """

    code: str
    severity: Severity
    summary: str
    explanation: str
    wrong: str = ""
    right: str = _PLAIN
    check_resource: ResourceCheck | None = None
    check_outline: SchemaCheck | None = None
    check_schema: SchemaCheck | None = None
    check_names: NameCheck | None = None
    check_expression: ExpressionCheck | None = None
    places: frozenset[Place] = frozenset(Place)
    sees_faulty: bool = False
    sees_plain_reads: bool = True
    check_error: ErrorCheck | None = None
    errors: frozenset[ErrorKind] = frozenset()
    check_document: DocumentCheck | None = None
    in_graphs: Versions = NONE
    in_patches: bool = False
    in_templates: InTemplates = InTemplates.CERTAIN
    waits_for: WaitsFor | None = None
    tag: Tag | None = None
    repairs: tuple[Repair, ...] = ()
    prefers_repairs: bool = False
    versions: Versions = ALL
    in_broken_yaml: BrokenYaml = BrokenYaml.SHOWN
    kro_messages: tuple[str, ...] = ()

    def versions_in(self, form: DefinitionForm) -> Versions:
        """Return the versions under which the rule is shown in definitions of a form."""
        return ALL if form.declares_kind else self.in_graphs


CodedFinding: TypeAlias = "tuple[str, Finding]"
"""A finding with the code of the rule that reports it."""

CodedFindings: TypeAlias = "Iterator[CodedFinding]"
"""What a check that several rules share yields."""

PlacedFinding: TypeAlias = "tuple[Part, str, Finding]"
"""A finding with the part that its spans are in, and the code of its rule."""


class SharedCheck(Struct, frozen=True):
    """The checks of `rules` that have none of their own; unlike those of a `Rule`, they yield codes with findings."""

    rules: tuple[Rule, ...]
    check_resource: Callable[[Resource, Scope], CodedFindings] | None = None
    check_outline: Callable[[SchemaSection, Scope], CodedFindings] | None = None
    check_schema: Callable[[SchemaSection, Scope], CodedFindings] | None = None
    check_document: Callable[[RgdAnalysis], Iterator[PlacedFinding]] | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its rules."""
        return tuple(rule.code for rule in self.rules)


UNKNOWN_IDENTIFIERS = "references unknown identifiers: [{names}]"
UNKNOWN_FIELD = 'unknown field "{path}"'
NO_KIND = "Object 'Kind' is missing"
