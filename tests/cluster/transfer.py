"""TCP connections without an MPI, between nodes of a cluster.

    transfer.py receive PORT CONNECTIONS             prints "ready"; then the bytes, and the seconds they took
    transfer.py send HOST PORT CONNECTIONS BYTES     on each of them, from ports PORT, PORT + 1, ...

All connections, from whichever nodes, begin together: the receiver says when.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable

PIECE = bytes(1 << 18)


def at_once(work: Callable[[socket.socket], None], lines: list[socket.socket]) -> None:
    crew = [threading.Thread(target=work, args=(line,)) for line in lines]
    for one in crew:
        one.start()
    for one in crew:
        one.join()


def receive(port: int, connections: int) -> None:
    total, lock = 0, threading.Lock()

    def drain(line: socket.socket) -> None:
        nonlocal total
        place = memoryview(bytearray(len(PIECE)))
        while count := line.recv_into(place):
            with lock:
                total += count

    with socket.create_server(("", port), backlog=connections) as door:
        print("ready", flush=True)
        lines = [door.accept()[0] for _ in range(connections)]
    began = time.monotonic()
    for line in lines:
        line.sendall(b"!")
    at_once(drain, lines)
    print(total, time.monotonic() - began, flush=True)


def send(host: str, port: int, connections: int, size: int) -> None:
    lines = [socket.create_connection((host, port), source_address=("", port + i)) for i in range(connections)]

    def fill(line: socket.socket) -> None:
        with line:
            line.recv(1)
            for begin in range(0, size, len(PIECE)):
                line.sendall(PIECE[: size - begin])

    at_once(fill, lines)


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # the line is measured, and not who else wants the processors
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    words = sys.argv[2:]
    if sys.argv[1] == "receive":
        receive(*map(int, words))
    else:
        send(words[0], *map(int, words[1:]))
