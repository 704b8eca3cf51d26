"""Amazon Resource Names, taken apart."""


def arn_part(arn: str, part: int) -> str:
    """Return one of the six colon-separated parts of an ARN; the last one keeps its colons."""
    parts = arn.split(":", 5)
    return parts[part] if len(parts) == 6 and parts[0] == "arn" else ""


def account_of(arn: str) -> str:
    """Return the account of an ARN, or an empty text."""
    return arn_part(arn, 4)


def region_of(arn: str) -> str:
    """Return the Region of an ARN, or an empty text."""
    return arn_part(arn, 3)


def resource_of(arn: str) -> str:
    """Return what stands behind an ARN's fifth colon."""
    return arn_part(arn, 5)


def last_name(arn: str) -> str:
    """Return the last path element of an ARN's resource: a role's name without its path."""
    return resource_of(arn).rsplit("/", 1)[-1]
