"""Which MPI a program belongs to: the objects that the dynamic loader would load, and which of them is an MPI.

As ld.so(8) has it: breadth first; RPATH of an object and of those that led to it, LD_LIBRARY_PATH, RUNPATH of the
object itself, the loader's cache, the usual folders.  So a Fortran program that names libmpi_mpifh.so alone is told as
well as one that reaches the MPI through a library of its own.  Scripts, and what is opened while a program runs, are
not seen.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tutti.site import elf, mpi
from tutti.site.elf import Elf

CACHE = Path("/etc/ld.so.cache")
MAGIC = b"glibc-ld.so.cache1.1"
USUAL = ("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
         "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu")  # fmt: skip
MOST = 2000  # objects of a program; more are a circle of names
MPI_LIKE = re.compile(r"lib(p?mpi|mpich|mpifort|mpichfort|mpi_\w+)\b.*\.so")


@lru_cache(maxsize=1)
def cached() -> dict[str, list[str]]:
    """The loader's own cache: name to paths, in its order."""
    try:
        data = CACHE.read_bytes()
    except OSError:
        return {}
    start = data.find(MAGIC)
    found: dict[str, list[str]] = {}
    if start < 0:
        return found
    (count,) = struct.unpack_from("=I", data, start + 20)
    for place in range(count):
        _, key, value = struct.unpack_from("=iII", data, start + 48 + 24 * place)
        name, path = (data[start + at : data.find(b"\0", start + at)].decode(errors="replace") for at in (key, value))
        found.setdefault(name, []).append(path)
    return found


@dataclass(frozen=True)
class Loaded:
    """An object, and the one that needed it."""

    object: Elf
    by: Loaded | None = None


def expanded(folder: str, of: Path) -> list[str]:
    """$ORIGIN is where the object lies; $LIB has more than one spelling."""
    folder = re.sub(r"\$(ORIGIN\b|\{ORIGIN\})", lambda _: str(of.resolve().parent), folder)
    if "LIB" not in folder:
        return [folder]
    return [re.sub(r"\$(LIB\b|\{LIB\})", name, folder) for name in ("lib64", "lib/x86_64-linux-gnu", "lib")]


def places(name: str, needing: Loaded, library_path: list[str]) -> Iterator[str]:
    """Paths in the order in which the loader tries them."""
    if "/" in name:
        yield from expanded(name, needing.object.path)
        return
    own = needing.object
    if not own.runpath:
        at: Loaded | None = needing
        while at:
            folders = at.object.rpath if not at.object.runpath else ()
            yield from (f"{path}/{name}" for folder in folders for path in expanded(folder, at.object.path))
            at = at.by
    yield from (f"{path}/{name}" for folder in library_path for path in expanded(folder, own.path))
    yield from (f"{path}/{name}" for folder in own.runpath for path in expanded(folder, own.path))
    yield from cached().get(name, ())
    yield from (f"{folder}/{name}" for folder in USUAL)


def found_as(name: str, needing: Loaded, library_path: list[str]) -> Elf | None:
    for place in places(name, needing, library_path):
        path = Path(place)
        if path.is_file() and (there := elf.read(path)) and there.kind == needing.object.kind:
            return there
    return None


def objects(program: Path, environment: Mapping[str, str]) -> tuple[list[Elf], list[str]]:
    """Those of the process, the program first, and names of those that are not there."""
    first = elf.read(program)
    if first is None:
        return [], []
    own_rights = program.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)  # then the loader leaves the environment alone
    text = "" if own_rights else environment.get("LD_LIBRARY_PATH", "")
    library_path = [folder or "." for folder in re.split("[:;]", text)] if text else []
    waiting, names, missing, result = [Loaded(first)], set[str](), [], []
    for loaded in waiting:
        result.append(loaded.object)
        for name in loaded.object.needed:
            if name in names or len(waiting) > MOST:
                continue
            names.add(name)
            there = found_as(name, loaded, library_path)
            if there is None:
                missing.append(name)
            elif not there.soname or there.soname == name or there.soname not in names:
                names.add(there.soname)
                waiting.append(Loaded(there, loaded))
    return result, missing


@dataclass(frozen=True)
class Linked:
    """The MPI library of a program.  `path` None: it is not there, `name` is what the program asks for."""

    name: str
    path: Path | None
    family: str  # mpich, openmpi, impi, unknown

    @property
    def backend(self) -> str:
        """Whose launcher it needs; MPICH's relatives share theirs.  "" where nobody knows."""
        return {"openmpi": "openmpi", "mpich": "mpich", "impi": "mpich"}.get(self.family, "")

    def __str__(self) -> str:
        return f"{self.name}, of {mpi.TITLES[self.family]}" + ("" if self.path else ", and is not found")


def family_of(library: Path) -> str:
    """By what the file itself says: sonames are alike (libmpi.so.12 was Open MPI's once)."""
    if elf.defines(library, "ompi_mpi_comm_world"):
        return "openmpi"
    if elf.contains(library, b"Intel(R) MPI Library"):
        return "impi"
    return "mpich" if elf.contains(library, b"MPICH Version", b"MPIR_CVAR_") else "unknown"


def family_named(name: str) -> str:
    """Of a library that is not there."""
    if re.match(r"lib(mpi_mpifh|mpi_usempi\w*|mpi_cxx)", name) or name.startswith("libmpi.so.40"):
        return "openmpi"
    return "mpich" if re.match(r"lib(mpich\w*|mpifort|mpicxx|mpi)\.so\.12\b", name) else "unknown"


def linked_with(program: Path, environment: Mapping[str, str] | None = None) -> Linked | None:
    """None where it is a script, no MPI program, or has its MPI inside."""
    there, missing = objects(program, os.environ if environment is None else environment)
    for each in there[1:]:
        if elf.defines(each.path, "PMPI_Init"):
            return Linked(each.path.name, each.path, family_of(each.path))
    for name in missing:
        if MPI_LIKE.match(name):
            return Linked(name, None, family_named(name))
    return None


def is_static(program: Path) -> bool:
    """Whether it has an MPI inside, past which nothing can be put."""
    return elf.defines(program, "PMPI_Init")


def launcher_for(linked: Linked) -> mpi.Mpi | None:
    """An MPI that is here and starts such programs; of the library's own folder before others."""
    same = [one for one in mpi.candidates() if one.name != "unknown" and one.backend == linked.backend]
    folder = linked.path.resolve().parent if linked.path else None
    own = [one for one in same if folder and one.prefix and folder.is_relative_to(one.prefix.resolve())]
    system = [one for one in same if folder and folder.is_relative_to("/usr/lib") and one.prefix is None]
    return next(iter([*own, *system, *same]), None)


def name_for(one: mpi.Mpi) -> str:
    """As --mpi takes it, short."""
    if one.prefix and one.prefix == mpi.fetched_prefix(one.name):
        return one.name
    found = shutil.which(one.mpiexec.name)
    return one.mpiexec.name if found and Path(found) == one.mpiexec else str(one.prefix or one.mpiexec)


@dataclass(frozen=True)
class Mismatch:
    """A program of one MPI under another's launcher: it starts, as so many programs of one rank."""

    program: str
    linked: Linked
    chosen: mpi.Mpi

    def __str__(self) -> str:
        of = self.linked.path or f"{self.linked.name}, which is not found"
        return (
            f"{self.program} is a program of {mpi.TITLES[self.linked.family]} ({of}), and {self.chosen.mpiexec} is the "
            f"launcher of {self.chosen.title}: each of its ranks will believe to be alone"
        )

    def remedy(self, command: Sequence[str], words: Sequence[str]) -> str:
        """What to type: `command` (tutti run) with the MPI that the program belongs to, and its other `words`."""
        if one := launcher_for(self.linked):
            return f"type: {shlex.join([*command, '--mpi', name_for(one), *words])}"
        title = mpi.TITLES[self.linked.family]
        return f"no launcher of {title} is here: install it, and name it with --mpi PREFIX"


def mismatch(program: str, chosen: mpi.Mpi) -> Mismatch | None:
    found = shutil.which(program)
    linked = linked_with(Path(found), chosen.environment()) if found else None
    if not linked or not linked.backend or chosen.name == "unknown" or linked.backend == chosen.backend:
        return None
    return Mismatch(program, linked, chosen)
