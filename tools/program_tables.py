"""What tools/imb_tables.py and tools/osu_tables.py share: programs as they come, natively and preloaded in turns."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import loop_tables as tables
from tutti import paths
from tutti.errors import UserError, did_you_mean
from tutti.site import awake, launch, mpi


def output(of: mpi.Mpi, ranks: int, words: list[str], library: Path | None, limit: float) -> str:
    """What one launch prints; `library` is preloaded."""
    variables = {"LD_PRELOAD": str(library)} if library else {}
    command = launch.Job(of, ranks=ranks, variables=variables, bound=True).command(words)
    done = subprocess.run(command, env=of.environment(), capture_output=True, text=True, timeout=limit, check=False)
    if done.returncode:
        raise UserError(f"{' '.join(command)}: status {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    return done.stdout


def parser(description: str | None, collectives: Sequence[str], usual: str) -> argparse.ArgumentParser:
    """The options of both; `usual` is the MPI where none is named."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("-n", "--ranks", type=int, nargs="*", default=[2], help="on this node (default: 2)")
    made.add_argument("--mpi", nargs="*", default=[usual], help=f"mpich, openmpi, impi, or a prefix (default: {usual})")
    made.add_argument("-c", "--collectives", nargs="*", default=list(collectives), help="as the programs name them")
    made.add_argument("--launches", type=int, default=3, help="pairs of launches (default: 3)")
    made.add_argument("--bar", type=float, default=0.95, help="ratio below which a cell is slower (default: 0.95)")
    made.add_argument("--library", type=Path, help="libtutti.so, instead of the installed one")
    made.set_defaults(figure=["own"])
    return made


def check_collectives(asked: Sequence[str], known: Sequence[str]) -> None:
    for word in asked:
        if word not in known:
            raise UserError(f"there is no collective {word!r} here{did_you_mean(word, known)}")


def print_tables(options: argparse.Namespace, title: str, program: Callable[[mpi.Mpi, int], tables.Program]) -> None:
    """A table for each MPI and number of ranks, of what `program` launches."""
    sides = tables.Sides(None, options.library or paths.library())
    for ranks in options.ranks:
        for name in options.mpi:
            of = mpi.find(name)
            asked = program(of, ranks)
            with awake.kept():
                cells = sides.pairs(asked, options.launches)
                tables.confirm(sides, asked, cells, options)
            told = tables.summary(cells, "own", options.bar)
            print(f"\n### {title}, {of.title}, {ranks} ranks\n\n{tables.grid(cells, 'own')}\n\n{told}", flush=True)


def ended(tool: str, work: Callable[[], None]) -> int:
    """The status of a tool: what is wrong is one line."""
    try:
        work()
    except (UserError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"{tool}: {error}", file=sys.stderr)
        return 1
    return 0
