"""Exported rules of coll/han are in force over several nodes of the emulated cluster.  Needs root; else it is skipped.

HAN serves a broadcast of one size in nodes and between them, or coll/tuned a segment of 256 bytes at a time: which of
them the profile says shows in the time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/mpi")]

from cluster import CANNOT, Cluster, ClusterError  # noqa: E402
from harness import Suite, tail  # noqa: E402
from tutti.bench.launch import as_event, bench_words, library_of  # noqa: E402
from tutti.site.mpi import named  # noqa: E402

# Not of the 2 ranks of a node, or of one a node, among whom HAN itself broadcasts by coll/tuned.
RULE = 'schema = 1\n[[rule]]\ncollective = "bcast"\nuse = "{}"\nranks = "4:"\nsize = "128K:"\n'
SLOW, HIERARCHY = "pipelined_chain(segment=256)", "node(native)"
CASE, SLOWER, TURNS = "bcast:256K", 1.5, 3
TUNED = ("coll_tuned_use_dynamic_rules", "coll_tuned_dynamic_rules_filename")
HAN = ("coll_han_use_dynamic_file_rules", "coll_han_dynamic_rules_filename")


def exported(layout: str, use: str, folder: Path) -> str:
    profile, file = folder / "profile.toml", folder / f"{layout}-{use[:4]}.rules"
    profile.write_text(RULE.format(use))
    words = [sys.executable, "-m", "tutti", "export", layout, profile, "-o", file, "-q"]
    subprocess.run([str(word) for word in words], check=True, timeout=60)
    return str(file)


def variables(names: tuple[str, str], file: str) -> dict[str, str]:
    return {f"OMPI_MCA_{names[0]}": "1", f"OMPI_MCA_{names[1]}": file}


def quickest(cluster: Cluster, settings: dict[str, str]) -> float:
    """Milliseconds of Open MPI's own broadcast, the least.  Raises ClusterError."""
    chosen = named("openmpi")
    words = bench_words(chosen, library_of(chosen), variants=["native", "again"], cases=[CASE], seconds=0.5)
    done = cluster.run("openmpi", per_node=2, program=words, settings=settings, seconds=120)
    events = [event for line in done.output.splitlines() if (event := as_event(line))]
    found = [event["min"] / 1e3 for event in events if event["event"] == "result"]
    if done.status or not found:
        raise ClusterError(f"status {done.status}\n{tail(done.output)}")
    return min(found)


def main() -> None:
    suite = Suite(__doc__)
    name = "exported rules of han decide who serves openmpi's broadcast"
    try:
        with tempfile.TemporaryDirectory() as folder, Cluster(nodes=2) as cluster:
            slow = variables(TUNED, exported("openmpi", SLOW, Path(folder)))
            tuned = slow | variables(HAN, exported("han", SLOW, Path(folder)))
            han = slow | variables(HAN, exported("han", HIERARCHY, Path(folder)))
            times = {"han": quickest(cluster, han), "tuned": quickest(cluster, tuned)}
            for _ in range(TURNS - 1):  # on a busy machine one launch of either may find no quiet moment
                if times["tuned"] > SLOWER * times["han"]:
                    break
                times["han"] = min(times["han"], quickest(cluster, han))
                times["tuned"] = min(times["tuned"], quickest(cluster, tuned))
    except ClusterError as error:
        if error.status == CANNOT:
            suite.skip("cluster", str(error))
        else:
            suite.fail(name, str(error))
        suite.end()
    text = ", ".join(f"{who} {time:.1f} ms" for who, time in times.items())
    if times["tuned"] > SLOWER * times["han"]:
        suite.ok(name, text)
    else:
        suite.fail(name, f"{text}: the files are not in force")
    suite.end()


if __name__ == "__main__":
    main()
