"""File systems and log groups: EFS, FSx, CloudWatch Logs."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, region_of
from partywall.model.document import Document, Gap
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_data import DataLink, FileAccessPoint, FileSystem, LogGroup, ResourcePolicy, Store
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, tags, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def efs(doc: Document) -> Iterator[Parsed]:
    """Read `efs describe-file-systems`."""
    for item, at in below(doc.value, doc.at(), "FileSystems"):
        yield _file_system(doc, item, at, text(item.get("FileSystemArn")), "elasticfilesystem")


def fsx(doc: Document) -> Iterator[Parsed]:
    """Read `fsx describe-file-systems`."""
    for item, at in below(doc.value, doc.at(), "FileSystems"):
        yield _file_system(doc, item, at, text(item.get("ResourceARN")), "fsx")


def _file_system(doc: Document, item: Mapping[str, Json], at: Evidence, arn: str, service: str) -> FileSystem:
    account, region = account_of(arn) or text(item.get("OwnerId")) or doc.origin.account, region_of(arn) or doc.origin.region
    found = tags(item["Tags"]) if "Tags" in item else None
    return FileSystem(
        text(item.get("FileSystemId")),
        account,
        region,
        arn or f"arn:aws:{service}:{region}:{account}:file-system/{text(item.get('FileSystemId'))}",
        service,
        at,
        found,
    )


def efs_access_points(doc: Document) -> Iterator[Parsed]:
    """Read `efs describe-access-points`."""
    for item, at in below(doc.value, doc.at(), "AccessPoints"):
        path = text(entries(item.get("RootDirectory")).get("Path")) or "/"
        yield FileAccessPoint(text(item.get("AccessPointId")), text(item.get("FileSystemId")), path, text(item.get("AccessPointArn")), at)


def efs_policy(doc: Document) -> Iterator[Parsed]:
    """Read `efs describe-file-system-policy`."""
    top = entries(doc.value)
    name = text(top.get("FileSystemId"))
    yield ResourcePolicy(Store.EFS, name, doc.origin.account, policy(name, top.get("Policy"), doc.at("/Policy")), doc.at("/Policy"))


def data_links(doc: Document) -> Iterator[Parsed]:
    """Read `fsx describe-data-repository-associations`."""
    for item, at in below(doc.value, doc.at(), "Associations"):
        lustre = entries(item.get("S3"))
        exports = "AutoExportPolicy" in lustre and bool(entries(lustre["AutoExportPolicy"]).get("Events"))
        path = text(item.get("FileSystemPath")) or "/"
        yield DataLink(
            text(item.get("FileSystemId")),
            path,
            text(item.get("DataRepositoryPath")).removeprefix("s3://"),
            exports,
            "AutoImportPolicy" in lustre or item.get("BatchImportMetaDataOnCreate") is True,
            text(item.get("AssociationId")),
            at,
        )


def log_groups(doc: Document) -> Iterator[Parsed]:
    """Read `describe-log-groups`."""
    for item, at in below(doc.value, doc.at(), "logGroups"):
        arn = text(item.get("arn")).removesuffix(":*") or text(item.get("logGroupArn"))
        yield LogGroup(text(item.get("logGroupName")), account_of(arn) or doc.origin.account, region_of(arn) or doc.origin.region, arn, at)


PARSERS: Mapping[str, Parser] = {
    "aws:efs:describe-file-systems": efs,
    "aws:fsx:describe-file-systems": fsx,
    "aws:efs:describe-access-points": efs_access_points,
    "aws:efs:describe-file-system-policy": efs_policy,
    "aws:fsx:describe-data-repository-associations": data_links,
    "aws:logs:describe-log-groups": log_groups,
}
