"""Infrastructure as code, recognised so that it can be named: it says what is meant, not what is."""

import re
from collections.abc import Mapping, Set

from partywall.model.evidence import Json

_HCL = re.compile(
    r'^\s*(?:resource|data|module|variable|provider|terraform|output|locals|moved|import|check|removed)\b\s*(?:"[^"]*"\s*)*\{', re.MULTILINE
)
_GO_TEMPLATE = re.compile(
    r"\{\{-?\s*(?:/\*|\.|\$|if |with |range |include |template |define |toYaml|end\b|else\b|fail |printf |quote |tpl |lookup )"
)
_BRACES = re.compile(r"\{\{|\{%")
_CLOUDFORMATION = re.compile(r"(?:AWS|Custom|Alexa)::")


def iac_value(value: Json) -> str:
    """Return the kind of a JSON or YAML value that is infrastructure as code, or an empty string."""
    if not isinstance(value, dict):
        return ""
    if "format_version" in value and {"planned_values", "resource_changes", "configuration", "values", "prior_state"} & value.keys():
        return "iac:terraform-plan" if {"planned_values", "resource_changes"} & value.keys() else "iac:terraform"
    if "terraform_version" in value and {"lineage", "resources", "serial", "format_version"} & value.keys():
        return "iac:terraform" if "resource_changes" not in value else "iac:terraform-plan"
    if "AWSTemplateFormatVersion" in value or _has_stack_resources(value):
        return "iac:cloudformation"
    if _is_cdk_manifest(value):
        return "iac:cloudformation"
    return _kubernetes_tooling(value)


def _has_stack_resources(value: Mapping[str, Json]) -> bool:
    resources = value.get("Resources")
    if not isinstance(resources, dict) or not resources:
        return False
    kinds = [resource.get("Type") for resource in resources.values() if isinstance(resource, dict)]
    return any(isinstance(kind, str) and _CLOUDFORMATION.match(kind) for kind in kinds)


def _is_cdk_manifest(value: Mapping[str, Json]) -> bool:
    return "version" in value and (
        "artifacts" in value or ("files" in value and "dockerImages" in value) or value.get("version") == "tree-0.1"
    )


def _kubernetes_tooling(value: Mapping[str, Json]) -> str:
    version, kind = value.get("apiVersion"), value.get("kind")
    if isinstance(version, str) and version.startswith("kustomize.config.k8s.io"):
        return "iac:kustomize"
    if kind in {"Kustomization", "Component"} and {"resources", "bases", "patches", "components"} & value.keys() and "spec" not in value:
        return "iac:kustomize"
    if kind is None and version in {"v1", "v2"} and "name" in value and "version" in value:
        return "iac:helm"
    if isinstance(version, str) and version.startswith("eksctl.io"):
        return "iac:eksctl"
    return ""


def iac_text(text: str) -> str:
    """Return the kind of a text that is a template or HCL, or an empty string."""
    if _GO_TEMPLATE.search(text):
        return "iac:helm"
    if _BRACES.search(text):
        return "iac:jinja"
    return "iac:terraform" if _HCL.search(text) else ""


def belongs_to_chart(name: str, charts: Set[str]) -> bool:
    """Tell whether a file is part of a Helm chart (a folder with a Chart.yaml): values, templates and subcharts, nothing else."""
    folders = name.split("/")[:-1]
    own = name.rsplit("/", 1)[-1]
    for depth in range(len(folders) + 1):
        if "/".join(folders[:depth]) in charts:
            below = folders[depth:]
            if below[:1] and below[0] in {"templates", "charts", "crds"}:
                return True
            if not below and re.fullmatch(
                r"Chart\.(?:yaml|lock)|values[\w.-]*\.ya?ml|requirements\.(?:yaml|lock)|\.helmignore|.*\.tpl|[\w-]*values\.ya?ml", own
            ):
                return True
    return False
