"""The first call in which ranks differ or do not arrive.  Pure functions of what is known of a job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tutti.hang.model import STARTED, Call, Communicator, Job, Rank

# Their count and type say the same on all ranks (MPI 4.1, chapter 6): bytes that differ are a mistake.
SAME_BYTES = ("Bcast", "Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter_block", "Allgather", "Alltoall")
ROOTED = ("Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv")
COMPLETING = ("MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany")
FINALIZE = "Finalize"


@dataclass(frozen=True)
class Finding:
    """kind: differ, missing, crossed (missing ranks wait in other calls for one another), complete (all have entered
    it), finalize, none.  `arrived` and `missing`: ranks of MPI_COMM_WORLD."""

    kind: str
    world: int
    communicator: int | None = None
    sequence: int = 0
    call: Call | None = None
    differs: str = ""  # collective, root, operator, bytes
    arrived: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()  # whose calls nobody knows
    groups: tuple[tuple[Call, tuple[int, ...]], ...] = ()  # calls of that number, and who made each


@dataclass
class World:
    """The ranks of one MPI_COMM_WORLD."""

    number: int
    size: int
    ranks: dict[int, Rank]
    communicators: dict[int, Communicator] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rank in self.ranks.values():
            for identity, known in rank.communicators.items():
                self.communicators.setdefault(identity, known)

    def members(self, communicator: int) -> list[int]:
        """All, as far as they are known: at least those that have called it."""
        known = self.communicators.get(communicator)
        if known and known.members is not None:
            return list(known.members)
        return [rank.rank for rank in self.ranks.values() if communicator in rank.communicators]

    def get(self, rank: int) -> Rank:
        return self.ranks.get(rank) or Rank(self.number, rank, shows=False, where="unseen", why="not seen")

    def waiting(self) -> dict[tuple[int, int], list[int]]:
        """Who waits in which call of which communicator: blocking ones, and started ones where a rank waits for
        requests and others have not come to the call."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for rank in self.ranks.values():
            inside = [call for call in rank.calls if call.inside and call.form != STARTED and not rank.moved]
            for call in inside:  # one a thread
                if call.communicator is not None:
                    found[call.communicator, call.sequence].append(rank.rank)
            if not inside and rank.where == "mpi" and rank.doing in COMPLETING:
                for started in self._behind(rank):
                    found[started.communicator or 0, started.sequence].append(rank.rank)
        return found

    def _behind(self, rank: Rank) -> Iterable[Call]:
        """The first call of each communicator that the rank has started and not all have."""
        firsts: dict[int, Call] = {}
        for call in rank.calls:
            if call.form != STARTED or call.communicator is None or call.communicator in firsts:
                continue
            if self.absent(call.communicator, call.sequence)[0]:
                firsts[call.communicator] = call
        return firsts.values()

    def absent(self, communicator: int, sequence: int) -> tuple[list[int], list[int]]:
        """(members that have not come to that call, members of whom it is not known)."""
        missing, unknown = [], []
        for member in self.members(communicator):
            rank = self.get(member)
            if not rank.shows:  # who is outside of MPI is in no collective, preloaded or not
                (missing if rank.where in ("gone", "program", "asleep") else unknown).append(member)
            elif rank.entered(communicator) < sequence:
                missing.append(member)
        return missing, unknown


def kind_of(call: Call) -> tuple[str, bool]:
    return call.name, call.form == STARTED


def difference(calls: dict[int, Call]) -> str:
    """What one number's calls differ in, or nothing."""
    made = list(calls.values())
    if len({kind_of(call) for call in made}) > 1:
        return "collective"
    roots = {call.root for call in made}
    if made and made[0].name in ROOTED and len(roots) > 1 and None not in roots:  # None: between two groups
        return "root"
    if len({call.op for call in made}) > 1:
        return "operator"
    known = {call.bytes for call in made if call.bytes is not None}
    if made and made[0].name in SAME_BYTES and len(known) > 1:
        return "bytes"
    return ""


def grouped(calls: dict[int, Call]) -> tuple[tuple[Call, tuple[int, ...]], ...]:
    """Equal calls from one line together; of most ranks first."""
    groups: dict[Call, list[int]] = defaultdict(list)
    for rank, call in calls.items():
        key = Call(call.name, call.form, None, 0, -1, call.bytes, "", call.op, call.root, call.site)
        groups[key].append(rank)
    return tuple((call, tuple(ranks)) for call, ranks in sorted(groups.items(), key=lambda each: -len(each[1])))


def first_difference(world: World, communicator: int, last: int) -> Finding | None:
    """Of the calls up to that number that at least two ranks remember."""
    members = world.members(communicator)
    by_number: dict[int, dict[int, Call]] = defaultdict(dict)
    for member in members:
        for call in world.get(member).calls:
            if call.communicator == communicator and call.sequence <= last:
                by_number[call.sequence][member] = call
    for number in sorted(by_number):
        calls = by_number[number]
        if differs := difference(calls):
            missing, unknown = world.absent(communicator, number)
            groups = grouped(calls)
            return Finding(
                "differ", world.number, communicator, number, groups[0][0], differs,
                tuple(calls), tuple(missing), tuple(unknown), groups,
            )  # fmt: skip
    return None


def of_call(world: World, communicator: int, sequence: int, waiting: list[int]) -> Finding:
    if (found := first_difference(world, communicator, sequence)) is not None:
        return found
    missing, unknown = world.absent(communicator, sequence)
    members = world.members(communicator)
    arrived = tuple(rank for rank in members if rank not in missing and rank not in unknown)
    calls = {rank: call for rank in arrived if (call := world.get(rank).at(communicator, sequence))}
    groups = grouped(calls)
    call = groups[0][0] if groups else None
    kind = "missing" if missing else "unknown" if unknown else "complete"
    return Finding(
        kind, world.number, communicator, sequence, call, "", arrived or tuple(waiting), tuple(missing),
        tuple(unknown), groups,
    )  # fmt: skip


def is_held_up(world: World, rank: int, communicator: int | None, calls: Iterable[tuple[int, int]]) -> bool:
    """Whether the rank that is missed on the communicator itself waits in one of those calls."""
    waits = world.get(rank).on(communicator).waiting
    return waits is not None and (waits.communicator, waits.sequence) in set(calls)


def of_finalize(world: World) -> list[Finding]:
    """Ranks that wait in MPI_Finalize for those that have not come to it."""
    there = [rank for rank in world.ranks.values() if rank.waiting and rank.waiting.name == FINALIZE]
    if not there:
        return []
    arrived = tuple(rank.rank for rank in there)
    missing = tuple(sorted(set(range(world.size)) - set(arrived)))
    groups = grouped({rank.rank: rank.waiting for rank in there if rank.waiting})
    kind = "finalize" if missing else "complete"
    return [Finding(kind, world.number, None, 0, there[0].waiting, "", arrived, missing, (), groups)]


ORDER_OF_KINDS = {"differ": 0, "missing": 1, "crossed": 2, "unknown": 3, "complete": 4, "finalize": 5}


def of_world(world: World) -> list[Finding]:
    """What holds the world up, the cause first: a call is the cause where somebody is missing who waits in no other
    call; where all who are missing wait in other calls, for one another, calls are crossed."""
    waiting = world.waiting()
    found: dict[tuple[int | None, int], Finding] = {}
    for (communicator, sequence), ranks in waiting.items():
        finding = of_call(world, communicator, sequence, ranks)
        if finding.kind == "missing" and all(
            is_held_up(world, rank, finding.communicator, waiting) for rank in finding.missing
        ):
            finding = Finding(**(finding.__dict__ | {"kind": "crossed"}))
        found.setdefault((finding.communicator, finding.sequence), finding)

    def order(finding: Finding) -> tuple[int, int]:
        return ORDER_OF_KINDS[finding.kind], sum(
            is_held_up(world, rank, finding.communicator, waiting) for rank in finding.missing
        )

    crossed = [each for each in found.values() if each.kind == "crossed"]
    others = [each for each in found.values() if each.kind != "crossed"]
    if others and crossed:  # these wait for those that the others are about
        crossed = [Finding(**(each.__dict__ | {"kind": "missing"})) for each in crossed]
        return sorted(others, key=order) + crossed + of_finalize(world)
    return sorted(others + crossed, key=order) + of_finalize(world)


def worlds(job: Job) -> list[World]:
    found = []
    for number, size in enumerate(job.sizes):
        ranks = {rank.rank: rank for rank in job.ranks if rank.world == number}
        found.append(World(number, size, ranks))
    return found


def of_job(job: Job) -> list[Finding]:
    """The findings of all worlds, causes first; of a job in which nobody waits in a collective, none."""
    return [finding for world in worlds(job) for finding in of_world(world)]
