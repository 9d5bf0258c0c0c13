"""Refuses kernels that could reach a processor that cannot run them, or that would not give every set's bits.

    python3 kernel_symbols.py NM OBJDUMP kernels_avx2.cpp.o ...

A file compiled for wider instructions may define the one function that hands its kernels out: any other symbol, weak
ones of templates and inline functions above all, may be the copy that the linker keeps for everybody.  And no kernel
may fuse a multiplication with an addition.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def complaints(nm: str, objdump: str, path: str) -> list[str]:
    name = Path(path).name.split(".")[0].replace("kernels_", "kernel_")
    defined = [line for line in output(nm, "-C", "--extern-only", "--defined-only", path).splitlines() if line.strip()]
    found = [f"it shares {line}" for line in defined if f" T tutti::shm::{name}(" not in line]
    if len(found) == len(defined):
        found.append(f"it does not define {name}")
    fused = re.findall(r"\b(?:vfn?m(?:add|sub)\w+|fn?m(?:add|sub|la|ls)\w*)\b", output(objdump, "-d", path))
    return found + [f"it fuses: {instruction}" for instruction in sorted(set(fused))]


def main() -> None:
    nm, objdump, *objects = sys.argv[1:]
    found = [f"{path}: {complaint}" for path in objects for complaint in complaints(nm, objdump, path)]
    print("\n".join(found), file=sys.stderr)
    sys.exit(1 if found or not objects else 0)


if __name__ == "__main__":
    main()
