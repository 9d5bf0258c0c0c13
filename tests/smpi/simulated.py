"""tutti under SimGrid's SMPI: results on simulated ranks, and times that can be computed by hand.

python3 tests/smpi/simulated.py            some algorithms at each number of ranks
python3 tests/smpi/simulated.py --all      every algorithm at each number of ranks

By turns half of these sets of algorithms, and of the phases in nodes and between them a third.
"""

from __future__ import annotations

import collections
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import turns  # noqa: E402
from smpi_launch import BUILD, PLAIN, Run, Unusable, build, start, times, tool  # noqa: E402
from smpi_platform import Platform  # noqa: E402

RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33)
COUNTED = re.compile(r"(\d+) calls, (\d+) by messages, (\d+) in nodes and between, (\d+) in a node, (\d+) mistakes")
# Where 16 ranks are: on hosts, or on nodes that are only pretended.
PLACED: dict[str, tuple[Platform, dict[str, str]]] = {
    "block": (Platform(nodes=4, ppn=4), {}),
    "cyclic": (Platform(nodes=4, ppn=4, placement="cyclic"), {}),
    "uneven": (Platform(nodes=1, ppn=16), {"TUTTI_PRETEND_NODES": "sizes:4,7,5"}),
    "anywhere": (Platform(nodes=1, ppn=16), {"TUTTI_PRETEND_NODES": "random:3:2"}),
}
HEADER = 16  # bytes that SMPI 3.32 adds to each message
TINY = 1e-9  # seconds: SimGrid's precision


def told(name: str, problem: str) -> bool:
    print(f"not ok {name}: {problem}" if problem else f"ok {name}", flush=True)
    return not problem


def algorithms() -> dict[str, list[str]]:
    """For each collective its specs, from the program that the build makes for the fuzzer."""
    command = ["cmake", "--build", BUILD, "--target", "tutti_catalogue"]
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    lines = subprocess.run([BUILD / "bin/tutti_catalogue"], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = collections.defaultdict(list)
    for line in lines.splitlines():
        collective, _, spec = line.split()
        found[collective].append(spec)
    return found


def settings(catalogue: dict[str, list[str]], turn: int) -> dict[str, str]:
    """One spec for each collective; `turn` after `turn` every one comes."""
    return {f"TUTTI_{name.upper()}": specs[turn % len(specs)] for name, specs in catalogue.items()}


def counted(platform: Platform, ranks: int, variables: dict[str, str]) -> tuple[list[int], str]:
    """Calls, those by messages, in nodes and between, and in a node; or what went wrong."""
    done = start(Run(platform, [str(BUILD / "smpi/collectives")], variables, PLAIN, ranks=ranks, seconds=300))
    told = COUNTED.search(done.stdout)
    if done.returncode != 0 or not told:
        said = f"{done.stdout[-1500:]}{done.stderr[-1500:]}"
        return [], f"status {done.returncode}, {variables}:\n{said}"
    return [int(number) for number in told.groups()[:-1]], ""


def results(ranks: int, variables: dict[str, str]) -> str:
    """What went wrong, or nothing.  Three nodes, so that ranks are within and between."""
    counts, problem = counted(Platform(nodes=3, ppn=-(-ranks // 3), placement="cyclic"), ranks, variables)
    if problem:
        return problem
    calls, messages, between, node = counts
    if node or between or (ranks > 2) != (messages > calls // 4):  # of two ranks' halves, each is one rank
        return f"{counts}, {variables}" if node or between or ranks > 2 else ""
    return ""


def hierarchies(everything: bool) -> bool:
    """Phases in nodes and between them: SMPI's own collectives between nodes, then algorithms of ours."""
    catalogue = algorithms()
    longest = max(map(len, catalogue.values())) if everything else 3
    rounds = [(where, senders, turn) for where in PLACED for senders in (1, 2, 4) for turn in range(-1, longest)]
    rounds = turns.share(rounds, 3)

    def one(where: str, senders: int, turn: int) -> str:
        inter = {c: "native" if turn < 0 else s[(turn + senders) % len(s)] for c, s in catalogue.items()}
        variables = {f"TUTTI_{c.upper()}": f"node({spec}, senders={senders})" for c, spec in inter.items()}
        platform, nodes = PLACED[where]
        counts, problem = counted(platform, 16, variables | nodes)
        return problem or ("" if counts[2] > counts[0] // 4 else f"{counts}, {variables}")

    with ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(lambda round: one(*round), rounds))
    good = True
    for where in PLACED:
        problems = [problem for (at, *_), problem in zip(rounds, wrong, strict=True) if at == where and problem]
        good &= told(f"node(X, senders=1|2|4), placement {where}", "\n".join(problems))
    return good


def collectives(everything: bool) -> bool:
    catalogue = algorithms()
    longest = max(map(len, catalogue.values()))
    some = [(r, turn) for at, r in enumerate(RANKS) for turn in ((at, at + len(RANKS)) if r < 33 else (at,))]
    rounds = [(r, turn) for r in RANKS for turn in range(longest)] if everything else turns.share(some, 2)
    with ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(lambda one: results(one[0], settings(catalogue, one[1])), rounds))
    good = True
    for ranks in dict(rounds):
        problems = [problem for (r, _), problem in zip(rounds, wrong, strict=True) if r == ranks and problem]
        good &= told(
            f"results on {ranks} ranks, {sum(r == ranks for r, _ in rounds)} sets of algorithms", "\n".join(problems)
        )
    return good


def one_message(name: str, platform: Platform, latency: float, bandwidth: float) -> bool:
    """A broadcast between two ranks is one message."""
    sizes = [8, 1024, 65535, 65536, 1 << 20, 16 << 20]
    rows = times(platform, "bcast", sizes, spec="binomial", selector=None, repeat=3)
    problems = []
    for row in rows:
        wanted = latency + (row["bytes"] + HEADER) / bandwidth
        if not row["served"] or any(abs(seconds - wanted) > TINY for seconds in row["seconds"]):
            problems.append(f"{row['bytes']} bytes took {row['seconds']} s, not {wanted} s")
    return told(name, "; ".join(problems))


def by_hand() -> bool:
    apart, together = Platform(nodes=2, ppn=1), Platform(nodes=1, ppn=2)
    good = one_message("a message between nodes takes what the platform says", apart, apart.latency, apart.bandwidth)
    good &= one_message(
        "a message within a node takes what the platform says",
        together,
        together.local_latency,
        together.local_bandwidth,
    )
    fat = Platform(nodes=4, ppn=1, leaf=2)
    return good & told("a fat tree of two levels", fat_tree(fat))


def fat_tree(platform: Platform) -> str:
    """Rank 0 sends first to the other switch, which each does over four links, then all send to their neighbours."""
    row = times(platform, "bcast", [8], spec="binomial", selector=None, repeat=1)[0]
    wanted = 1.5 * platform.latency + 2 * (8 + HEADER) / platform.bandwidth
    return "" if abs(row["seconds"][0] - wanted) < TINY else f"{row['seconds']} s, not {wanted} s"


def thousand() -> bool:
    """A binomial broadcast on 1024 nodes is ten messages one after the other; those of one rank share its link, which
    is worth a hundredth."""
    platform = Platform(nodes=1024, ppn=1)
    row = times(platform, "bcast", [8], spec="binomial", selector=None, repeat=2)[0]
    wanted = 10 * (platform.latency + (8 + HEADER) / platform.bandwidth)
    good = row["served"] and all(wanted - TINY < seconds < 1.02 * wanted for seconds in row["seconds"])
    return told("1024 ranks", "" if good else f"{row['seconds']} s, not {wanted} s")


def node_engine() -> bool:
    """Ranks of one node exchange messages, each within one message's time of the other: it is not free."""
    platform = Platform(nodes=1, ppn=4)
    variables = {f"TUTTI_{name.upper()}": "node" for name in algorithms()}
    counts, problem = counted(platform, 4, variables)
    good = told("results in a node", problem or ("" if counts[3] > counts[0] // 2 else f"{counts}"))
    row = times(platform, "bcast", [1 << 20], spec="node", selector=None, repeat=1)[0]
    wanted = platform.local_latency + ((1 << 20) + HEADER) / platform.local_bandwidth
    exact = row["served"] and abs(row["seconds"][0] - wanted) < TINY
    return good & told("a broadcast in a node takes a message's time", "" if exact else f"{row}, not {wanted} s")


def between_nodes() -> bool:
    """A broadcast in two nodes of four, in one piece: a message between leaders, and one to each of a node's ranks."""
    platform = Platform(nodes=2, ppn=4)
    row = times(platform, "bcast", [1 << 20], spec="node(binomial, overlap=1M)", selector=None, repeat=1)[0]
    size = (1 << 20) + HEADER
    wanted = platform.latency + size / platform.bandwidth + platform.local_latency + size / platform.local_bandwidth
    exact = row["served"] and abs(row["seconds"][0] - wanted) < TINY
    return told("phases in nodes and between take their messages' times", "" if exact else f"{row}, not {wanted} s")


def main() -> int:
    try:
        tool()
    except Unusable as error:
        print(f"skip SMPI: {error}")
        return 0
    try:
        build()
        everything = "--all" in sys.argv
        good = (
            by_hand() & node_engine() & between_nodes() & collectives(everything) & hierarchies(everything) & thousand()
        )
    except Unusable as error:
        good = told("SMPI", str(error))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
