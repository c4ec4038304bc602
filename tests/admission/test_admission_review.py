"""What fits into an answer."""

from __future__ import annotations

from kro_ls.admission.admission_review import Message, allowed, judged


def test_errors_are_listed_with_field_place_and_code() -> None:
    errors = [
        Message("spec.resources[0].id", "is not good", "invalid-resource-id", "resource 'a-b'"),
        Message("", "as a whole"),
    ]
    verdict = judged("kro refuses this: 2 errors", errors, [])
    assert verdict.outcome == "denied"
    assert verdict.denied.splitlines() == [
        "kro refuses this: 2 errors",
        "- spec.resources[0].id (resource 'a-b'): is not good [invalid-resource-id]",
        "- as a whole",
    ]


def test_many_errors_are_counted() -> None:
    verdict = judged("no", [Message("spec", f"number {each}") for each in range(60)], [])
    assert verdict.denied.splitlines()[-1] == "- and 10 more; 'kro-ls check' shows all of them"
    assert len(verdict.causes) == 50


def test_a_message_cannot_add_lines() -> None:
    verdict = judged("no", [Message("spec", "one\n- two\x1b[31m")], [])
    assert verdict.denied == "no\n- spec: one\\n- two\\x1b[31m"


def test_a_long_warning_is_cut_to_what_an_api_server_passes_on() -> None:
    (warning,) = allowed("warned", "ä" * 300).warnings
    assert len(warning.encode()) <= 256
    assert warning.endswith("...")
    assert allowed("warned", "a\nb").warnings == ("a\\nb",)


def test_all_warnings_together_have_room() -> None:
    verdict = judged("", [], [Message("spec", f"{each:03} {'x' * 200}") for each in range(40)])
    assert sum(len(each.encode()) for each in verdict.warnings) <= 4096
    *reported, last = verdict.warnings
    assert last == f"and {40 - len(reported)} more warnings; 'kro-ls check' shows all of them"


def test_warnings_that_just_fit_are_all_reported() -> None:
    warnings = [Message("", "x" * 256) for _ in range(16)]
    assert len(judged("", [], warnings).warnings) == 16


def test_nothing_found_is_allowed() -> None:
    assert judged("no", [], []).outcome == "allowed"
