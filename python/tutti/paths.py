"""Where the parts of the package lie: libtutti.so and its backends in lib/, tutti-bench in bin/."""

from __future__ import annotations

import contextlib
import importlib.metadata
from pathlib import Path

import tutti
from tutti.errors import UserError


def package_file(name: str) -> Path | None:
    """A file of the package, or None.  In an editable package what was built lies apart from the sources."""
    places = [Path(tutti.__file__).parent]
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        places.append(Path(str(importlib.metadata.distribution("tutti").locate_file("tutti"))))
    return next((place / name for place in places if (place / name).exists()), None)


def library() -> Path:
    """libtutti.so, the one library to preload."""
    if found := package_file("lib/libtutti.so"):
        return found
    raise UserError("libtutti.so is not in this installation: build it with `make build`")


def backends() -> list[str]:
    """Backends that lie beside the library: mpich, openmpi, abi."""
    names = [file.stem.removeprefix("libtutti-") for file in library().parent.glob("libtutti-*.so")]
    return sorted(name for name in names if not name.startswith("bench-"))


def bench_program(backend: str) -> Path | None:
    """tutti-bench for an MPI of that backend, or None where it was not built."""
    return package_file(f"bin/tutti-bench-{backend}") or package_file("bin/tutti-bench")


def checkout() -> Path | None:
    """The source tree this package is an editable installation of, or None."""
    root = Path(tutti.__file__).resolve().parents[2]
    return root if (root / "tools" / "fetch.py").is_file() else None
