"""Pictures of N. A. W. A. Hamid's thesis (University of Adelaide, 2008): chapters 3 (benchmarks beside each other),
5 (Ethernet and Myrinet) and 7 (a shared-memory machine), as far as they are about collectives.

The thesis measured an IBM Linux cluster and an SGI Altix of up to 200 processors with MPIBench; figures here name the
same quantities at the numbers of ranks that are measured.
"""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "Hamid 2008, chapters 3, 5 and 7"
COLLECTIVES = ("barrier", "bcast", "scatter", "gather", "alltoall")
SIZES = (64, 256, 1024, 4096, 16384, 65536, 262144)  # bytes, as MPI benchmarks count them: to or from one rank

# What a picture shows.
SIZE = "average time against size, a line for each number of ranks"
RANKS = "average time against ranks"
DISTRIBUTION = "distribution of the times"
BY_RANK = "least, mean and largest time of each rank"


@dataclass(frozen=True)
class Picture:
    """One quantity, and the thesis' figures that show it."""

    shows: str
    collective: str
    figures: str
    size: int = 0  # of a distribution; 0 for a barrier and where all sizes are shown

    @property
    def title(self) -> str:
        at = f" of {self.size // 1024} KiB" if self.size >= 1024 else f" of {self.size} bytes" if self.size else ""
        return f"MPI_{self.collective.capitalize()}{at}: {self.shows}"


PICTURES = (
    Picture(RANKS, "barrier", "3.21, 3.22, 5.8, 7.12"),
    Picture(DISTRIBUTION, "barrier", "5.9, 5.10"),
    Picture(SIZE, "bcast", "3.23 to 3.25, 5.11, 5.12, 7.9"),
    Picture(DISTRIBUTION, "bcast", "7.10", 64),
    Picture(DISTRIBUTION, "bcast", "5.15", 16384),
    Picture(DISTRIBUTION, "bcast", "5.17", 65536),
    Picture(DISTRIBUTION, "bcast", "5.13, 5.18, 5.19, 5.21, 7.11", 262144),
    Picture(BY_RANK, "bcast", "3.26, 3.28, 3.30 (there of 4 MiB), 5.20, 5.22", 262144),
    Picture(SIZE, "scatter", "3.31, 3.32, 5.23, 5.24, 7.13"),
    Picture(DISTRIBUTION, "scatter", "5.25, 5.27", 65536),
    Picture(BY_RANK, "scatter", "5.26, 5.28, 5.29", 65536),
    Picture(DISTRIBUTION, "scatter", "7.14", 262144),
    Picture(SIZE, "gather", "3.33, 3.34, 5.30, 5.31, 7.15"),
    Picture(DISTRIBUTION, "gather", "7.16", 4096),
    Picture(DISTRIBUTION, "gather", "5.32, 5.34", 65536),
    Picture(BY_RANK, "gather", "5.33, 5.35, 5.36", 65536),
    Picture(SIZE, "alltoall", "3.35, 3.36, 5.37, 5.38, 7.17"),
    Picture(DISTRIBUTION, "alltoall", "5.40", 64),
    Picture(BY_RANK, "alltoall", "5.41", 64),
    Picture(DISTRIBUTION, "alltoall", "5.42", 256),
    Picture(BY_RANK, "alltoall", "5.43", 256),
    Picture(DISTRIBUTION, "alltoall", "5.44", 1024),
    Picture(DISTRIBUTION, "alltoall", "5.47", 4096),
    Picture(DISTRIBUTION, "alltoall", "5.49", 16384),
    Picture(DISTRIBUTION, "alltoall", "7.18", 262144),
)
TIMEOUTS = "Tables 5.6 and 5.7: calls that waited for a retransmission time-out"
TAILS = "Tables 5.1 to 5.4, for every cell: the part `Tails` of each measurement below."
