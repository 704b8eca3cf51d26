"""Which account is above which: four ways in which listings of associations say it (man sacctmgr, show association)."""

from collections.abc import Iterator, Mapping, Sequence

Row = Mapping[str, str]
ROOT = "root"


def parents(rows: Sequence[Row]) -> Mapping[str, str]:
    """Return the parent of each account, as far as the columns tell.

    ParentName, Lineage, LFT and RGT (up to 22.05), or the indentation of `tree`.
    """
    found: dict[str, str] = {}
    for way in (_by_indentation, _by_numbers, _by_lineage, _by_name):
        found |= {account: parent for account, parent in way(rows) if parent and account != parent}
    return found


def _by_name(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if not row["User"].strip():
            yield row["Account"].strip(), row.get("ParentName", "").strip()


def _by_lineage(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Read `/above/account/0-user/partition/`: what stands before the user are the accounts, without the root of all."""
    for row in rows:
        steps = [step for step in row.get("Lineage", "").strip().split("/") if step]
        user, account = row["User"].strip(), row["Account"].strip()
        accounts = steps[: steps.index(f"0-{user}")] if user and f"0-{user}" in steps else steps
        if accounts and accounts[-1] == account:
            yield from zip(accounts, [ROOT, *accounts], strict=False)


def _by_numbers(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Read nested intervals: an account's LFT and RGT enclose those of all below it."""
    told = [(int(row["LFT"]), int(row["RGT"]), row["Account"].strip()) for row in rows if not row["User"].strip() and _numbered(row)]
    open_now: list[tuple[int, int, str]] = []
    for each in sorted(told):
        while open_now and open_now[-1][1] < each[1]:
            open_now.pop()
        if open_now:
            yield each[2], open_now[-1][2]
        open_now.append(each)


def _numbered(row: Row) -> bool:
    return row.get("LFT", "").strip().isdecimal() and row.get("RGT", "").strip().isdecimal()


def _by_indentation(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Read `tree`, which moves an account in by one blank for each account above it."""
    if not any(row["Account"].startswith(" ") for row in rows):
        return
    above: list[tuple[int, str]] = []
    for row in rows:
        if row["User"].strip():
            continue
        name = row["Account"].strip()
        depth = len(row["Account"]) - len(row["Account"].lstrip(" "))
        while above and above[-1][0] >= depth:
            above.pop()
        if above:
            yield name, above[-1][1]
        above.append((depth, name))
