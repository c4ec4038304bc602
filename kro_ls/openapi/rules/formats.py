"""Kubernetes' functions that check texts against named formats (apiserver `pkg/cel/library/format.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

NAMES = (
    "dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix "
    "dns1035LabelPrefix labelValue uri uuid byte date datetime"
).split()

FUNCTIONS = (
    function(
        "format.named",
        Documentation("The format of that name, if there is one.", "!format.named('uid').hasValue()"),
        {"format-named": "(name: string) -> optional_type(kubernetes.NamedFormat)"},
    ),
    function(
        "validate",
        Documentation(
            "What is wrong with the text by the format; none when it is right.",
            "!format.dns1123Label().validate('my-name').hasValue()",
        ),
        {"format-validate": "kubernetes.NamedFormat.(text: string) -> optional_type(list(string))"},
    ),
    *(
        function(
            f"format.{name}",
            Documentation("A format to `validate` texts by.", f"format.{name}().validate('a b').hasValue()"),
            {f"format-{name}": "() -> kubernetes.NamedFormat"},
        )
        for name in NAMES
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
