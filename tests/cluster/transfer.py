"""TCP connections without an MPI, between nodes of a cluster.

    transfer.py receive PORT CONNECTIONS             prints "ready"; then the bytes, and the seconds they took
    transfer.py send HOST PORT CONNECTIONS BYTES     on each connection, all at once, from ports PORT, PORT + 1, ...
"""

from __future__ import annotations

import socket
import sys
import threading
import time

PIECE = bytes(1 << 18)


def receive(port: int, connections: int) -> None:
    total, began, lock = 0, 0.0, threading.Lock()

    def drain(connection: socket.socket) -> None:
        nonlocal total, began
        place = memoryview(bytearray(len(PIECE)))
        while count := connection.recv_into(place):
            with lock:
                began, total = began or time.monotonic(), total + count

    with socket.create_server(("", port), backlog=connections) as door:
        print("ready", flush=True)
        crew = [threading.Thread(target=drain, args=(door.accept()[0],)) for _ in range(connections)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    print(total, time.monotonic() - began, flush=True)


def send(host: str, port: int, connections: int, size: int) -> None:
    lines = [socket.create_connection((host, port), source_address=("", port + i)) for i in range(connections)]

    def fill(line: socket.socket) -> None:
        with line:
            for begin in range(0, size, len(PIECE)):
                line.sendall(PIECE[: size - begin])

    crew = [threading.Thread(target=fill, args=(line,)) for line in lines]
    for one in crew:
        one.start()
    for one in crew:
        one.join()


if __name__ == "__main__":
    words = sys.argv[2:]
    if sys.argv[1] == "receive":
        receive(*map(int, words))
    else:
        send(words[0], *map(int, words[1:]))
