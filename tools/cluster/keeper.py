"""The process behind a cluster: it makes the namespaces, holds them, and takes them away when it is no longer wanted.

    python3 -m cluster.keeper NAME PLAN OWNER     OWNER: a pidfd of the process that the cluster belongs to, or -1

All processes of a cluster are in one PID namespace, whose first process (the hub's holder) is the keeper's child: when
that ends, the kernel ends them all, and namespaces, links and mounts go with them, since nothing else has a name for
them.  It ends when the keeper kills it, and by itself when the keeper is killed: it reads from a pipe of the keeper's.

The keeper ends on SIGTERM (`down`) and when the owner ends, be it by SIGKILL.  A run in a cluster that outlives it
calls the keeper and stays connected: what it leaves when the connection closes is ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field, replace

from cluster import network
from cluster.errors import CANNOT, ClusterError
from cluster.plan import Plan
from cluster.processes import MARK, end_marked
from cluster.processors import bound, share_of
from cluster.state import Folder, Holder, State

NEW_PIDS = 0x20000000  # CLONE_NEWPID
SWITCH_OFF_IPV6 = "for f in /proc/sys/net/ipv6/conf/*/disable_ipv6; do [ ! -e $f ] || echo 1 > $f; done"
# Process 1, to which orphans come: it must outlive them and forget them, and end with the keeper, whose pipe it reads.
HUB = f"{SWITCH_OFF_IPV6}; echo $$; exec env --ignore-signal=CHLD cat"
NODE = f"""
echo "$1" > /proc/sys/kernel/hostname
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs "$2"
mount --bind "$3" /etc/hosts
{SWITCH_OFF_IPV6}
echo $$
exec sleep infinity
"""
# A stand-in for ssh.  As there, a command gets a fresh environment: what a launcher forgets to pass on is missing.
# PATH and LD_LIBRARY_PATH are what a site's shell start-up files would set.
SHELL = """#!/bin/sh
while :; do case "$1" in -[lpo]) shift 2;; -*) shift;; *) break;; esac; done
case "$1" in
{cases}
*) echo "rsh: no node '$1'" >&2; exit 1;;
esac
shift
exec $on nsenter -t "$pid" -n -u -i -m -- setsid --wait \\
  env -i HOME="$HOME" USER="$USER" PATH="$PATH" TMPDIR="$TMPDIR" LD_LIBRARY_PATH="$LD_LIBRARY_PATH" \\
  {mark}="${mark}" sh -c "cd; $*"
"""


def tool(words: list[str], text: str = "") -> None:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise ClusterError(f"`{' '.join(words)}` failed: {reason[0]}", CANNOT)


def unshare_pids() -> None:
    """Children from now on are in a new PID namespace; the first of them is its process 1."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_PIDS) != 0:
        raise ClusterError(f"no PID namespace can be made here: {os.strerror(ctypes.get_errno())}", CANNOT)


@dataclass
class Keeper:
    folder: Folder
    plan: Plan
    children: list[subprocess.Popen] = field(default_factory=list)

    def hold(self, script: str, *more: str) -> Holder:
        """A process in new namespaces that sets them up by `script`, prints its number and stays."""
        words = ["unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "private", "--mount-proc"]
        child = subprocess.Popen(
            [*words, "sh", "-ec", script, "hold", *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
        )
        self.children.append(child)
        line = child.stdout.readline().strip() if child.stdout else ""
        if not line.isdigit():
            raise ClusterError(f"no namespaces can be made here: {line or 'unshare ended'}", CANNOT)
        return Holder(child.pid, int(line))

    def build(self) -> State:
        unshare_pids()
        plan, folder = self.plan, self.folder
        folder.temporary.chmod(0o1777)
        folder.hosts.write_text(plan.hosts_file())
        hub = self.hold(HUB)
        paths = (str(folder.temporary), str(folder.hosts))
        nodes = tuple(
            replace(self.hold(NODE, host, *paths), processors=self.processors(number))
            for number, host in enumerate(plan.hosts)
        )
        self.connect(hub, nodes)
        cases = "\n".join(
            f"{host}) pid={node.inside}; on='{' '.join(bound((), node.processors))}';;"
            for host, node in zip(plan.hosts, nodes, strict=True)
        )
        folder.shell.write_text(SHELL.format(cases=cases, mark=MARK))
        folder.shell.chmod(0o755)
        return State(plan, os.getpid(), hub, nodes)

    def processors(self, node: int) -> tuple[int, ...]:
        if self.plan.processors != "own":
            return ()
        return tuple(share_of(node, self.plan.nodes, sorted(os.sched_getaffinity(0))))

    def connect(self, hub: Holder, nodes: tuple[Holder, ...]) -> None:
        def batch(where: Holder, program: str, lines: list[str]) -> None:
            tool(["nsenter", "-t", str(where.here), "-n", program, "-batch", "-"], "\n".join(lines) + "\n")

        batch(hub, "ip", network.hub_links(self.plan, [node.inside for node in nodes]))
        batch(hub, "tc", network.hub_queues(self.plan))
        for number, node in enumerate(nodes):
            batch(node, "ip", network.node_links(self.plan, number))
            batch(node, "tc", network.node_queues(self.plan))

    def listen(self) -> socket.socket:
        calls = socket.socket(socket.AF_UNIX)
        calls.bind(str(self.folder.calls))
        self.folder.calls.chmod(0o600)
        calls.listen()
        return calls

    def serve(self, calls: socket.socket, owner: int) -> None:
        """Until the owner ends, the hub ends or SIGTERM comes."""
        awake, waker = socket.socketpair()
        waker.setblocking(False)
        signal.set_wakeup_fd(waker.fileno())
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        with selectors.DefaultSelector() as events:
            for over in (awake.fileno(), os.pidfd_open(self.children[0].pid), *([owner] if owner >= 0 else [])):
                events.register(over, selectors.EVENT_READ, "over")
            events.register(calls, selectors.EVENT_READ, "call")
            while True:
                for key, _ in events.select():
                    if key.data == "over":
                        return
                    if key.data == "call":
                        caller, _ = calls.accept()
                        mark = caller.recv(100).decode()  # sent as soon as it is connected
                        events.register(caller, selectors.EVENT_READ, mark)
                    else:
                        events.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
                        end_marked(key.data)

    def end(self) -> None:
        """The hub is process 1: with it the kernel ends all others.  It is the last to go, since it waits until each of
        them has been reaped, the nodes' holders by this process."""
        for child in self.children:
            child.kill()
        for child in reversed(self.children):
            child.wait()
        self.folder.remove()


def keep(name: str, plan: Plan, owner: int) -> None:
    folder = Folder(name)
    lock = folder.make()
    keeper = Keeper(folder, plan)
    try:
        state = keeper.build()
        calls = keeper.listen()
        state.write(folder.state)
        report({})
        keeper.serve(calls, owner)
    finally:
        keeper.end()
        os.close(lock)


def report(facts: dict) -> None:
    """To whoever started this, which then goes on; what is printed later goes nowhere."""
    with contextlib.suppress(BrokenPipeError):  # it has ended meanwhile
        print(json.dumps(facts), flush=True)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def main() -> None:
    name, plan, owner = sys.argv[1:]
    try:
        keep(name, Plan(**json.loads(plan)), int(owner))
    except ClusterError as error:
        report({"error": str(error), "status": error.status})
    except FileNotFoundError as error:
        report({"error": f"{error.filename} is not installed", "status": CANNOT})


if __name__ == "__main__":
    main()
