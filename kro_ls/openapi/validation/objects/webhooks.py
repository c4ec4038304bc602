"""What the API server refuses in webhooks of admission, their match conditions, and API services.

Source: k8s.io/kubernetes, pkg/apis/admissionregistration/validation/validation.go, and k8s.io/kube-aggregator,
pkg/apis/apiregistration/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import label_1035_problems, label_key_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    between,
    error,
    invalid,
    is_empty,
    needs,
    number_of,
    one_of,
    text_of,
)
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.rules.admission_expressions import Expressions
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check


def match_conditions(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the conditions of a webhook."""
    from kro_ls.openapi.rules.admission_expressions import Expressions  # imports CEL, which few objects need

    yield from conditions(value, path, Expressions(has_params=False))


def conditions(value: JsonValue, path: Path, expressions: Expressions) -> Iterator[FieldError]:
    """Yield what is wrong with the match conditions of a webhook or a policy."""
    names: set[str] = set()
    for number, each in enumerate(as_list(value)):
        here = (*path, number)
        expression, name = text_of(each, "expression"), text_of(each, "name")
        if expression is not None and not expression.strip():
            yield error((*here, "expression"), ErrorType.REQUIRED)
        elif expression is not None:
            yield from compiled((*here, "expression"), expression.strip(), expressions.problem(expression.strip()))
        if name == "":
            yield error((*here, "name"), ErrorType.REQUIRED)
        elif name is not None:
            yield from invalid((*here, "name"), name, label_key_problems(name))
            if name in names:
                yield error((*here, "name"), ErrorType.DUPLICATE, name)
            names.add(name)


def compiled(path: Path, text: str, problem: str) -> Iterator[FieldError]:
    """Yield the error of an expression that does not compile."""
    if problem:
        yield error(path, ErrorType.INVALID, text, problem)


_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
FAILURES: Final = one_of("Fail", "Ignore", or_empty=False)
MATCHES: Final = one_of("Equivalent", "Exact", or_empty=False)


def _each_needed(name: str) -> Check:
    """Return a check of a list of texts that is required, and has no empty ones."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        found, here = value.get(name), (*path, name)
        if is_empty(found):
            yield error(here, ErrorType.REQUIRED)
        items = as_list(found)
        if len(items) > 1 and "*" in items and name != "resources":
            detail = "if '*' is present, must not specify other " + (
                "API groups" if name == "apiGroups" else "API versions"
            )
            yield error(here, ErrorType.INVALID, items, detail)
        for number, each in enumerate(items):
            if each == "" and name != "apiGroups":
                yield error((*here, number), ErrorType.REQUIRED)

    return check


RULE: Final = Shape(
    ("", needs("operations")),
    ("operations[]", one_of(*_OPERATIONS, or_empty=False)),
    ("", _each_needed("apiGroups")),
    ("", _each_needed("apiVersions")),
    ("", _each_needed("resources")),
    ("scope", one_of("*", "Cluster", "Namespaced", or_empty=False)),
)


def _client(value: JsonValue, path: Path) -> Iterator[FieldError]:
    config = as_object(value).get("clientConfig", {})
    here = (*path, "clientConfig")
    if not isinstance(config, dict):
        return
    url, service = config.get("url"), config.get("service")
    if (url is None) is (service is None):
        yield error(here, ErrorType.REQUIRED, "", "exactly one of url or service is required")
    elif isinstance(url, str) and not url.startswith("https://"):
        detail = "'https' is the only allowed URL scheme; desired format: https://host[/path]"
        yield error((*here, "url"), ErrorType.INVALID, url, detail)
        if not url.partition("://")[2]:
            detail = "host must be specified; desired format: https://host[/path]"
            yield error((*here, "url"), ErrorType.INVALID, url, detail)
    elif isinstance(service, dict):
        yield from _SERVICE(service, (*here, "service"))


def _service_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, str) or value in ("", "/"):
        return
    if not value.startswith("/"):
        yield error(path, ErrorType.INVALID, value, "must start with a '/'")
        return
    steps = value.removesuffix("/")[1:].split("/")
    for number, step in enumerate(steps):
        if not step:
            yield error(path, ErrorType.INVALID, value, f"segment[{number}] may not be empty")
        else:
            yield from invalid(path, value, (f"segment[{number}]: {each}" for each in subdomain_problems(step)))


_service_port: Final = between(1, 65535, "port is not valid: must be between 1 and 65535, inclusive")
_SERVICE: Final = Shape(("", needs("name")), ("", needs("namespace")), ("path", _service_path), ("port", _service_port))


def _domain(value: JsonValue, path: Path) -> Iterator[FieldError]:
    text = text_of(value, "name")
    here = (*path, "name")
    if not isinstance(value, dict) or text is None:
        return
    if text == "":
        yield error(here, ErrorType.REQUIRED)
        return
    problems = subdomain_problems(text)
    yield from invalid(here, text, problems)
    if not problems and text.count(".") < 2:
        detail = "should be a domain with at least three segments separated by dots"
        yield error(here, ErrorType.INVALID, text, detail)


def _versions(value: JsonValue, path: Path) -> Iterator[FieldError]:
    versions, here = as_object(value).get("admissionReviewVersions"), (*path, "admissionReviewVersions")
    if is_empty(versions):
        yield error(here, ErrorType.REQUIRED, "", "must specify one of v1, v1beta1")
        return
    items = as_list(versions)
    for number, each in enumerate(items):
        if not isinstance(each, str):
            return
        if each in items[:number]:
            yield error((*here, number), ErrorType.INVALID, each, "duplicate version")
        yield from invalid((*here, number), each, label_1035_problems(each))
    if items and not {"v1", "v1beta1"}.intersection(map(str, items)):
        yield error(here, ErrorType.INVALID, items, "must include at least one of v1, v1beta1")


def _side_effects(value: JsonValue, path: Path) -> Iterator[FieldError]:
    effects, here = as_object(value).get("sideEffects"), (*path, "sideEffects")
    if effects is None:
        yield error(here, ErrorType.REQUIRED, "", "must specify one of None, NoneOnDryRun")
    else:
        yield from one_of("None", "NoneOnDryRun", or_empty=False)(effects, here)


_HOOK: Final = Shape(
    ("", _domain),
    ("rules[]", RULE),
    ("failurePolicy", FAILURES),
    ("matchPolicy", MATCHES),
    ("", _side_effects),
    ("timeoutSeconds", between(1, 30, "the timeout value must be between 1 and 30 seconds")),
    ("namespaceSelector", LABEL_SELECTOR),
    ("objectSelector", LABEL_SELECTOR),
    ("", _client),
    ("matchConditions", match_conditions),
)
VALIDATING_WEBHOOKS: Final = Shape(("webhooks[]", Shape(("", _versions), ("", _HOOK))))
MUTATING_WEBHOOKS: Final = Shape(
    (
        "webhooks[]",
        Shape(
            ("", _versions),
            ("", _HOOK),
            ("reinvocationPolicy", one_of("IfNeeded", "Never", or_empty=False)),
        ),
    )
)


def api_service(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with an API that another server serves."""
    fields = as_object(value)
    spec, name = fields.get("spec", {}), text_of(fields.get("metadata"), "name")
    if not isinstance(spec, dict):
        return
    group, version = text_of(spec, "group"), text_of(spec, "version")
    here = (*path, "spec")
    if name is not None and group is not None and version is not None and name != f"{version}.{group}":
        detail = f'must be `spec.version+"."+spec.group`: "{version}.{group}"'
        yield error((*path, "metadata", "name"), ErrorType.INVALID, name, detail)
    if group:
        yield from invalid((*here, "group"), group, subdomain_problems(group))
    elif group == "" and version != "v1":
        yield error(
            (*here, "group"), ErrorType.REQUIRED, "", "only v1 may have an empty group and it better be legacy kube"
        )
    if version is not None:
        yield from invalid((*here, "version"), version, label_1035_problems(version))
    for field, most in (("groupPriorityMinimum", 20000), ("versionPriority", 1000)):
        number = number_of(spec, field)
        if number is not None and not 0 < number <= most:
            detail = f"must be positive and less than {most}"
            yield error((*here, field), ErrorType.INVALID, number, detail)
    service = spec.get("service")
    if service is not None:
        yield from Shape(("", needs("namespace")), ("", needs("name")), ("port", _service_port))(
            service, (*here, "service")
        )
    if spec.get("insecureSkipTLSVerify") is True and not is_empty(spec.get("caBundle")):
        detail = "may not be true if caBundle is present"
        yield error((*here, "insecureSkipTLSVerify"), ErrorType.INVALID, True, detail)
