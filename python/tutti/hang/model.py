"""What is known of a job: its ranks, the calls that each has made last, and where each is now.  Plain data, which goes
to a file and comes back (`--save`), so that the nodes of a job can be looked at one by one."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

STARTED = "nonblocking"


@dataclass(frozen=True)
class Call:
    """One collective call.  communicator: its identity, or None for a call without a number (MPI_Finalize)."""

    name: str  # Allreduce, Comm_split, Finalize
    form: str = "blocking"
    communicator: int | None = None
    sequence: int = 0
    count: int = -1
    bytes: int | None = None
    type: str = ""
    op: str = ""
    root: int | None = None
    site: str = ""
    inside: bool = False
    thread: int = 0

    @property
    def function(self) -> str:
        if self.form == STARTED:
            return f"MPI_I{self.name.lower()}"
        return f"MPI_{self.name}" + ("_init" if self.form == "persistent" else "")


@dataclass(frozen=True)
class Communicator:
    size: int
    entered: int  # calls that this rank has made on it
    origin: str = ""
    members: tuple[int, ...] | None = None  # ranks in MPI_COMM_WORLD
    guessed: bool = False


@dataclass(frozen=True)
class Rank:
    """`where`: collective, mpi, asleep, program, stopped, gone, unseen, unknown; `doing` says it in words.

    `shows`: whether its calls are known; where not, `why`.  `moved`: calls that it made while it was looked at.
    """

    world: int
    rank: int
    host: str = ""
    pid: int = 0
    program: str = ""
    shows: bool = True
    why: str = ""
    where: str = "unknown"
    doing: str = ""
    site: str = ""
    moved: int = 0
    calls: tuple[Call, ...] = ()  # the newest last
    communicators: dict[int, Communicator] = field(default_factory=dict)
    threads: dict[int, tuple[str, str, str]] = field(default_factory=dict)  # of several: where, doing, site of each

    def on(self, communicator: int | None) -> Rank:
        """The rank as that one of its threads which made the last call on the communicator."""
        thread = next((call.thread for call in reversed(self.calls) if call.communicator == communicator), None)
        if thread not in self.threads:
            return self
        where, doing, site = self.threads[thread]
        calls = tuple(call for call in self.calls if call.thread == thread)
        return dataclasses.replace(self, where=where, doing=doing, site=site, calls=calls, threads={})

    @property
    def waiting(self) -> Call | None:
        """The call that it has entered and not left."""
        return next((call for call in reversed(self.calls) if call.inside and call.form == "blocking"), None)

    @property
    def last(self) -> Call | None:
        return self.calls[-1] if self.calls else None

    def entered(self, communicator: int) -> int:
        known = self.communicators.get(communicator)
        return known.entered if known else 0

    def at(self, communicator: int, sequence: int) -> Call | None:
        """Its call of that number, if it still remembers it."""
        for call in self.calls:
            if call.communicator == communicator and call.sequence == sequence:
                return call
        return None


@dataclass(frozen=True)
class Job:
    """`sizes`: ranks of each world.  A rank without a process is gone, or on a node that nobody looked at (unseen)."""

    ranks: tuple[Rank, ...]
    sizes: tuple[int, ...]
    seconds: float = 0.0  # that it was looked at
    notes: tuple[str, ...] = ()


def to_json(job: Job) -> dict[str, Any]:
    return dataclasses.asdict(job)


def of_json(data: dict[str, Any]) -> Job:
    """Raises KeyError, TypeError, ValueError, AttributeError where it is no job."""
    ranks = []
    for each in data["ranks"]:
        calls = tuple(Call(**call) for call in each["calls"])
        known = {
            int(identity): Communicator(**(one | {"members": tuple(one["members"]) if one["members"] else None}))
            for identity, one in each["communicators"].items()
        }
        threads = {int(thread): tuple(place) for thread, place in each["threads"].items()}
        ranks.append(Rank(**(each | {"calls": calls, "communicators": known, "threads": threads})))
    return Job(tuple(ranks), tuple(data["sizes"]), float(data["seconds"]), tuple(data["notes"]))


def merged(jobs: list[Job]) -> Job:
    """One job of what was seen on its nodes: who was seen on one of them is not unseen."""
    by_name: dict[tuple[int, int], Rank] = {}
    for job in jobs:
        for rank in job.ranks:
            known = by_name.get((rank.world, rank.rank))
            if known is None or (known.where in ("unseen", "gone") and rank.where not in ("unseen", "gone")):
                by_name[rank.world, rank.rank] = rank
    sizes = max((job.sizes for job in jobs), key=len)
    ranks = tuple(by_name[name] for name in sorted(by_name))
    notes = tuple(dict.fromkeys(note for job in jobs for note in job.notes))
    return Job(ranks, sizes, max(job.seconds for job in jobs), notes)
