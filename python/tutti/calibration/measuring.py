"""What a calibration measures, by tutti-bench: ping-pong by size, a burst of short messages, copies, reductions."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutti.bench.launch import bench_words, library_of
from tutti.calibration.fitting import Launch
from tutti.site import launch
from tutti.site.mpi import Mpi
from tutti.tuning.layout import Layout

BURST = 16  # messages that follow one another
SHORT = 8  # bytes of them
BLOCK = 1 << 20  # bytes that are copied, and combined
SIZES = tuple(SHORT << power for power in range(20))  # to 4 MiB
WARM_UPS = 10
Runner = Callable[[Layout, Sequence[str], Mapping[str, str]], Iterator[dict[str, Any]]]


def burst_pattern() -> str:
    """So many messages one after the other, and an answer."""
    return "0 -> 1 8\n" * BURST + "round\n1 -> 0 8\n"


@dataclass(frozen=True)
class Bench:
    """Launches of tutti-bench with one MPI."""

    runner: Runner
    mpi: Mpi
    seconds: float  # of a case in one launch

    def medians(
        self,
        layout: Layout,
        cases: Sequence[str],
        variants: Sequence[str] = ("native", "again"),
        options: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> dict[tuple[str, int], float]:
        """Seconds of a call by (subject, size), of the first variant."""
        words = bench_words(
            self.mpi, library_of(self.mpi), variants=variants, cases=cases, seconds=self.seconds, precision=0.01,
            check=False, timing=("--warm-ups", str(WARM_UPS), *options),
        )  # fmt: skip
        found = {}
        for event in self.runner(layout, words, variables or {}):
            if event["event"] == "result" and event["variant"] == variants[0] and event.get("median_us"):
                found[event["collective"], event["size"]] = 1e-6 * event["median_us"]
        return found

    def messages(self, layout: Layout, sizes: Sequence[int] = SIZES) -> Launch:
        """Of ranks 0 and 1."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "burst.txt"
            file.write_text(burst_pattern())
            cases = [*(f"pingpong:{size}" for size in sizes), f"burst:{SHORT}"]
            found = self.medians(layout, cases, options=("--pattern", f"burst={file}"))
        one_way = {size: found["pingpong", size] / 2 for size in sizes if ("pingpong", size) in found}
        # The burst, less one message each way, is what the others add.
        interval = (found["burst", SHORT] - 2 * one_way[SHORT]) / (BURST - 1)
        return Launch(one_way, interval)

    def copy(self, layout: Layout) -> float:
        """Seconds a byte."""
        return self.medians(layout, [f"memcpy:{BLOCK}"])["memcpy", BLOCK] / BLOCK

    def reduction(self, layout: Layout, message: float) -> float:
        """Seconds a byte of combining floats: a reduction of two ranks takes a message, and this."""
        variables = {"LD_PRELOAD": launch.preload(), "TUTTI_REDUCE": "linear"}
        found = self.medians(layout, [f"reduce:{BLOCK}"], ("tutti", "native"), variables=variables)
        return (found["reduce", BLOCK] - message) / BLOCK

    def pairs(self, layout: Layout, count: int) -> float:
        """Seconds of a message of that size, while so many ranks of a node send one each."""
        return self.medians(layout, [f"pairs-{count}:{BLOCK}"])[f"pairs-{count}", BLOCK] / 2
