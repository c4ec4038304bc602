"""The rows of the upgrade table, each with texts for one version of kro that are upgraded to another.

A text is `kept` if the rewritten text has the same meaning in the target as the old one in the source, and `asks` if
the user has to decide. If no version accepted the old text, the target accepts the new one (`mended`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from tests.fixtures.definitions import rgd

Outcome = Literal["kept", "asks", "mended"]


@dataclass(frozen=True, slots=True)
class Row:
    """Texts for two versions, named as the folders of the oracle; `objects_in` is one that can render both texts."""

    name: str
    source: str
    target: str
    texts: tuple[str, ...]
    outcome: Outcome = "kept"
    objects_in: str = ""


@dataclass(frozen=True, slots=True)
class RowCase:
    """One text of a row."""

    row: Row
    number: int

    @property
    def name(self) -> str:
        """Its name in the recorded answers."""
        return f"{self.row.name}, {self.row.source or 'none'} to {self.row.target}, {self.row.outcome} {self.number}"

    @property
    def text(self) -> str:
        """The definition."""
        return self.row.texts[self.number]


def digest(text: str) -> str:
    """Return a digest that shows whether an answer was recorded for this text."""
    return sha256(text.encode()).hexdigest()[:12]


def row_cases() -> Iterator[RowCase]:
    """Yield every text of every row."""
    for row in ROWS:
        yield from (RowCase(row, number) for number in range(len(row.texts)))


def _field(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n")
    return rgd(_config(), spec=f'{{field: "{quoted}"}}')


def _config(more: str = "", id_: str = "config", kind: str = "ConfigMap", name: str = "one") -> str:
    head = f"- id: {id_}\n  template:\n    apiVersion: v1\n    kind: {kind}\n    metadata:\n      name: {name}\n"
    return head + "".join(f"    {line}\n" for line in more.splitlines())


def _status(text: str) -> str:
    return rgd(_config(), status=text + "name: ${config.metadata.name}\n")


_DROPPED = (
    "string | default=IRSA role for ACK",
    "string | description=the role",
    "string | description= the role",
    "string | default= foo",
    "string | required",
    "string | foo bar",
    "string |",
    "string |  ",
    "string | |",
    "string | required {a b}",
    "string | default=x ",
    "string | default=x |",
    'string | default="a b" c',
    'string | default=" x" y',
    'string | default="" x',
    'string | description="say \\"hi\\"" now',
    "string | default=[a b] c",
    "string | default==a b",
    "string | default=a\tb",
    "string | default=a\nb",
    "string | default=a\u00a0b",
    "string | default=a|b c",
    "string | default=x required",
    "string | default=a required:true",
    "string | required=true default=a, b",
    "string | enum=a,b c",
    "string | pattern=^[a-z ]+$ more",
    "string | minLength=1 maxLength",
    "integer | minimum=1 maximum=9 default=3 and more",
    "integer | default=5 minimum",
    "boolean | default=true if",
    '[]string | default=["a", "b"] \'c d\'',
    'map[string]integer | default={"a": 1} x',
    "object | description=any thing",
    "string | immutable=true x",
    'boolean | validation="self || true" and more',
)
_REFUSED_BEFORE = (
    "string | enum=a, b",
    "string | required= true",
    "string | required=x y",
    "string | minLength=x y",
    "integer | default=a b",
    'string | default="a"b c',
    "string | default=a\\ b",
    'string | required "abc',
    "string | required [",
    "string | required }",
    "string | default=a foo=b c",
    "strin | required",
)
_FIXED_STATUS = (
    "phase: Fixed\n",
    "phase: string # a type\n",
    "nested:\n  deep: {}\n  a: string\n  b:\n    c: 1\n",
    "some:\n  fixed: x\n  real: ${config.metadata.uid}\n",
)
_NESTED_TYPES = (
    "spec: {a: A}\n    types: {A: {b: B}, B: {c: string}}",
    "spec: {a: '[]A', m: 'map[string]A'}\n    types: {A: {b: B, n: integer | default=1}, B: {c: string | default=x}}",
    """spec: {a: A | required=true}
    types:
      A:
        b: B # first
      B: {c: C, d: string | default=x}
      C: {e: "string | default=\\"é 'q'\\" enum=\\"é 'q',b\\""}""",
)


def _typed(schema: str) -> str:
    return rgd(_config()).replace("spec: {name: string}", schema)


_SPACE = _config(id_="space", kind="Namespace", name="two")


def _space(namespace: str) -> str:
    return rgd(_config() + _SPACE + f"      namespace: {namespace}\n")


def _user(id_: str, expression: str) -> str:
    return rgd(_config(id_=id_) + _config(id_="user", name="two", more=f"data: {{a: '{expression}'}}\n"))


_REFERENCE = "- id: db\n  externalRef: {apiVersion: v1, kind: KIND, metadata: {name: x}}\n"
_OPEN = (
    "data: {a: 'echo ${HOME'}",
    "data: {a: '${HOME'}",
    'data: {a: "say ${HOME \\"now\\" \\\\ "}',
    "data: {a: 'x-${string(1)}-${HOME'}",
    'data: {a: "a\\t${HOME\\r\\n"}',
    "data:\n  a: |\n    echo ${HOME\n",
)
_OPEN_LINES = ("data:\n  a: |\n    echo ${HOME\n    more\n",)
_BRACES = (
    "data: {a: \"${'}' + string(1)}\"}",
    "data:\n  a: x-${'a}b'}-${'c'}-${'{}'}\n",
    "data: {a: \"${'é}\\\\'' + '}'}\"}",
)

ROWS = (
    *(
        Row("words after the last marker", source, target, tuple(map(_field, _DROPPED)))
        for source, target in (("0.7.1", "0.9.4"), ("0.8.5", "0.9.0"), ("0.8.5", "0.10.dev"))
    ),
    *(
        Row("words after a marker that is refused", source, "0.9.4", tuple(map(_field, _REFUSED_BEFORE)), "asks")
        for source in ("0.7.1", "0.8.5")
    ),
    *(
        Row("a fixed status field", "0.7.1", target, tuple(map(_status, _FIXED_STATUS)))
        for target in ("0.8.5", "0.9.4")
    ),
    Row(
        "the namespace of a cluster-scoped kind",
        "0.7.1",
        "0.9.4",
        (_space("gone # why"), _space("${schema.metadata.namespace}"), _space("${schema.spec.name}")),
    ),
    Row(
        "an empty default",
        "0.8.5",
        "0.9.4",
        (_field("integer | default= 3"), _field("boolean | default= true")),
        "asks",
    ),
    Row(
        "words after rules of which the last counted",
        "0.8.5",
        "0.9.4",
        (
            _field("boolean | validation=self validation=!self more"),
            _field("boolean | immutable=true validation=self more"),
            _field("boolean | validation=self validation=!self "),
        ),
        "asks",
    ),
    Row(
        "the beginning of a rule",
        "0.8.5",
        "0.9.4",
        (_field("boolean | validation=self || true"), _field("boolean | validation=self and more")),
        "asks",
    ),
    Row("a rule and immutable", "0.8.5", "0.9.4", (_field("boolean | validation=self immutable=true more"),)),
    Row("a namespace to wait for", "0.7.1", "0.9.4", (_space("${config.metadata.name}"),), "asks"),
    Row(
        "a reserved word",
        "0.9.4",
        "0.10.dev",
        (
            _user("graphengine", '${graphengine.metadata.name + "graphengine"}'),
            _user("graphengine", "${[1].map(x, graphengine.metadata.name)[0]}"),
            rgd(_config(id_="graphengine"), status="a: ${graphengine.metadata.name}\n"),
        ),
    ),
    Row(
        "a reserved word in the way",
        "0.9.4",
        "0.10.dev",
        (_user("graphengine", "${[1].map(graphengineResource, graphengine.metadata.name)[0]}"),),
        "asks",
    ),
    Row("each", "0.7.1", "0.9.4", (_user("each", "${each.metadata.name}"),)),
    Row("types in types", "0.9.4", "0.7.1", tuple(map(_typed, _NESTED_TYPES))),
    Row("types in types", "0.8.5", "0.6.3", tuple(map(_typed, _NESTED_TYPES))),
    Row(
        "an external reference without a namespace",
        "0.7.1",
        "0.6.3",
        tuple(rgd(_REFERENCE.replace("KIND", kind) + _config()) for kind in ("Secret", "ConfigMap")),
    ),
    Row("an open expression", "0.9.4", "0.10.dev", tuple(rgd(_config(each)) for each in _OPEN), objects_in="0.9.4"),
    Row(
        "an open expression over lines", "0.9.4", "0.10.dev", tuple(rgd(_config(each)) for each in _OPEN_LINES), "asks"
    ),
    Row(
        "braces in single quotes",
        "0.10.dev",
        "0.9.4",
        tuple(rgd(_config(each)) for each in _BRACES),
        objects_in="0.10.dev",
    ),
    Row(
        "a number in a text of the status",
        "0.7.1",
        "0.9.4",
        (_status("a: have ${config.metadata.generation}\n"), _status("a: ${config.metadata.generation} of it\n")),
        "asks",
    ),
    Row(
        "forms that no version with an oracle took",
        "",
        "0.9.4",
        (
            _field("string[]"),
            rgd(_config("data: {a: 'x-${1}-${true}-${1.5}'}")),
            rgd(_config()).replace("template:", "definition:"),
            rgd(
                _config()
                + "  readyOn: ['${config.metadata.name != \"\"}']\n  conditions: ['${schema.spec.name != \"\"}']\n"
            ),
            rgd(_config()).replace("spec:\n", "spec:\n  defaultServiceAccounts: {'*': admin}\n", 1),
            _user("instance", "${instance.metadata.name}"),
        ),
        "mended",
    ),
    Row(
        "forms with a meaning of long ago",
        "",
        "0.9.4",
        (
            rgd(_config("data: {a: 'x-${config2.metadata.creationTimestamp}'}") + _config(id_="config2", name="two")),
            _field("string[] | required"),
            _field("strin[]"),
        ),
        "asks",
    ),
)
