"""Definitions to start from: our own, renamed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from kro_ls.runtime.values.names import kebab_case

_FOLDER: Final = Path(__file__).parent / "templates"

TEMPLATES: Final = {
    "web-app": "a Deployment with its Service, and an Ingress for those who ask",
    "job": "a Job, or a CronJob where there is a schedule",
    "namespace": "a namespace for a team: quota, network policy, a role for its members",
    "aws-bucket": "an S3 bucket by AWS Controllers for Kubernetes, and a ConfigMap that says where it is",
}
"""The names of the templates, and what each becomes."""

_KIND: Final = re.compile(r"^    kind: (\w+)$", re.MULTILINE)


def template_text(template: str, kind: str = "") -> str:
    """Return the text of a template; `kind` takes the place of its own kind, wherever the kind is named."""
    text = (_FOLDER / f"{template}.yaml").read_text(encoding="utf-8")
    own = _KIND.search(text)
    if not kind or own is None:
        return text
    renamed = re.sub(rf"\b{own[1]}\b", kind, text)
    return renamed.replace(f"metadata:\n  name: {kebab_case(own[1])}\n", f"metadata:\n  name: {kebab_case(kind)}\n", 1)
