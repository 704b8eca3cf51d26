"""What Slurm's tools print and what its files look like (man pages of sacctmgr, scontrol, slurm.conf, slurmdbd.conf, gres.conf)."""

import re
from collections.abc import Mapping, Sequence

# The columns that tell one listing from another, in the order of asking: the associations of users carry the columns of users too.
_HEADERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("slurm:sacctmgr-show-transactions", frozenset({"Action", "Actor"})),
    ("slurm:sacctmgr-show-problem", frozenset({"Problem"})),
    ("slurm:sacctmgr-show-event", frozenset({"NodeName", "TimeStart"})),
    ("slurm:sacctmgr-show-user", frozenset({"User", "Admin"})),
    ("slurm:sacctmgr-show-user", frozenset({"User", "AdminLevel"})),
    ("slurm:sacctmgr-show-user", frozenset({"User", "Coord Accounts"})),
    ("slurm:sacctmgr-show-user", frozenset({"User", "Def Acct"})),
    ("slurm:sacctmgr-show-account", frozenset({"Account", "Descr"})),
    ("slurm:sacctmgr-show-account", frozenset({"Account", "Org"})),
    ("slurm:sacctmgr-show-account", frozenset({"Account", "Coord Accounts"})),
    ("slurm:sacctmgr-show-cluster", frozenset({"Cluster", "ControlHost"})),
    ("slurm:sacctmgr-show-wckey", frozenset({"WCKey", "Cluster"})),
    ("slurm:sacctmgr-show-reservation", frozenset({"TimeStart", "UnusedWall"})),
    ("slurm:sacctmgr-show-tres", frozenset({"Type", "Name", "ID"})),
    ("slurm:sshare", frozenset({"RawShares"})),
    ("slurm:sprio", frozenset({"FAIRSHARE", "JOBID"})),
    ("slurm:squeue", frozenset({"JOBID", "PARTITION"})),
    ("slurm:sacct", frozenset({"JobID", "Account"})),
    ("slurm:sacct", frozenset({"JobID", "State"})),
    ("slurm:sinfo", frozenset({"PARTITION", "AVAIL"})),
    ("slurm:sacctmgr-show-qos", frozenset({"Name", "GraceTime"})),
    ("slurm:sacctmgr-show-qos", frozenset({"Name", "Preempt"})),
    ("slurm:sacctmgr-show-qos", frozenset({"Name", "UsageFactor"})),
    ("slurm:sacctmgr-show-qos", frozenset({"Name", "MaxTRESPU"})),
    ("slurm:sacctmgr-show-assoc", frozenset({"Account", "User"})),
)
_RECORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"PartitionName=\S+\s*$|PartitionName=\S+ AllowGroups="), "slurm:scontrol-show-partition"),
    (re.compile(r"NodeName=\S+ (?:Arch=\S+ )?(?:CoresPerSocket|CPUAlloc)="), "slurm:scontrol-show-node"),
    (re.compile(r"ReservationName=\S+ StartTime="), "slurm:scontrol-show-reservation"),
    (re.compile(r"JobId=\d+ "), "slurm:scontrol-show-job"),
    (re.compile(r"Current Association Manager state"), "slurm:scontrol-show-assoc_mgr"),
)
_EMPTY: Mapping[str, str] = {
    "No reservations in the system": "slurm:scontrol-show-reservation",
    "No jobs in the system": "slurm:scontrol-show-job",
    "No partitions in the system": "slurm:scontrol-show-partition",
}
_DBD_KEYS = frozenset({"dbdhost", "dbdaddr", "dbdport", "storageloc", "storagetype", "storagehost", "storagepass", "storageuser"})
_CONF_WORDS = """
    clustername slurmctldhost controlmachine accountingstorageenforce accountingstoragetype accountingstoragehost slurmuser
    selecttype schedulertype authtype privatedata slurmctldport enforcepartlimits jobacctgathertype prologflags mcsplugin
    prioritytype priorityweightpartition slurmctldparameters jobsubmitplugins preempttype taskplugin proctracktype grestypes
    accountingstoragetres statesavelocation suspendprogram resumeprogram launchparameters schedulerparameters disablerootjobs
"""
_CONF_KEYS = frozenset(_CONF_WORDS.split())
_SETTING = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)(?:\[\d+\])?\s*=\s*\S")
_GRES = re.compile(r"(?i)\s*(?:AutoDetect=|(?:NodeName=\S+\s+)?Name=\S+(?:\s+\w+=\S+)*\s*(?:#.*)?$)")
_CGROUP = frozenset({"constraincores", "constraindevices", "constrainramspace", "cgroupplugin", "cgroupautomount", "constrainswapspace"})
# What `getent` prints on the controller, for the groups that AllowGroups names (group(5), passwd(5)).
_NAME_SERVICE = (
    ("slurm:getent-group", re.compile(r"[\w.@\\-]+:[x*!]*:\d+:[\w.,@\\-]*")),
    ("slurm:getent-passwd", re.compile(r"[\w.@\\-]+:[x*!]*:\d+:\d+:[^:]*:[^:]*:[^:]*")),
)
_JSON: Mapping[str, str] = {
    "associations": "slurm:sacctmgr-show-assoc",
    "users": "slurm:sacctmgr-show-user",
    "accounts": "slurm:sacctmgr-show-account",
    "qos": "slurm:sacctmgr-show-qos",
    "QOS": "slurm:sacctmgr-show-qos",
    "wckeys": "slurm:sacctmgr-show-wckey",
    "partitions": "slurm:scontrol-show-partition",
    "nodes": "slurm:scontrol-show-node",
    "reservations": "slurm:scontrol-show-reservation",
    "jobs": "slurm:scontrol-show-job",
    "sinfo": "slurm:sinfo",
    "shares": "slurm:sshare",
    "clusters": "slurm:sacctmgr-show-cluster",
    "TRES": "slurm:sacctmgr-show-tres",
    "statistics": "slurm:sdiag",
    "slurm_conf": "slurm:scontrol-show-config",
    "slurmdbd_conf": "slurm:sacctmgr-show-config",
}


def slurm_text(lines: Sequence[str]) -> str:
    """Return the document kind of a text that Slurm printed or reads, or an empty string."""
    told = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not told:
        return ""
    first = told[0]
    if first.strip() in _EMPTY:
        return _EMPTY[first.strip()]
    if first.startswith("Configuration data as of"):
        return _configuration(told)
    if re.match(r"(?:Cluster|Parent|QOS|Account|User) - ['\w]", first):
        return "slurm:sacctmgr-dump"
    if all(re.match(r"(?i)(?:SwitchName|BlockName)=", line) for line in told):
        return "slurm:topology.conf"
    if all(re.match(r"(?:required|optional|include)\s+\S", line) for line in told) and any(
        ".so" in line or "plugstack" in line for line in told
    ):
        return "slurm:plugstack.conf"
    for kind, shape in _NAME_SERVICE:
        if all(shape.fullmatch(line.strip()) for line in told):
            return kind
    return _record(told) or _listing(told) or _settings(told)


def slurm_json(value: Mapping[str, object]) -> str:
    """Return the document kind of what `--json` and slurmrestd print: the payload beside `meta`, `errors` and `warnings`."""
    if value.get("workload_manager") == "slurm" and "controller_group" in value:
        # HyperPod's lifecycle scripts read it (`provisioning_parameters.json`).
        return "slurm:provisioning-parameters"
    meta = value.get("meta")
    plugin = meta.get("plugin", meta.get("plugins")) if isinstance(meta, dict) else None
    if plugin is None and not (isinstance(meta, dict) and ("Slurm" in meta or "slurm" in meta)):
        return ""
    if "clusters" in value and "associations" in value:
        return "slurm:sacctmgr-dump"
    if value.get("errors") and set(value) <= {"errors", "warnings", "meta"}:
        return "slurm:error-answer"
    return next((kind for key, kind in _JSON.items() if key in value), "")


def _configuration(lines: Sequence[str]) -> str:
    scontrol = any(line.startswith(("SlurmctldHost", "AccountingStorageEnforce", "ClusterName")) for line in lines)
    return "slurm:scontrol-show-config" if scontrol else "slurm:sacctmgr-show-config"


def _record(lines: Sequence[str]) -> str:
    for pattern, kind in _RECORDS:
        if pattern.match(lines[0].strip() if kind.endswith("job") else lines[0]):
            return kind if kind != "slurm:scontrol-show-partition" or _is_shown(lines) else ""
    return ""


def _is_shown(lines: Sequence[str]) -> bool:
    """Tell `scontrol show partition` from a configuration file: only the tool prints the totals."""
    return any("TotalCPUs=" in line or "AllowGroups=" in line for line in lines[:12])


def _listing(lines: Sequence[str]) -> str:
    if "|" in lines[0]:
        columns = {column.strip() for column in lines[0].split("|")}
    elif len(lines) > 1 and re.fullmatch(r"\s*-+(?:\s+-+)*\s*", lines[1]):
        columns = set(re.split(r"\s{1,}", lines[0].strip())) | {"Def Acct"} if "Def Acct" in lines[0] else set(lines[0].split())
    elif re.match(r"\s*(?:JOBID\s+PARTITION|PARTITION\s+AVAIL)\b", lines[0]):
        columns = set(lines[0].split())
    else:
        return ""
    return next((kind for kind, needed in _HEADERS if needed <= columns), "")


def _settings(lines: Sequence[str]) -> str:
    keys = [match[1].lower() for match in map(_SETTING.match, lines) if match]
    includes = sum(line.strip().lower().startswith("include ") for line in lines)
    if not keys and not includes:
        return ""
    if len(keys) + includes < len(lines) * 0.6:
        return ""
    if _DBD_KEYS & set(keys):
        return "slurm:slurmdbd.conf"
    if all(_GRES.match(line) for line in lines):
        return "slurm:gres.conf"
    if set(keys) <= _CGROUP | {"include"}:
        return "slurm:cgroup.conf"
    if _CONF_KEYS & set(keys) or {"partitionname", "nodename", "nodeset", "frontendname"} & set(keys):
        return "slurm:slurm.conf"
    if includes and includes == len(lines):
        return "slurm:slurm.conf"
    return ""
