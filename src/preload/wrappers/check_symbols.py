"""Refuses a backend that would not load everywhere.

    python3 check_symbols.py NM BACKEND.so

It may export `tutti_backend` alone, and need no function of an MPI: only Open MPI's handle objects (ompi_mpi_...),
which libtutti.so makes visible before it loads the backend.
"""

from __future__ import annotations

import re
import subprocess
import sys


def symbols(nm: str, library: str, kind: str) -> list[str]:
    listed = subprocess.run([nm, "-D", kind, library], capture_output=True, text=True, check=True).stdout
    return [line.split()[-1].split("@")[0] for line in listed.splitlines() if line.strip()]


def complaints(nm: str, library: str) -> list[str]:
    exported = set(symbols(nm, library, "--defined-only")) - {"tutti_backend"}
    undefined = symbols(nm, library, "--undefined-only")
    ours = [name for name in undefined if name.startswith(("_ZN5tutti", "_ZNK5tutti", "tutti_"))]
    mpi = [name for name in undefined if re.match(r"P?MPI_", name)]
    return (
        [f"it exports {name}" for name in sorted(exported)]
        + [f"nothing defines {name}" for name in ours]
        + [f"it needs {name}, which must be looked up at run time" for name in mpi]
    )


def main() -> None:
    nm, library = sys.argv[1:3]
    found = complaints(nm, library)
    for complaint in found:
        print(f"{library}: {complaint}", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
