"""Collectives over several emulated nodes: tutti beside the MPI's own, and both beside what the wire allows.

    sudo .venv/bin/python tools/cluster_tables.py --mpi openmpi --try -s 4:1M:8 -o tables/openmpi
        what `tutti tune` finds for that layout becomes tables/openmpi/profile.toml
    sudo .venv/bin/python tools/cluster_tables.py --mpi openmpi --profile tables/openmpi/profile.toml -s 128K,1M
        what those rules choose, measured again, as Markdown

Native and tutti take turns inside a launch, as in `tutti bench`.  Every launch is a line of FOLDER/launches.jsonl; what
is there is not measured again.  Needs root (docs/cluster.md).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cluster import Cluster, ClusterError
from cluster.plan import bits_per_second
from cluster.processors import WAYS
from cluster_bench import Launches, Setup, Wire, cells, launch
from tutti.errors import UserError
from tutti.options import format_size, parse_sizes
from tutti.output import Output
from tutti.site import awake, mpi
from tutti.tuning.evidence import Store
from tutti.tuning.general import Tuning, cells_of
from tutti.tuning.layout import Layout, Local

TOOL = Path(__file__).with_name("cluster.py")
COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall", "reduce_scatter_block")


def cases(collective: str, sizes: list[int]) -> list[str]:
    return ["barrier"] if collective == "barrier" else [f"{collective}:{size}" for size in sizes]


def asked_for(options: argparse.Namespace, collective: str) -> list[str]:
    """Candidates that were named; without any, `tutti tune`'s own."""
    own = [spec for of, _, spec in (text.partition("=") for text in options.spec) if of == collective]
    return [spec.replace("{ppn}", str(options.ppn)) for spec in own]


class Measuring:
    """One MPI on one cluster."""

    def __init__(self, cluster: Cluster, options: argparse.Namespace):
        self.cluster, self.options = cluster, options
        self.kept = Launches(options.output / "launches.jsonl")
        self.failed: list[str] = []

    def lines(self, setup: Setup, collective: str, spec: str | None = None) -> list[dict]:
        """The launches of that spec, or of a profile; what cannot be launched is told, and missing."""
        options = self.options
        settings = {f"TUTTI_{collective.upper()}": spec} if spec else {}
        words = cases(collective, options.sizes)
        found = []
        for number in range(options.launches):
            what = [setup.mpi, setup.variants, str(setup.profile or ""), spec or "", *words, str(number)]
            key = " ".join([str(self.cluster.plan), str(options.ppn), str(setup.seconds), *what])
            if key not in self.kept.known:
                print(f"  {setup.mpi} {collective} {spec or 'by the profile'} {number}", file=sys.stderr, flush=True)
                try:
                    results, network = launch(
                        self.cluster, options.ppn, setup, settings, words, 30 + 20 * setup.seconds * len(words)
                    )
                except ClusterError as error:
                    self.failed.append(f"{collective} {spec or ''}: {error}")
                    continue
                self.kept.add({"key": key, "spec": spec, "results": results, "network": network})
            found.append(self.kept.known[key])
        return found


def try_all(cluster: Cluster, options: argparse.Namespace, of: str) -> Path:
    """As `tutti tune` does, over the cluster: its profile."""
    out, chosen = Output(), mpi.find(of)
    words = [sys.executable, TOOL, "run", "--name", cluster.folder.name, "--mpi", of, "-n", "{ranks}", "--ppn", "{ppn}"]
    runner = Local(chosen, f"{' '.join(map(str, words))} {{env:-x}} --", on_message=out.detail)
    layout = Layout(options.nodes * options.ppn, options.nodes, options.ppn)
    store, file = Store(options.output / "evidence.jsonl"), options.output / "profile.toml"
    options.output.mkdir(parents=True, exist_ok=True)
    tuning = Tuning(chosen, out, runner, store, file, 60 * options.minutes)
    cells = cells_of(options.collectives, options.sizes)
    tuning.tune(layout, cells, {cell: named for cell in cells if (named := asked_for(options, cell.collective))})
    if not tuning.write():
        raise ClusterError(f"{of}: nothing could be measured: {'; '.join(tuning.campaigns[-1].failures[-1:])}")
    tuning.tell()
    return file


def table(measuring: Measuring, of: str, wire: Wire) -> None:
    """Markdown of what the profile chooses."""
    options = measuring.options
    print(f"\n### {of}, {measuring.cluster.plan}, {options.ppn} ranks a node\n")
    print("| | size | native, ms | tutti, ms | native/tutti | bound of the wire, ms | tutti/bound | samples | spec |")
    print("|---" * 9 + "|")
    total: dict[str, int] = {}
    for collective in options.collectives:
        setup = Setup(of, f"tutti,{options.beside}", options.profile, options.seconds)
        lines = measuring.lines(setup, collective)
        for line in lines:
            total = {name: total.get(name, 0) + count for name, count in line["network"].items()}
        for cell in cells(lines):
            bound = wire.seconds(collective, cell.key.size) * 1e3
            tutti, native = (cell.contender_us or 0) / 1e3, (cell.base_us or 0) / 1e3
            ratio = f"{cell.ratio.value:.2f}" if cell.ratio else ""
            least = f"{bound:.2f} | {tutti / bound:.2f}" if bound else " | "
            samples = sum(
                r["repetitions"] * r["batch"]
                for line in lines
                for r in line["results"]
                if r["variant"] == "tutti" and r["size"] == cell.key.size
            )
            print(
                f"| {collective} | {format_size(cell.key.size)} | {native:.3f} | {tutti:.3f} | {ratio} | {least} | "
                f"{samples} | {cell.choice} |",
                flush=True,
            )
    counted = f"{total.get('dropped', 0)} packets dropped, {total.get('retransmissions', 0)} retransmissions"
    print(
        f"\nBoth variants together: {counted} ({total.get('needless', 0)} needless), "
        f"{total.get('timeouts', 0)} time-outs."
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", nargs="+", required=True, choices=("mpich", "openmpi", "impi"))
    parser.add_argument("-N", "--nodes", type=int, default=4)
    parser.add_argument("--ppn", type=int, default=4, help="ranks on a node")
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--buffers", default="deep", help="deep, shallow or bytes")
    parser.add_argument("--processors", choices=WAYS, default=WAYS[0], help="as cluster.py up has it")
    parser.add_argument("--flow-rate", help="what one connection gets at most")
    parser.add_argument("-s", "--sizes", type=parse_sizes, default=parse_sizes("128K,1M"))
    parser.add_argument("--collectives", nargs="+", choices=COLLECTIVES, default=list(COLLECTIVES))
    parser.add_argument("--spec", action="append", default=[], help="COLLECTIVE=SPEC: to try instead of the usual ones")
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="for a case and variant in one launch")
    parser.add_argument("--minutes", type=float, default=5, help="of --try, for each MPI (default: 5)")
    parser.add_argument("--profile", type=Path, help="rules of choice")
    parser.add_argument("--beside", choices=("native", "tutti"), default="native", help="tutti: nothing but tutti runs")
    parser.add_argument(
        "--try", action="store_true", dest="trying", help="tune: find the best candidates, write a profile"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("tables"), metavar="FOLDER")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    try:
        wire = Wire(options.nodes, options.ppn, bits_per_second(options.rate))
        plan = (options.nodes, options.rate, options.buffers, options.flow_rate or "", options.processors)
        with awake.kept(), Cluster(*plan) as cluster:
            measuring = Measuring(cluster, options)
            for of in options.mpi:
                if options.trying:
                    print(f"written: {try_all(cluster, options, of)}")
                else:
                    table(measuring, of, wire)
    except (ClusterError, UserError) as error:
        print(f"cluster_tables: {error}", file=sys.stderr)
        return 1
    for line in measuring.failed:
        print(f"cluster_tables: not measured: {line}", file=sys.stderr)
    return 1 if measuring.failed else 0


if __name__ == "__main__":
    sys.exit(main())
