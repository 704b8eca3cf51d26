"""Every Slurm document, by its kind."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from partywall.model.document import Document, Form, Gap
from partywall.model.facts import Fact
from partywall.parse import slurm_json
from partywall.parse.slurm_assoc_mgr import association_state
from partywall.parse.slurm_dump import dumped
from partywall.parse.slurm_groups import groups, logins
from partywall.parse.slurm_records import cgroup_file, conf_file, database_config, dbd_file, reservations, shown_config, shown_partitions
from partywall.parse.slurm_tables import accounts, associations, qualities, unreadable, users

Parser = Callable[[Document], Iterator[Fact | Gap]]


def either(text: Parser, json: Parser | None) -> Parser:
    """Return a parser of both forms of an answer; of a form that Slurm does not print nothing can be read."""

    def parse(document: Document) -> Iterator[Fact | Gap]:
        if document.form is Form.TEXT:
            yield from text(document)
        elif json is not None:
            yield from json(document)
        else:
            yield unreadable(document, f"{document.name} is JSON, which this command does not print", document.at())

    return parse


def silent(document: Document) -> Iterator[Fact | Gap]:
    """Read nothing: what this document holds opens and closes no way."""
    del document
    facts: Sequence[Fact | Gap] = ()
    yield from facts


_FORMS: Mapping[str, tuple[Parser, Parser | None]] = {
    "slurm:sacctmgr-show-assoc": (associations, slurm_json.associations),
    "slurm:sacctmgr-show-user": (users, slurm_json.users),
    "slurm:sacctmgr-show-account": (accounts, slurm_json.accounts),
    "slurm:sacctmgr-show-qos": (qualities, slurm_json.qualities),
    "slurm:sacctmgr-show-config": (database_config, slurm_json.database_config),
    "slurm:sacctmgr-dump": (dumped, slurm_json.whole_database),
    "slurm:scontrol-show-assoc_mgr": (association_state, None),
    "slurm:scontrol-show-config": (shown_config, slurm_json.config),
    "slurm:scontrol-show-partition": (shown_partitions, slurm_json.partitions),
    "slurm:scontrol-show-reservation": (reservations, slurm_json.reservations),
    "slurm:slurm.conf": (conf_file, None),
    "slurm:slurmdbd.conf": (dbd_file, None),
    "slurm:cgroup.conf": (cgroup_file, None),
    "slurm:getent-group": (groups, None),
    "slurm:getent-passwd": (logins, None),
}

# What runs or ran, and what there is: none of it says who may.
_SILENT = (
    "slurm:gres.conf",
    "slurm:sacct",
    "slurm:sacctmgr-show-cluster",
    "slurm:sacctmgr-show-event",
    "slurm:sacctmgr-show-problem",
    "slurm:sacctmgr-show-reservation",
    "slurm:sacctmgr-show-transactions",
    "slurm:sacctmgr-show-tres",
    "slurm:sacctmgr-show-wckey",
    "slurm:scontrol-show-job",
    "slurm:scontrol-show-node",
    "slurm:sdiag",
    "slurm:sinfo",
    "slurm:sprio",
    "slurm:squeue",
    "slurm:sshare",
    "slurm:topology.conf",
    "slurm:plugstack.conf",
    "slurm:provisioning-parameters",
)

PARSERS: Mapping[str, Parser] = {
    "slurm:error-answer": slurm_json.refused,
    **{kind: either(*forms) for kind, forms in _FORMS.items()},
    **dict.fromkeys(_SILENT, silent),
}
