"""Makes ResourceGraphDefinitions of any size: `python -m benchmarks.generate LINES` prints one."""

from __future__ import annotations

import argparse
import sys

HEADER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: {name}
spec:
  schema:
    apiVersion: v1alpha1
    kind: {kind}
    spec:
      name: string | required=true
    status:
      first: ${{config0.metadata.name}}
  resources:
"""

RESOURCE = """\
    - id: config{number}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {{name: "${{schema.spec.name}}-{number}", labels: {{after: "{after}"}}}}
"""

HEADER_LINES = HEADER.count("\n")
RESOURCE_LINES = RESOURCE.count("\n")


def definition(resources: int, number: int = 0) -> str:
    """A definition that kro accepts, in which every resource but the first refers to an earlier one.

    Definitions with different numbers have different names and kinds.
    """
    blocks = [HEADER.format(name=f"generated-{number}", kind=f"Generated{number}")]
    for index in range(resources):
        after = f"${{config{index // 2}.metadata.name}}" if index else "nothing"
        blocks.append(RESOURCE.format(number=index, after=after))
    return "".join(blocks)


def definition_of_lines(lines: int) -> str:
    """The largest such definition of at most that many lines (1,000 resources are about 5,000 lines)."""
    return definition(max(1, (lines - HEADER_LINES) // RESOURCE_LINES))


def main() -> None:
    """Print a definition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", type=int)
    sys.stdout.write(definition_of_lines(parser.parse_args().lines))


if __name__ == "__main__":
    main()
