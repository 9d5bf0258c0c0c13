"""What lies at an address of a process: its object, and the function that a call there leads to."""

from __future__ import annotations

import bisect
import contextlib
import os
import re
import struct
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tutti.site import elf

DYNAMIC_SYMBOLS, FUNCTIONS = 11, (2, 10)  # a section's type; symbols' types
LIBRARIES = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)(-[\d.]+)?\.so|ld-|ld\.so|libtutti|linux-vdso|\[)")
MPI = ("libmpi", "libmpich", "libopen-", "libpmix", "libprrte", "libpmi.", "libpmi2.", "libfabric", "libucp", "libucs")
MPI += ("libuct", "libucm", "mca_", "libmca_", "libhwloc", "libevent", "libtcm", "libpsm", "libibverbs", "librdmacm")
MPI += ("libimpi", "libshm-fi", "libsockets-fi", "libtcp-fi", "libverbs-", "libmlx")


@lru_cache(maxsize=64)
def exported(path: str) -> dict[int, str]:
    """Functions that the object at that path exports, by their place."""
    reader = elf.opened(Path(path))
    found: dict[int, str] = {}
    if reader is None or not reader.wide:
        return found
    with contextlib.suppress(ValueError, struct.error, IndexError):
        listed = reader.sections()
        for what, offset, size, link, each in listed:
            if what != DYNAMIC_SYMBOLS or each != 24:
                continue
            names = listed[link][1]
            table = bytes(reader.data[offset : offset + size])
            for name, info, _, section, value, _ in struct.iter_unpack(reader.order + "IBBHQQ", table):
                if section and info & 15 in FUNCTIONS:
                    new = reader.text(names + name)
                    if value not in found or new.startswith("MPI_"):  # MPI_X and PMPI_X are one function
                        found[value] = new
    return found


@dataclass(frozen=True)
class Mapping:
    begin: int
    end: int
    runs: bool
    path: str
    base: int  # where its object is loaded

    @property
    def name(self) -> str:
        return self.path.removesuffix(" (deleted)").rpartition("/")[2]

    @property
    def kind(self) -> str:
        """mpi, library or program."""
        if self.name.startswith(MPI):
            return "mpi"
        return "library" if not self.name or LIBRARIES.match(self.name) else "program"


@dataclass
class Objects:
    """The mappings of a process, and its memory.  Raises nothing: what cannot be read is not known."""

    pid: int
    mappings: list[Mapping] = field(default_factory=list)

    def __post_init__(self) -> None:
        bases: dict[str, int] = {}
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.pid}/maps").read_text(errors="replace").splitlines():
                words = line.split(maxsplit=5)
                begin, end = (int(word, 16) for word in words[0].split("-"))
                path = words[5] if len(words) > 5 else ""
                base = bases.setdefault(path, begin - int(words[2], 16)) if path else begin
                self.mappings.append(Mapping(begin, end, "x" in words[1], path, base))
        self.begins = [mapping.begin for mapping in self.mappings]

    def at(self, address: int) -> Mapping | None:
        place = bisect.bisect_right(self.begins, address) - 1
        found = self.mappings[place] if place >= 0 else None
        return found if found and address < found.end else None

    def uses_mpi(self) -> bool:
        return any(mapping.name.startswith(("libmpi", "libmpich", "libmpi_abi")) for mapping in self.mappings)

    def preloaded(self) -> bool:
        return any(mapping.name == "libtutti.so" for mapping in self.mappings)

    def memory(self, address: int, size: int) -> bytes:
        try:
            with Path(f"/proc/{self.pid}/mem").open("rb", buffering=0) as file:
                return os.pread(file.fileno(), size, address)
        except (OSError, OverflowError):
            return b""

    def number(self, address: int) -> int:
        raw = self.memory(address, 8)
        return int.from_bytes(raw, "little") if len(raw) == 8 else 0

    def function(self, address: int) -> str:
        """The exported function that begins there, or nothing."""
        there = self.at(address)
        return exported(there.path).get(address - there.base, "") if there and there.path.startswith("/") else ""

    def called_before(self, back: int) -> tuple[bool, int]:
        """Whether a call (x86-64) returns to that address, and where the call leads: 0 where that is not known."""
        code = self.memory(back - 7, 7)
        if len(code) != 7:
            return False, 0
        if code[2] == 0xE8:
            return True, self.through(back + int.from_bytes(code[3:], "little", signed=True))
        if code[1:3] == b"\xff\x15":
            return True, self.number(back + int.from_bytes(code[3:], "little", signed=True))
        for length in (2, 3, 4, 6, 7):  # call *register, call *place
            if code[7 - length] == 0xFF and code[8 - length] >> 3 & 7 == 2:
                return True, 0
        return False, 0

    def through(self, target: int) -> int:
        """Past an entry of the procedure linkage table."""
        code = self.memory(target, 16)
        at = 4 if code[:4] == b"\xf3\x0f\x1e\xfa" else 0
        at += 1 if code[at : at + 1] == b"\xf2" else 0
        if code[at : at + 2] == b"\xff\x25":
            return self.number(target + at + 6 + int.from_bytes(code[at + 2 : at + 6], "little", signed=True))
        return target
