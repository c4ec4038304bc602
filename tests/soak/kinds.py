"""Damaged custom resource definitions and descriptions of clusters: questions about their users are still answered."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.parsing import forget_problems
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.dump import DumpedKubernetes
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.kinds.broken_crd import check_crds
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.soak.damage import damage_value, damaged
from tests.soak.subject import Subject
from tests.soak.texts import BUCKET, CRD, SWAGGER

if TYPE_CHECKING:
    from random import Random

    from kro_ls.openapi.json_values import JsonValue

_SETTINGS = Settings()


@cache
def _crd() -> JsonValue:
    return parse_stream(Text(CRD)).documents[0].to_python()


def _make_crds(random: Random) -> str:
    """Damage the text, or only its values so that it can still be parsed."""
    if random.random() < 0.5:
        return damaged(random, CRD)
    value = json.loads(json.dumps(_crd()))
    damaged_part = value["spec"]["versions"] if random.random() < 0.8 else value
    for _ in range(random.randint(1, 3)):
        damage_value(random, damaged_part)
    return json.dumps(value)


def _run_crds(text: str) -> int:
    """Check that questions about the CRD are also answered."""
    source = CrdSource((("/crd.yaml", text),), schema_index(kubernetes()).object_meta)
    diagnose_text(Text(BUCKET), _SETTINGS, schema_index(kubernetes(), (source,)))
    check_crds(Text(text), _SETTINGS)
    forget_problems()
    return 1


def _make_swagger(random: Random) -> str:
    """Damage the values, because damaged JSON is not read at all."""
    if random.random() < 0.1:
        return damaged(random, SWAGGER)
    document = json.loads(SWAGGER)
    for _ in range(random.randint(1, 3)):
        damage_value(random, document)
    return json.dumps(document)


def _run_swagger(text: str) -> int:
    dumped = DumpedKubernetes((("/swagger.json", text),))
    diagnose_text(Text(BUCKET), _SETTINGS, schema_index(dumped))
    return 1


CRDS = Subject(_make_crds, _run_crds, share=10)
SWAGGER_FILES = Subject(_make_swagger, _run_swagger, share=10)
