"""The report: one page of text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tutti.hang.analysis import Finding, World, of_job, worlds
from tutti.hang.model import Call, Job, Rank

MOST = 12  # lines of a list


def ranges(ranks: Iterable[int]) -> str:
    """0-3,8"""
    found: list[list[int]] = []
    for rank in sorted(ranks):
        if found and rank == found[-1][1] + 1:
            found[-1][1] = rank
        else:
            found.append([rank, rank])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in found)


def who(ranks: Iterable[int]) -> str:
    ranks = list(ranks)
    return f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {ranges(ranks)}"


class Names:
    """What communicators are called in the report: those that look alike get letters."""

    def __init__(self, world: World):
        self.world = world
        alike: dict[str, list[int]] = defaultdict(list)
        for identity in world.communicators:
            alike[self._plain(identity)].append(identity)
        self.names = {}
        for plain, identities in alike.items():
            for place, identity in enumerate(identities):
                letter = f" {chr(ord('A') + place % 26)}" if len(identities) > 1 else ""
                self.names[identity] = plain.replace("communicator", f"communicator{letter}", 1)

    def _plain(self, identity: int) -> str:
        known = self.world.communicators[identity]
        if known.origin == "world":
            return "MPI_COMM_WORLD"
        members = f"ranks {ranges(known.members)}" if known.members else f"{known.size} ranks"
        return f"the communicator of {members}" + (f" (MPI_{known.origin})" if known.origin else "")

    def of(self, identity: int | None) -> str:
        return self.names.get(identity or 0, "MPI_COMM_WORLD" if identity is None else "a communicator")


def size(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


def details(call: Call) -> str:
    """(8 bytes, MPI_SUM, root 2), or nothing."""
    words = [] if call.bytes is None or call.name in ("Barrier", "Finalize") else [size(call.bytes)]
    words += [call.op] if call.op else []
    words += [f"root {call.root}"] if call.root is not None else []
    return f" ({', '.join(words)})" if words else ""


def at(site: str) -> str:
    return f" at {site}" if site else ""


def numbered(call: Call, names: Names) -> str:
    number = f", call {call.sequence} of {names.of(call.communicator)}" if call.sequence else ""
    return f"{call.function}{number}"


def last_call(rank: Rank, names: Names) -> str:
    if not rank.shows:
        return ""
    if rank.last is None:
        return "it has made no collective call"
    verb = "started" if rank.last.form == "nonblocking" else "called"
    return f"last {verb} {numbered(rank.last, names)}{at(rank.last.site)}"


def now(rank: Rank, names: Names) -> str:
    """What the rank does now, as one clause."""
    waiting = rank.waiting
    if rank.where in ("gone", "unseen"):
        return "gone: its process has ended" if rank.where == "gone" else f"not seen: {rank.why}"
    if rank.moved:
        return f"moves: {rank.moved} calls while it was looked at"
    inside = f"in {numbered(waiting, names)}{at(waiting.site)}" if waiting else ""
    if rank.where == "stopped":
        return "stopped (by a signal or a debugger)" + (f" {inside}" if inside else "")
    if inside:
        return inside
    if rank.where == "mpi":
        verb = rank.doing if rank.doing.startswith("inside") else f"in {rank.doing}"
        return f"{verb}{at(rank.site)}"
    if rank.where == "asleep":
        return f"asleep in {rank.doing}{at(rank.site)}"
    if rank.where == "unknown":
        return f"it cannot be told where ({rank.doing})"
    return (f"in {rank.doing}" if rank.doing else "computing") + at(rank.site)


def line(rank: Rank, names: Names) -> str:
    """What the rank does, and, where that is no collective, what it called last."""
    parts = [now(rank, names)]
    if rank.why and rank.where not in ("gone", "unseen"):
        parts.append(rank.why)
    if not rank.waiting and (last := last_call(rank, names)):
        parts.append(last)
    return "; ".join(parts)


def heading(finding: Finding, names: Names) -> str:
    call = finding.call
    name = f"{call.function}{details(call)}" if call else "a call"
    where = f", call {finding.sequence} of {names.of(finding.communicator)}" if finding.sequence else ""
    missing = who(finding.missing) if finding.missing else ""
    have = "has" if len(finding.missing) == 1 else "have"
    if finding.kind == "differ":
        return (
            f"the ranks differ in the {finding.differs} of call {finding.sequence} of {names.of(finding.communicator)}"
        )
    if finding.kind == "finalize":
        return f"MPI_Finalize: {missing} {have} not come"
    if finding.kind == "crossed":
        waits = "waits" if len(finding.missing) == 1 else "wait"
        return f"{name}{where}: {missing} {waits} in another call, for ranks that wait in this one"
    if finding.kind == "missing":
        return f"{name}{where}: {missing} {have} not come"
    if finding.kind == "unknown":
        return f"{name}{where}: it is not known whether {who(finding.unknown)} came"
    return f"{name}{where}: all have come, and it does not end"


def grouped_lines(ranks: Iterable[Rank], names: Names) -> list[str]:
    """`0-1,3   in MPI_Barrier …`, ranks that do the same on one line; those of most ranks last to be cut."""
    groups: dict[str, list[int]] = defaultdict(list)
    for rank in ranks:
        groups[line(rank, names)].append(rank.rank)
    rows = sorted(((ranges(group), text, group) for text, group in groups.items()), key=lambda row: row[2][0])
    width = max((len(name) for name, _, _ in rows[:MOST]), default=0)
    lines = [f"    {name:<{width}}  {text}" for name, text, _ in rows[:MOST]]
    left = sum(len(group) for _, _, group in rows[MOST:])
    return lines + ([f"    … and {left} more ranks: --json has all"] if left else [])


def of_finding(finding: Finding, world: World, names: Names) -> list[str]:
    lines = [heading(finding, names)]
    for call, ranks in finding.groups[:MOST]:
        verb = f"{call.function}{details(call)}" if finding.kind == "differ" else "came"
        lines.append(f"  {who(ranks)}: {verb}{at(call.site)}")
    if finding.missing:
        lines.append("  missing:")
        lines += grouped_lines((world.get(rank).on(finding.communicator) for rank in finding.missing), names)
    if finding.unknown:
        lines.append("  not known:")
        lines += grouped_lines((world.get(rank) for rank in finding.unknown), names)
    if finding.kind == "complete":
        stopped = [rank for rank in finding.arrived if world.get(rank).where == "stopped"]
        lines += [f"  {who(stopped)} {'is' if len(stopped) == 1 else 'are'} stopped"] if stopped else []
    known = world.communicators.get(finding.communicator or 0)
    if known and known.guessed:
        lines.append("  (how this communicator was made was not seen: ranks are matched by its members and its use)")
    return lines


def title(job: Job, waited: float | None) -> str:
    programs = {rank.program.rpartition("/")[2] for rank in job.ranks if rank.program}
    hosts = {rank.host for rank in job.ranks if rank.host}
    count = sum(job.sizes)
    text = f"{count} rank{'' if count == 1 else 's'} of {', '.join(sorted(programs)) or '?'}"
    text += f" on {', '.join(sorted(hosts)[:4])}" + (" and others" if len(hosts) > 4 else "")
    if waited:
        return f"tutti hang: no progress for {waited:.0f} s: {text}"
    return f"tutti hang: {text}, looked at for {job.seconds:.1f} s"


def text(job: Job, waited: float | None = None) -> str:
    lines = [title(job, waited)]
    findings = of_job(job)
    for world in worlds(job):
        names = Names(world)
        prefix = f"world {world.number}: " if len(job.sizes) > 1 else ""
        own = [finding for finding in findings if finding.world == world.number]
        if not own:
            lines += ["", f"{prefix}no rank waits in a collective call"]
        for finding in own[:4]:
            first, *rest = of_finding(finding, world, names)
            lines += ["", prefix + first, *rest]
        lines += ["", f"  {prefix}all ranks:", *grouped_lines(world.ranks.values(), names)]
    return "\n".join([*lines, *(f"note: {note}" for note in job.notes)])
