"""Who gets to whom, in lines of text and as data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from partywall.cli import FOUND, INCOMPLETE, OK
from partywall.cli.k8s_words import Input
from partywall.model.facts import Facts
from partywall.model.node import cluster_name
from partywall.resolve.netpol.answer import Answer, Row, Verdict
from partywall.resolve.netpol.estate import clusters
from partywall.resolve.rbac.places import namespaces

_WORDS = {Verdict.ALLOWED: "allowed", Verdict.DENIED: "denied", Verdict.UNKNOWN: "not decidable"}


def network_clusters(facts: Facts) -> tuple[str, ...]:
    """Return the clusters that have policies or anything that policies could be about."""
    return tuple(dict.fromkeys((*clusters(facts), *namespaces(facts))))


def code_of_net(answers: Iterable[Answer]) -> int:
    """Return the exit code: found where anything gets through, unknown where that cannot be told, else clear."""
    verdicts = {row.verdict for answer in answers for row in answer.rows}
    return FOUND if Verdict.ALLOWED in verdicts else INCOMPLETE if Verdict.UNKNOWN in verdicts else OK


def net_lines(found: Input, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield who gets to whom, for each cluster."""
    for number, answer in enumerate(answers):
        if number:
            yield ""
        yield from _answer_lines(found, answer)


def _answer_lines(found: Input, answer: Answer) -> Iterator[str]:
    yield _summary(answer)
    yield f"from {answer.source} to {answer.target}" + (f" in {cluster_name(answer.cluster)}" if cluster_name(answer.cluster) else "")
    for rows in _alike(answer.rows):
        yield ""
        partly = ", for some of them" if rows[0].partly else ""
        yield f"{', '.join(str(row.ports) for row in rows)}: {_WORDS[rows[0].verdict]}{partly}"
        yield from (f"  because {one.text}: {found.where(one.at)}" for one in rows[0].because)
    notes = (*_doubts(found, answer), *(f"blind spot: {text}" for text in answer.blind))
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)


def _summary(answer: Answer) -> str:
    verdicts = {row.verdict: row for row in answer.rows}
    if len(verdicts) == 1:
        word = _WORDS[answer.rows[0].verdict]
        partly = ", for some of them" if any(row.partly for row in answer.rows) else ""
        return f"{word}{partly}"
    return "; ".join(
        f"{_WORDS[verdict]}: {', '.join(str(row.ports) for row in answer.rows if row.verdict is verdict)}"
        for verdict in Verdict
        if verdict in verdicts
    )


def _alike(rows: Iterable[Row]) -> list[list[Row]]:
    """Put together the parts of which the same is true, whatever their protocol."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        found.setdefault((row.verdict, row.because, row.partly), []).append(row)
    return list(found.values())


def _doubts(found: Input, answer: Answer) -> Iterator[str]:
    for doubt in dict.fromkeys(answer.doubts):
        yield f"in question: {doubt.text}" + (f" ({found.where(doubt.at)})" if doubt.at and doubt.at.document else "")


def net_data(found: Input, source: str, target: str, answers: Sequence[Answer]) -> Mapping[str, object]:
    """Return who gets to whom as data."""
    rows = [
        {
            "cluster": answer.cluster,
            "from": answer.source,
            "to": answer.target,
            "rows": [_row_data(found, row) for row in answer.rows],
            "doubts": [{"text": one.text, "evidence": [found.place(one.at)] if one.at else []} for one in dict.fromkeys(answer.doubts)],
            "blind_spots": list(answer.blind),
        }
        for answer in answers
    ]
    return {"schema": "partywall/k8s-net/v1", "from": source, "to": target, "answers": rows}


def _row_data(found: Input, row: Row) -> Mapping[str, object]:
    return {
        "protocol": row.ports.protocol,
        "first": row.ports.first,
        "last": row.ports.last,
        "outcome": _WORDS[row.verdict],
        "partly": row.partly,
        "because": [{"text": one.text, "evidence": [found.place(one.at)] if one.at.document else []} for one in row.because],
    }
