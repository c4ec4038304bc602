"""The CustomResourceDefinition that kro generates for an RGD, its status inferred from the status expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.analysis.crd.generate import generate_crd
from kro_ls.analysis.types.checking import CheckedExpression, Types, check_part
from kro_ls.analysis.types.status_schema import CyclicTypeError, schema_of, status_schema
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.types.types import DYN, Kind
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.conversion import to_python

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.types.status_schema import FindStruct

Json: TypeAlias = dict[str, Any]


def generated_crd(rgd: RgdAnalysis) -> Json | None:
    """Return the CRD as JSON, None for an RGD without a schema.

    Of an RGD with errors it is as far as it can be told: what is in error keeps anything.
    """
    schema = rgd.rgd.schema
    if schema is None:
        return None
    section = to_python(schema.section.node)
    return generate_crd(
        section if isinstance(section, dict) else {}, simple_schema(schema.section).recovered, inferred_status(rgd)
    )


def inferred_status(rgd: RgdAnalysis) -> Json | None:
    """Return the schema that the status expressions give, without kro's own fields; None where there are none."""
    schema = rgd.rgd.schema
    if schema is None:
        return None
    scope = rgd.surroundings.scope(schema.section)
    find_struct = Types(scope.bindings).provider.find_struct
    fields = [
        (each.expression.path, each.result.type if _has_schema(each, find_struct) else DYN)
        for each in check_part(schema.section, scope.bindings, None)
        if each.expression.place is Place.STATUS
    ]
    return status_schema(fields, find_struct) if fields else None


def _has_schema(checked: CheckedExpression, find_struct: FindStruct) -> bool:
    if checked.result.errors or checked.result.type.kind is Kind.ERROR:
        return False
    try:
        schema_of(checked.result.type, find_struct)
    except CyclicTypeError:
        return False
    return True
