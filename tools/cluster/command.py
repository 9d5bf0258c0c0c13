"""The command line of tools/cluster.py."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from cluster import processors, state
from cluster.errors import LATE, USAGE, ClusterError
from cluster.launchers import LAUNCHERS
from cluster.life import Cluster, Result, check_machine
from cluster.placement import WAYS
from cluster.plan import Plan

DEFAULT_NAME = "tutti"
MAKING = {
    "nodes": "-N",
    "rate": "--rate",
    "buffers": "--buffers",
    "flow_rate": "--flow-rate",
    "processors": "--processors",
}  # what `up` decides


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        raise ClusterError(f"{message} ({self.prog} --help)")


def describe(parser: argparse.ArgumentParser) -> None:
    """Options of a cluster that is made.  Absent ones stay None, to tell them from asked-for defaults."""
    plain = Plan()
    parser.add_argument("-N", "--nodes", type=int, metavar="NODES", help=f"nodes (default: {plain.nodes})")
    parser.add_argument("--rate", help=f"of each node's link, each way: 1gbit, 100mbit (default: {plain.rate})")
    parser.add_argument("--buffers", help="what the switch holds for a node: deep, shallow, or bytes (default: deep)")
    parser.add_argument("--flow-rate", metavar="RATE", help="what one TCP connection gets at most (default: the link)")
    parser.add_argument(
        "--processors", choices=processors.WAYS, help="a share of its own for each node, or all (default: shared)"
    )
    parser.add_argument("--name", help=f"of the cluster, for several at once (default: {DEFAULT_NAME})")
    parser.add_argument("--json", action="store_true", help="figures as one JSON object")


def parser() -> argparse.ArgumentParser:
    top = Parser(prog="cluster.py", description="Several nodes on this machine, for MPI programs.  Needs root.")
    commands = top.add_subparsers(dest="command", required=True, metavar="up, run, status or down")
    describe(commands.add_parser("up", help="make a cluster that stays"))
    run = commands.add_parser("run", help="an MPI program over the nodes, of a cluster of its own if none is up")
    describe(run)
    run.add_argument("-n", "--ranks", type=int, help="ranks in all (default: PPN on each node)")
    run.add_argument("--ppn", type=int, metavar="K", help="ranks on a node (default: RANKS / NODES, rounded up)")
    run.add_argument("--placement", default="block", help=f"{WAYS} (default: block)")
    run.add_argument("--mpi", required=True, choices=list(LAUNCHERS))
    run.add_argument("--prefix", type=Path, metavar="DIR", help="where it lies, if not the fetched release")
    run.add_argument("--preload", type=Path, metavar="LIB", help="LD_PRELOAD of the ranks")
    run.add_argument("-x", action="append", default=[], metavar="VAR=VALUE", dest="variables", help="for the ranks")
    run.add_argument("--timeout", type=float, metavar="SECONDS", help=f"then everything is ended, with status {LATE}")
    run.add_argument("program", nargs="+", metavar="-- PROGRAM", help="with its arguments")
    for name, text in (("status", "what is up"), ("down", "remove a cluster")):
        more = commands.add_parser(name, help=text)
        more.add_argument("--name", help="of the cluster" + (" (default: all)" if name == "status" else ""))
        more.add_argument("--json", action="store_true")
    return top


def asked_for(options: argparse.Namespace) -> dict:
    return {name: value for name in MAKING if (value := getattr(options, name)) is not None}


def variables(words: Sequence[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    if wrong := [name for name, equals, _ in pairs if not (name and equals)]:
        raise ClusterError(f"-x {wrong[0]} is no variable: -x NAME=VALUE")
    return {name: value for name, _, value in pairs}


def up(options: argparse.Namespace) -> int:
    cluster = Cluster(**asked_for(options), name=options.name or DEFAULT_NAME)
    cluster.up(owned=False)
    say(options, {"name": cluster.folder.name, "up": True}, f"cluster {cluster.folder.name}: {cluster.plan}")
    return 0


def down(options: argparse.Namespace) -> int:
    check_machine()
    name = options.name or DEFAULT_NAME
    cluster = Cluster.find(name)
    if cluster is None:
        raise ClusterError(f"no cluster '{name}' is up" + others())
    cluster.down()
    say(options, {"name": name, "up": False}, f"cluster {name}: removed")
    return 0


def others() -> str:
    names = state.names()
    return f"; there are: {', '.join(names)}" if names else ""


def status(options: argparse.Namespace) -> int:
    check_machine()
    names = [options.name] if options.name else state.names()
    for name in names:
        cluster = Cluster.find(name)
        if cluster is None and not options.name:  # it is being made, or removed
            continue
        if cluster is None:
            raise ClusterError(f"no cluster '{name}' is up" + others())
        facts = {"name": name, "up": True, "nodes": cluster.plan.hosts, "rate": cluster.plan.rate}
        facts |= {"buffers": cluster.plan.buffers, "flow_rate": cluster.plan.flow_rate or None}
        facts["processors"] = [list(node.processors) for node in cluster.there().nodes]
        say(options, facts, f"cluster {name}: {cluster.plan}")
    if not names and not options.json:
        print("no cluster is up")
    return 0


def say(options: argparse.Namespace, facts: dict, line: str) -> None:
    print(json.dumps(facts) if options.json else line, flush=True)


def run(options: argparse.Namespace) -> int:
    if options.preload and not options.preload.is_file():
        raise ClusterError(f"--preload {options.preload}: there is no such file")
    check_machine()
    cluster = Cluster.find(options.name or DEFAULT_NAME)
    if cluster is None and options.name:
        raise ClusterError(f"no cluster '{options.name}' is up: `cluster.py up --name {options.name}`" + others())
    if cluster is not None:
        if differs := [
            MAKING[name] for name, value in asked_for(options).items() if value != getattr(cluster.plan, name)
        ]:
            raise ClusterError(f"{', '.join(differs)}: cluster {cluster.folder.name} is up with {cluster.plan}")
        return carry_out(cluster, options)
    with Cluster(**asked_for(options)) as own:
        return carry_out(own, options)


def carry_out(cluster: Cluster, options: argparse.Namespace) -> int:
    result = cluster.run(
        options.mpi,
        options.ranks,
        options.ppn,
        options.placement,
        options.program,
        options.preload,
        variables(options.variables),
        options.timeout,
        capture=False,
        release=options.prefix,
    )
    if options.json:
        facts = {"status": result.status, "seconds": round(result.seconds, 3), "cluster": str(cluster.plan)}
        nodes = {host: node.facts() for host, node in zip(cluster.plan.hosts, result.nodes, strict=True)}
        print(json.dumps(facts | {"total": result.total.facts(), "nodes": nodes}), file=sys.stderr)
    else:
        print(told(cluster, result), file=sys.stderr)
    return result.status


def told(cluster: Cluster, result: Result) -> str:
    """One line of figures."""
    total = result.total
    late = f"not ended after {result.seconds:.0f} s, and ended; " if result.status == LATE else ""
    again = f"{total.retransmissions} retransmissions ({total.needless} needless)"
    losses = f"{total.dropped} packets dropped, {again}, {total.timeouts} time-outs"
    most = max(node.sent for node in result.nodes)
    return f"cluster: {late}{cluster.plan}: {losses}; a node sent {most / 1e6:.1f} MB at most"


class Ended(BaseException):
    """A signal came: everything on the way out cleans up."""


def end(number: int, _frame) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one does not disturb the cleaning
    raise Ended(number)


def main(words: Sequence[str]) -> int:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    try:
        options = parser().parse_args(words)
        return {"up": up, "down": down, "status": status, "run": run}[options.command](options)
    except ClusterError as error:
        print(f"cluster.py: {error}", file=sys.stderr)
        return error.status
    except Ended as ended:
        return 128 + ended.args[0]
    except BrokenPipeError:
        return USAGE
