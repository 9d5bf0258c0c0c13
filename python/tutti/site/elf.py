"""What an ELF file says of itself: the objects it needs, where they are looked for, and what it defines.

Only read, never run: a program may be another machine's, or belong to somebody else.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LOAD, DYNAMIC, INTERPRETER = 1, 2, 3  # program headers
NEEDED, STRING_TABLE, SONAME, RPATH, RUNPATH = 1, 5, 14, 15, 29  # entries of the dynamic section
SYMBOL_SECTIONS = (2, 11)  # .symtab, which may be stripped, and .dynsym


@dataclass(frozen=True)
class Elf:
    """One object.  `kind`: class, byte order and machine, which must agree among objects of one process."""

    path: Path
    kind: tuple[int, int, int]
    dynamic: bool
    soname: str = ""
    needed: tuple[str, ...] = ()
    rpath: tuple[str, ...] = ()
    runpath: tuple[str, ...] = ()


@dataclass
class Reader:
    """A mapped file, with numbers as wide and as ordered as it has them.  Raises ValueError, struct.error."""

    data: mmap.mmap | bytes
    kind: tuple[int, int, int] = (0, 0, 0)
    wide: bool = True
    order: str = "<"
    segments: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # type, offset, address, size, flags

    def __post_init__(self) -> None:
        if self.data[:4] != b"\x7fELF":
            raise ValueError("no ELF file")
        self.wide, self.order = self.data[4] == 2, "<" if self.data[5] == 1 else ">"
        self.kind = (self.data[4], self.data[5], *self.unpack("H", 18))
        base, entry, count = (*self.unpack("Q" if self.wide else "I", 32 if self.wide else 28),
                              *self.unpack("HH", 54 if self.wide else 42))  # fmt: skip
        for at in range(base, base + entry * count, entry):
            if self.wide:
                what, flags, offset, address, _, size = self.unpack("IIQQQQ", at)
            else:
                what, offset, address, _, size, _, flags = self.unpack("IIIIIII", at)
            self.segments.append((what, offset, address, size, flags))

    def unpack(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(self.order + form, self.data, at)

    def text(self, at: int) -> str:
        return bytes(self.data[at : self.data.find(b"\0", at)]).decode(errors="replace")

    def in_file(self, address: int) -> int:
        """Where what is loaded to that address lies."""
        for what, offset, begin, size, _ in self.segments:
            if what == LOAD and begin <= address < begin + size:
                return offset + address - begin
        raise ValueError("an address outside of all segments")

    def dynamic_entries(self) -> list[tuple[int, int]]:
        found = []
        form, step = ("qQ", 16) if self.wide else ("iI", 8)
        for what, offset, _, size, _ in self.segments:
            if what == DYNAMIC:
                found += [self.unpack(form, at) for at in range(offset, offset + size - step + 1, step)]
        return found

    def sections(self) -> list[tuple[int, ...]]:
        """(type, offset, size, link, size of an entry) of each."""
        base, *_ = self.unpack("Q" if self.wide else "I", 40 if self.wide else 32)
        entry, count = self.unpack("HH", 58 if self.wide else 46)
        found = []
        for at in range(base, base + entry * count, entry):
            if self.wide:
                _, what, _, _, offset, size, link, _, _, each = self.unpack("IIQQQQIIQQ", at)
            else:
                _, what, _, _, offset, size, link, _, _, each = self.unpack("10I", at)
            found.append((what, offset, size, link, each))
        return found

    def defined(self, name: str) -> bool:
        """Whether a symbol of that name is defined here."""
        listed = self.sections()
        for what, offset, size, link, each in listed:
            if what not in SYMBOL_SECTIONS or not each or link >= len(listed):
                continue
            for place in self._names(name.encode(), *listed[link][1:3]):
                if self._has(offset, size, each, place):
                    return True
        return False

    def _names(self, name: bytes, begin: int, size: int) -> Iterator[int]:
        """Where in a table of names it stands, which may be at the end of a longer one."""
        at = self.data.find(name + b"\0", begin, begin + size)
        while at >= 0:
            yield at - begin
            at = self.data.find(name + b"\0", at + 1, begin + size)

    def _has(self, offset: int, size: int, each: int, place: int) -> bool:
        """A symbol whose name begins at that place, and whose section is not `undefined`."""
        table, word = bytes(self.data[offset : offset + size]), struct.pack(self.order + "I", place)
        at = table.find(word)
        while at >= 0:
            section = at + (6 if self.wide else 14)
            if at % each == 0 and struct.unpack_from(self.order + "H", table, section)[0]:
                return True
            at = table.find(word, at + 1)
        return False


def opened(path: Path) -> Reader | None:
    """None where it is no ELF file, or nobody may read it."""
    try:
        with path.open("rb") as file:
            return Reader(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError, struct.error, IndexError):
        return None


def read(path: Path) -> Elf | None:
    reader = opened(path)
    if reader is None:
        return None
    try:
        entries = reader.dynamic_entries()
        table = next((value for tag, value in entries if tag == STRING_TABLE), None)
        base = reader.in_file(table) if table is not None else 0

        def texts(wanted: int) -> list[str]:
            return [reader.text(base + value) for tag, value in entries if tag == wanted]

        def folders(wanted: int) -> tuple[str, ...]:
            return tuple(folder for text in texts(wanted) for folder in text.split(":") if folder)

        names = (*texts(SONAME), "")
        return Elf(path, reader.kind, bool(entries), names[0], tuple(texts(NEEDED)), folders(RPATH), folders(RUNPATH))
    except (ValueError, struct.error, IndexError):
        return None


def defines(path: Path, *names: str) -> bool:
    """Whether it defines one of these symbols."""
    reader = opened(path)
    try:
        return reader is not None and any(reader.defined(name) for name in names)
    except (ValueError, struct.error, IndexError):
        return False


def contains(path: Path, *texts: bytes) -> bool:
    reader = opened(path)
    return reader is not None and any(reader.data.find(text) >= 0 for text in texts)
