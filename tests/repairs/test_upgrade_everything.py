"""All that is certain is mended at once, and nothing else."""

from __future__ import annotations

from kro_ls.repairs.proof import errors
from kro_ls.repairs.upgrade import fix_everything
from tests.repairs.test_fixes import definition, document


def test_typos_are_mended_at_once() -> None:
    broken = definition("${schema.spec.nme}", "${schema.spec.sze > 1}", '"2"')
    mended = fix_everything(document(broken))
    assert [step.title for step in mended.steps] == ["Change to 'name'", "Change to 'size'"]
    assert mended.document.text.content == definition("${schema.spec.name}", replicas='"2"')
    assert len(errors(mended.document)) == 1  # the author has to decide what "2" means


def test_what_is_right_stays() -> None:
    assert not fix_everything(document(definition())).steps
