"""Where older versions of kro do not look for names."""

from __future__ import annotations

from tests.rules.version_settings import CONFIG, check, without_marks


def test_names_of_cel_were_fine_in_lists_and_maps() -> None:
    alone = (
        CONFIG
        + """\
        size: ${string(lists.range(2).size())}
        #                    ^^^^^ newer-kro-needed: 'lists.range' needs kro 0.8.0
"""
    )
    in_list = """\
        sizes: ${string([lists.range(2)].size())}
        #                      ^^^^^ newer-kro-needed: 'lists.range' needs kro 0.8.0
"""
    check("0.6.3", alone + without_marks(in_list))
    check("0.7.1", alone + in_list)
    check("0.8.0", without_marks(alone + in_list))


def test_names_of_cel_were_fine_in_conditions() -> None:
    include = """\
    includeWhen:
      - ${type(schema.metadata.name) == string}
      #                                 ^^^^^^ unresolved-reference
"""
    ready = """\
    readyWhen:
      - ${lists.range(2).size() == 2 && type(config.kind) == string}
      #                                                      ^^^^^^ unresolved-reference
"""
    config = CONFIG.removesuffix("      data:\n")
    check("0.7.1", config + without_marks(include + ready))
    check("0.8.0", config + without_marks(include) + ready)
    check("0.8.5", config + include + ready)


def test_only_the_first_part_of_a_status_was_looked_at() -> None:
    status = """\
schema:
  apiVersion: v1
  kind: App
  status:
    name: ${config.metadata.name} ${string(lists.range(2).size())}
    size: ${string(size("a"))} ${config.metadata.name}
"""
    config = CONFIG.removesuffix("      data:\n")
    mark = "    #     " + "^" * len('${string(size("a"))} ${config.metadata.name}') + " status-without-reference\n"
    check("0.7.1", status + mark + config)
    check("0.8.0", status + config)


def test_a_list_with_resources_was_no_reference() -> None:
    status = """\
schema:
  apiVersion: v1
  kind: App
  status:
    size: ${[config.metadata.name].size()}
    #     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ status-without-reference
"""
    config = CONFIG.removesuffix("      data:\n")
    check("0.6.3", status + config)
    check("0.7.1", without_marks(status) + config)


def test_one_version_took_functions_with_a_dot_for_resources() -> None:
    source = (
        CONFIG
        + """\
        code: ${base64.encode(b"a")}
        #              ^^^^^^ newer-kro-needed: 'base64.encode' needs kro 0.8.0
    readyWhen:
      - ${random.seededString(3, config.metadata.name) != ""}
"""
    )
    check("0.7.1", source)
    for version in ("0.6.3", "0.8.0"):
        check(version, without_marks(source))


def test_a_resource_in_a_list_made_no_dependency() -> None:
    source = """\
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${[second.metadata.name, first.metadata.name][0]}
        #                              ^^^^^ self-reference
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${first.metadata.name}
        #       ^^^^^ dependency-cycle
"""
    check("0.6.3", without_marks(source))
    check("0.7.1", source)
