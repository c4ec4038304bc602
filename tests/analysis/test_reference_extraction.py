"""kro's scanner on strings: the CEL that it compiles, plain text, or an error (executed cases)."""

from __future__ import annotations

import pytest

from kro_ls.analysis.model.expressions import compile_scalar, extract


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        ("${a}", "a"),
        ("${ a }", " a "),
        ("${}", ""),
        ('${"${X}"}', '"${X}"'),
        ('${"}"}', '"}"'),
        ('${{"a":1}}', '{"a":1}'),
        ('${outer("${inner}")}', 'outer("${inner}")'),
        ('${"text with }} inside"}', '"text with }} inside"'),
        ("${c ? {} : {}}", "c ? {} : {}"),
        ('${{"k": {"n": 1}}}', '{"k": {"n": 1}}'),
        ('${"a"${b}}', '"a"${b}'),
        ('${"a\\"}"}', '"a\\"}"'),
    ],
)
def test_standalone(text: str, compiled: str) -> None:
    result = compile_scalar(text, extract(text))
    assert result is not None
    assert (result.standalone, result.text, result.user_text) == (True, compiled, compiled)


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (" ${a}", '" " + (a)'),
        ("${a}\n", '(a) + "\\n"'),
        ("p-${a}-${b}-s", '"p-" + (a) + "-" + (b) + "-s"'),
        ("${a}${b}", "(a) + (b)"),
        ("a$${b}", '"a$" + (b)'),
        ("$${x}", '"$" + (x)'),
        ("\\${a}", '"\\\\" + (a)'),
        ("${a} ${b", '(a) + " ${b"'),
        ("${'}'}", "(') + \"'}\""),
        ("${a}}", '(a) + "}"'),
        ('say "hi" ${a}', '"say \\"hi\\" " + (a)'),
        ("${'\"'} ${z}", '"${\'\\"\'} " + (z)'),
        ("\x7f\u00a0é${x}", '"\\x7f\\u00a0é" + (x)'),
        ("\U000e0001${x}", '"\\U000e0001" + (x)'),
    ],
)
def test_templates(text: str, compiled: str) -> None:
    result = compile_scalar(text, extract(text))
    assert result is not None
    assert (result.standalone, result.text, result.user_text) == (False, compiled, text)


@pytest.mark.parametrize(
    "text", ["${a", "x ${a", '${a"}', "${'{'}", "${'\"'}", '${r"\\"}', "${incomplete", "$VAR $(a) {{x}} }", "$", "${"]
)
def test_literals(text: str) -> None:
    assert compile_scalar(text, extract(text)) is None
    assert extract(text).nested is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("${f('${X}')}", 5),
        ("${a${b}}", 3),
        ("${a ${b}", 4),
        ("${a ${b", 4),
        ("${incomplete ${complete}", 13),
        ("${outer(${inner})}", 8),
    ],
)
def test_nested(text: str, at: int) -> None:
    nested = extract(text).nested
    assert compile_scalar(text, extract(text)) is None
    assert nested is not None
    assert nested.start == at
