"""Call sites as people know them: the source line where the program has debugging information, else its function."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tutti.record import names

Place = tuple[str, int, int, str]  # object, return address, where the object is loaded, symbol of the loader
FIXED = 2  # e_type of an executable that is loaded where it was linked for


def is_fixed(path: str) -> bool:
    """Whether addresses in that executable are as in its file, and not shifted (ET_EXEC)."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(18)
    except OSError:
        return False
    return head[:4] == b"\x7fELF" and int.from_bytes(head[16:18], "little") == FIXED


def in_file(place: Place) -> int:
    """The call's address in its object's file: in front of what it returns to."""
    path, address, base, _ = place
    return address - 1 - (0 if is_fixed(path) else base)


def plain(place: Place) -> str:
    """What can be said without debugging information: the function, or the place in the object's file."""
    path, address, base, symbol = place
    name = Path(path).name or "?"
    return f"{names.readable(symbol)} ({name})" if symbol else f"{name}+{address - base:#x}"


def ask(path: str, addresses: list[int]) -> list[tuple[str, str]]:
    """(function, file:line) of each address, by addr2line; '??' for what is not known."""
    tool = shutil.which("addr2line")
    if not tool or not Path(path).is_file():
        return [("??", "??")] * len(addresses)
    command = [tool, "-f", "-C", "-e", path, *map(hex, addresses)]
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    lines = answer.stdout.splitlines()
    if len(lines) != 2 * len(addresses):
        return [("??", "??")] * len(addresses)
    return list(zip(lines[::2], lines[1::2], strict=True))


def readable(place: Place, function: str, line: str) -> str:
    source, _, number = line.partition(" ")[0].rpartition(":")
    if any(letter in function for letter in "(<"):  # as addr2line demangles it
        function = names.shortened(function)
    if source not in ("", "??") and number not in ("0", "?"):
        return f"{Path(source).name}:{number} {function}" if function != "??" else f"{Path(source).name}:{number}"
    return plain((*place[:3], place[3] or ("" if function == "??" else function)))


def of(places: Iterable[Place]) -> dict[Place, str]:
    """`solver.c:118 step`, else `step (app)`, else `app+0x12f3`."""
    by_object: dict[str, list[Place]] = defaultdict(list)
    for place in dict.fromkeys(places):
        by_object[place[0]].append(place)
    found = {}
    for path, there in by_object.items():
        for place, (function, line) in zip(there, ask(path, [in_file(place) for place in there]), strict=True):
            found[place] = readable(place, function, line)
    return found
