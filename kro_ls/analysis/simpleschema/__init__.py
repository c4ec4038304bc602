"""SimpleSchema, the short form in which an RGD declares its instances' fields: `name: string | required=true`.

`parse_field` reads one field's text, `build_schema` a whole `spec` with its custom types. Pure: texts in, values out.
"""

from kro_ls.analysis.simpleschema.builder import (
    build_field,
    build_schema,
    join_fields,
    load_types,
    put_together,
    result_of,
)
from kro_ls.analysis.simpleschema.parser import parse_field

__all__ = ["build_field", "build_schema", "join_fields", "load_types", "parse_field", "put_together", "result_of"]
