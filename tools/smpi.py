"""tutti's own code at up to a thousand simulated ranks, on SimGrid's SMPI (docs/simulation.md).

    python3 tools/smpi.py table --nodes 16 --ppn 8
        specs of tutti's, or its choice by the rules of --profile, against SMPI's four selectors: bcast, allreduce,
        allgather, alltoall, reduce_scatter
    python3 tools/smpi.py sweep bcast --nodes 16 --ppn 8 --sizes 16M --spec chain 'groups({G}, chain)'
        specs beside each other; {G} stands for each of --groups (standard: all divisors of the ranks)
    python3 tools/smpi.py run --nodes 4 --ppn 8 -- PROGRAM WORDS
        a program built by build/release/bin/tutti-smpicc; TUTTI_<COLLECTIVE> are passed on with --set NAME=VALUE
    python3 tools/smpi.py platform --nodes 4 --ppn 8 -o FOLDER
        platform.xml and hosts alone

Times are simulated and exact: the same on every run and on every machine.  --json prints one object a line.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import statistics
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from smpi_launch import MEMORY, SELECTORS, Run, Unusable, build, start, stop_all, times
from smpi_platform import PLACEMENTS, Platform

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
# What the table compares where --spec names nothing: for each collective, what suits short, middle and long calls.
SPECS = {
    "bcast": ["binomial", "scatter_ring_allgather", "pipelined_chain(segment=64K)"],
    "allreduce": ["recursive_doubling", "rabenseifner", "ring"],
    "allgather": ["recursive_doubling", "bruck", "ring"],
    "alltoall": ["pairwise", "staggered", "linear"],
    "reduce_scatter": ["recursive_halving", "pairwise", "ring"],
}


def size_of(text: str) -> int:
    digits, factor = (text[:-1], UNITS[text[-1].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    if not digits.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no size: 4096, 64K, 16M")
    return int(digits) * factor


def sizes_of(text: str) -> list[int]:
    return [size_of(one) for one in text.split(",")]


def size_text(size: int) -> str:
    for unit, factor in reversed(UNITS.items()):
        if size >= factor and size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)


def time_text(seconds: float) -> str:
    return f"{seconds * 1e6:.1f}" if seconds < 1e-2 else f"{seconds * 1e6:.0f}"


def platform_options(parser: argparse.ArgumentParser) -> None:
    standard = Platform(1, 1)
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--ppn", type=int, default=1, help="ranks, and cores, of a node")
    parser.add_argument("--latency", type=float, default=standard.latency, help="seconds between nodes (%(default)s)")
    parser.add_argument("--bandwidth", type=float, default=standard.bandwidth, help="bytes/s of a node's link each way")
    parser.add_argument("--local-latency", type=float, default=standard.local_latency, help="seconds within a node")
    parser.add_argument("--local-bandwidth", type=float, default=standard.local_bandwidth, help="bytes/s, each message")
    parser.add_argument(
        "--backbone", type=float, help="bytes/s that all nodes share (standard: a switch that is never full)"
    )
    parser.add_argument("--leaf", type=int, help="a fat tree of two levels, with so many nodes on a switch")
    parser.add_argument("--up", type=int, default=standard.up, help="fat tree: links from a switch to the second level")
    parser.add_argument("--placement", choices=PLACEMENTS, default=standard.placement)


def platform_of(options: argparse.Namespace) -> Platform:
    try:
        return Platform(**{name: getattr(options, name) for name in Platform.__dataclass_fields__})
    except ValueError as error:
        raise Unusable(str(error)) from error


@contextlib.contextmanager
def stopped_together(pool: ThreadPoolExecutor) -> Iterator[None]:
    """Where this ends early, what runs is ended too."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        stop_all()
        raise


def gathered(options: argparse.Namespace, jobs: list[tuple[str, Callable[[], list[dict]]]]) -> Iterator[dict]:
    """The rows of all jobs in order, some jobs at once; what fails is told and left out."""
    failed = []
    with ThreadPoolExecutor(options.jobs) as pool, stopped_together(pool):
        begun = [(label, pool.submit(job)) for label, job in jobs]
        for number, (label, job) in enumerate(begun, 1):
            try:
                rows = job.result()
            except Unusable as error:
                failed.append(str(error))
                rows = error.rows
            finally:
                if sys.stderr.isatty():
                    print(f"\r{number}/{len(begun)} {label:50.50}", end="", file=sys.stderr, flush=True)
            failed += [f"{label}: not served: {row['why']}" for row in rows[:1] if not row["served"]]
            yield from rows
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if failed:
        raise Unusable("\n  ".join([f"{len(failed)} of {len(jobs)} have no time at every size:", *failed]))


def measured(options: argparse.Namespace, jobs: list[tuple[str, Callable[[], list[dict]]]]) -> Iterator[dict]:
    """As above with the median of each row's times, printed where JSON is asked for; only what was served."""
    for row in gathered(options, jobs):
        if not row["served"]:
            continue
        row["median"] = statistics.median(row["seconds"])
        if options.json:
            print(json.dumps(row), flush=True)
        yield row


def set_by(options: argparse.Namespace) -> dict[str, str]:
    return dict(one.partition("=")[::2] for one in options.set)


def job(options: argparse.Namespace, collective: str, **by: str | Path) -> tuple[str, Callable[[], list[dict]]]:
    """By a spec, a selector or a profile."""
    platform, sizes = platform_of(options), options.sizes
    settings = {} if "selector" in by else set_by(options)
    return f"{collective} {next(iter(by.values()))}", lambda: times(
        platform, collective, sizes, repeat=options.repeat, settings=settings, memory=options.memory, **by
    )


def print_table(rows: list[dict], head: str) -> None:
    """One block a collective and size, the fastest first."""
    print(head)
    for collective, size in dict.fromkeys((row["collective"], row["bytes"]) for row in rows):
        block = [row for row in rows if (row["collective"], row["bytes"]) == (collective, size)]
        print(f"{collective} {size_text(size)}")
        for row in sorted(block, key=lambda row: row["median"]):
            who = f"SMPI's {row['selector']}" if row["selector"] else row["choice"]
            print(f"  {time_text(row['median']):>12} us  {who}")


def print_versus(rows: list[dict]) -> None:
    """tutti beside each selector, as docs/performance.md has it; of tutti's the fastest where there are several."""
    selectors = list(dict.fromkeys(row["selector"] for row in rows if row["selector"]))
    print("| " + " | ".join(["collective", "size", "choice", "tutti us", *selectors, "best/tutti"]) + " |")
    print("|---" * (5 + len(selectors)) + "|")
    for cell in dict.fromkeys((row["collective"], row["bytes"]) for row in rows):
        block = [row for row in rows if (row["collective"], row["bytes"]) == cell]
        ours = min((row for row in block if not row["selector"]), key=lambda row: row["median"], default=None)
        theirs = {row["selector"]: row["median"] for row in block if row["selector"]}
        if not ours or not theirs:
            continue
        words = [cell[0], size_text(cell[1]), f"`{ours['choice']}`", time_text(ours["median"])]
        words += [time_text(theirs[name]) if name in theirs else "" for name in selectors]
        print("| " + " | ".join([*words, f"{min(theirs.values()) / ours['median']:.2f}"]) + " |")


def compare(options: argparse.Namespace, jobs: list) -> None:
    build()
    platform, rows = platform_of(options), []
    try:
        for row in measured(options, jobs):
            rows.append(row)
    finally:
        if not options.json and rows and options.versus:
            print_versus(rows)
        elif not options.json and rows:
            print_table(rows, f"{platform.nodes} nodes x {platform.ppn} ranks, simulated times")


def table(options: argparse.Namespace) -> None:
    given = dict(one.split("=", 1) if "=" in one.split("(")[0] else (one, "") for one in options.spec or [])
    if wrong := [name for name in [*given, *(options.collectives or [])] if name not in SPECS]:
        raise Unusable(f"the table has no {', '.join(wrong)}; --spec COLLECTIVE=SPEC, of: {', '.join(SPECS)}")
    jobs = []
    for collective in options.collectives or SPECS:
        specs = [given[collective]] if collective in given else [] if options.profile else SPECS[collective]
        jobs += [job(options, collective, profile=options.profile)] if options.profile else []
        jobs += [job(options, collective, spec=spec) for spec in specs]
        jobs += [job(options, collective, selector=selector) for selector in options.selectors]
    compare(options, jobs)


def sweep(options: argparse.Namespace) -> None:
    ranks = platform_of(options).ranks
    groups = options.groups or [g for g in range(2, ranks) if ranks % g == 0]
    specs = []
    for spec in options.spec:
        specs += [spec.replace("{G}", str(g)) for g in groups] if "{G}" in spec else [spec]
    jobs = [job(options, options.collective, spec=spec) for spec in dict.fromkeys(specs)]
    jobs += [job(options, options.collective, selector=selector) for selector in options.selectors]
    compare(options, jobs)


def run(options: argparse.Namespace) -> None:
    done = start(Run(platform_of(options), options.words, set_by(options), seconds=options.seconds))
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    sys.exit(done.returncode)


def platform(options: argparse.Namespace) -> None:
    options.output.mkdir(parents=True, exist_ok=True)
    print(*platform_of(options).write(options.output))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command in (table, sweep, run, platform):
        one = commands.add_parser(command.__name__)
        one.set_defaults(command=command)
        platform_options(one)
        if command is not platform:
            one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of the ranks")
        if command in (table, sweep):
            standard = [16 << 20] if command is sweep else [1 << 10, 64 << 10, 1 << 20]
            one.add_argument("--sizes", type=sizes_of, default=standard, help="1K,64K,1M (per peer where blocks are)")
            one.add_argument("--selectors", nargs="*", choices=SELECTORS, default=SELECTORS if command is table else ())
            one.add_argument("--repeat", type=int, default=1, help="calls of each kind; their times are equal mostly")
            one.add_argument("--memory", type=size_of, default=MEMORY, help="most for a simulation (8G): 16G")
            one.add_argument("--jobs", type=int, default=2, help="simulations at once")
            one.add_argument("--json", action="store_true", help="one object a line")
            one.add_argument(
                "--versus", action="store_true", help="a line a size: the fastest of tutti's, and selectors"
            )
        if command is table:
            one.add_argument("--collectives", nargs="+")
            one.add_argument("--spec", action="append", help="COLLECTIVE=SPEC instead of the standard ones")
            one.add_argument("--profile", type=Path, help="tutti's choice by the rules of this file instead")
        if command is sweep:
            one.add_argument("collective")
            one.add_argument("--spec", nargs="+", required=True, help="any specs; {G} stands for each of --groups")
            one.add_argument("--groups", type=lambda text: [int(g) for g in text.split(",")], help="2,4,8")
        if command is run:
            one.add_argument("--seconds", type=float, default=3600, help="of this machine's time, at most")
            one.add_argument("words", nargs="+", metavar="PROGRAM WORDS")
        if command is platform:
            one.add_argument("-o", "--output", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        options.command(options)
    except Unusable as error:
        sys.exit(f"tools/smpi.py: {error}")


if __name__ == "__main__":
    main()
