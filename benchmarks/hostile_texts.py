"""Texts that are meant to be slow or large, by name. Each can be generated at a share of its full size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

QUICK_SHARE = 0.02

_HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: hostile
spec:
  schema:
    apiVersion: v1alpha1
    kind: Hostile
    spec:
      name: string
"""
_CONFIG_MAP = """\
    - id: a
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name}
"""
_SMALL = f"{_HEAD}  resources:\n{_CONFIG_MAP}"


def _with_data(lines: Iterable[str], head: str = _SMALL) -> str:
    return head + "        data:\n" + "".join(f"          {line}\n" for line in lines)


def _aliases(share: float) -> str:
    expressions = "".join(f"          k{n}: ${{schema.spec.name + '{n}'}}\n" for n in range(300))
    aliases = "".join(f"          b{n}: *all\n" for n in range(int(500 * share)))
    return f"{_SMALL}        data: &all\n{expressions}        more:\n{aliases}"


def _documents(share: float) -> str:
    return "---\n".join(_SMALL.replace("id: a", f"id: a{n}") for n in range(int(10_000 * share)))


def _small_documents(share: float) -> str:
    return _SMALL + "---\na: 1\n" * int(100_000 * share)


def _block(share: float) -> str:
    return _with_data(["text: |", *("  " + "x" * 60 for _ in range(int(120_000 * share)))])


def _block_expressions(share: float) -> str:
    return _with_data(["text: |", *(f"  ${{schema.spec.name + '{n}'}}" for n in range(int(20_000 * share)))])


def _tabs(share: float) -> str:
    return _with_data(["list:", *(f"\t- item {n}" for n in range(int(3000 * share)))])


def _faults(share: float) -> str:
    return _with_data(f"k{n}: [" for n in range(int(3000 * share)))


def _merges(share: float) -> str:
    chain = (f"m{n}: &m{n} {{<<: *m{n - 1}, k{n}: v}}" for n in range(1, int(700 * share)))
    return _with_data(["m0: &m0 {k: v}", *chain])


def _ignores(share: float) -> str:
    return _SMALL + "# kro-ls: ignore[unresolved-reference]\n" * int(50_000 * share)


def _ignores_in_data(share: float) -> str:
    return _with_data(
        f"k{n}: ${{nothing{n}}} # kro-ls: ignore[unresolved-reference]" for n in range(int(5_000 * share))
    )


def _quotes(share: float) -> str:
    return _with_data(["k: '${" + '"' * int(1_000_000 * share) + "}'"])


def _quote_pairs(share: float) -> str:
    return _with_data([f"k: ${{{' + '.join([repr('')] * int(20_000 * share))}}}"])


def _flow(share: float) -> str:
    depth = int(900 * share)
    return _with_data(["k: " + "[" * depth + "]" * depth for _ in range(100)])


def _deep_flow(share: float) -> str:
    return _with_data(["k: " + "[" * int(1_000_000 * share)])


def _one_line(share: float) -> str:
    return _with_data(["k: " + "x" * int(8_000_000 * share)])


def _one_flow_line(share: float) -> str:
    return _with_data(["k: [" + "a, " * int(1_000_000 * share) + "]"])


def _keys(share: float) -> str:
    return _with_data(f"key{n}: value" for n in range(int(100_000 * share)))


def _expressions(share: float) -> str:
    return _with_data(f"key{n}: ${{schema.spec.name + '{n}'}}" for n in range(int(20_000 * share)))


def _unknown_names(share: float) -> str:
    return _with_data(f"key{n}: ${{nothing{n}.a.b}}" for n in range(int(20_000 * share)))


def _anchors(share: float) -> str:
    return _with_data(f"key{n}: &anchor{n} value{n}" for n in range(int(140_000 * share)))


def _fields(share: float) -> str:
    fields = "".join(f'      field{n}: string | default="x" description="a {n}"\n' for n in range(int(20_000 * share)))
    return _SMALL.replace("      name: string\n", "      name: string\n" + fields)


def _nested_type(share: float) -> str:
    return _SMALL.replace("name: string", "name: string\n      deep: " + "[]" * int(500_000 * share) + "string")


def _enum(share: float) -> str:
    values = ",".join(f"value{n}" for n in range(int(100_000 * share)))
    return _SMALL.replace("name: string", f'name: string | enum="{values}"')


def _long_expression(share: float) -> str:
    return _with_data([f"k: ${{{' + '.join(['schema.spec.name'] * int(50_000 * share))}}}"])


def _allowed_expression(share: float) -> str:
    return _with_data([f"k{n}: ${{{' + '.join(['schema.spec.name'] * int(5_000 * share))}}}" for n in range(10)])


def _nested_macros(share: float) -> str:
    nested = "1"
    for n in range(max(1, int(30 * share))):
        nested = f"[1,2,3].map(v{n}, {nested})"
    return _with_data([f"k: ${{{nested}}}"] * max(1, int(100 * share)))


def _chain(share: float) -> str:
    resources = [
        _CONFIG_MAP.replace("id: a", f"id: r{n}").replace("schema.spec.name", f"r{n - 1}.metadata.name")
        for n in range(1, int(5000 * share))
    ]
    return _SMALL.replace("id: a", "id: r0") + "".join(resources)


def _cycle(share: float) -> str:
    return _chain(share).replace("schema.spec.name", f"r{int(5000 * share) - 1}.metadata.name")


def _same_ids(share: float) -> str:
    return f"{_HEAD}  resources:\n" + _CONFIG_MAP * int(10_000 * share)


def _list_document(share: float) -> str:
    items = "".join("  - " + _SMALL.replace("\n", "\n    ").rstrip() + "\n" for _ in range(int(1000 * share)))
    return f"apiVersion: v1\nkind: List\nitems:\n{items}"


def _comments(share: float) -> str:
    return _SMALL + "# a comment that says nothing\n" * int(200_000 * share)


def _dollars(share: float) -> str:
    return _with_data(["k: '" + "${" * int(1_000_000 * share) + "'"])


def _open_braces(share: float) -> str:
    return _with_data(["k: '" + "${a " * 900 + "x" * int(1_000_000 * share) + "'"])


def _parentheses(share: float) -> str:
    return _with_data(["k: ${" + "(" * int(1_000_000 * share) + "}"])


HOSTILE_TEXTS: dict[str, Callable[[float], str]] = {
    "300 expressions, 500 aliases": _aliases,
    "10,000 definitions in documents": _documents,
    "100,000 small documents": _small_documents,
    "block scalar of 8 MB": _block,
    "block scalar of 20,000 expressions": _block_expressions,
    "3,000 items indented by tabs": _tabs,
    "3,000 faults": _faults,
    "700 merge keys in a chain": _merges,
    "50,000 ignore comments": _ignores,
    "5,000 findings ignored": _ignores_in_data,
    "1,000,000 quotes in CEL": _quotes,
    "20,000 strings in one expression": _quote_pairs,
    "100 flow collections, 900 deep": _flow,
    "flow collection, 1,000,000 deep": _deep_flow,
    "one line of 8 MB": _one_line,
    "1,000,000 items on a line": _one_flow_line,
    "100,000 keys in a map": _keys,
    "20,000 expressions in a map": _expressions,
    "20,000 unknown names in a map": _unknown_names,
    "140,000 anchors": _anchors,
    "20,000 fields": _fields,
    "500,000 lists in a type": _nested_type,
    "100,000 values of an enum": _enum,
    "expression of 1 MB": _long_expression,
    "10 expressions of 95 KB": _allowed_expression,
    "macros nested 30 deep": _nested_macros,
    "chain of 5,000 resources": _chain,
    "cycle of 5,000 resources": _cycle,
    "10,000 resources of one id": _same_ids,
    "List of 1,000 definitions": _list_document,
    "200,000 comments": _comments,
    "1,000,000 openings of expressions": _dollars,
    "900 openings before 1 MB": _open_braces,
    "1,000,000 parentheses": _parentheses,
}
