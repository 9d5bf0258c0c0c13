"""Runs every command block of README.md and docs/, in the checkout, with .venv/bin first on PATH.

A block is fenced as ```console or ```sh and has lines that begin with `$ `; a line that ends with a backslash goes
on in the next one.  What is printed there is not compared; a command that fails fails its block.  A block that
cannot run here has this before it:   <!-- not run: reason -->

    python3 tests/docs_commands.py [FILE...]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w*)\s*$")
NOT_RUN = re.compile(r"^<!-- not run: (.+?) -->$")
LIMIT = 300  # seconds a block


@dataclass(frozen=True)
class Block:
    """The commands of one fenced block, where it stands, and why it is not run (or nothing)."""

    place: str
    commands: tuple[str, ...]
    not_run: str


def commands_of(lines: list[str]) -> Iterator[str]:
    """Lines after `$ `, joined with their continuations."""
    going_on = False
    for line in lines:
        if line.startswith("$ "):
            yield line[2:]
            going_on = line.endswith("\\")
        elif going_on:
            yield line.removeprefix("> ")
            going_on = line.endswith("\\")


def blocks(name: str, text: str) -> Iterator[Block]:
    marker, language, inside, start = "", None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if language is None:
            if fence:
                language, inside, start = fence[1], [], number
            elif line.strip():
                found = NOT_RUN.match(line.strip())
                marker = found[1] if found else ""
        elif fence and not fence[1]:
            commands = tuple(commands_of(inside)) if language in ("console", "sh") else ()
            if commands:
                yield Block(f"{name}:{start}", commands, marker)
            language, marker = None, ""
        else:
            inside.append(line)


def forget_results(block: Block) -> None:
    """What an earlier run of the tests left where the block writes: tutti overwrites no measurement."""
    for path in re.findall(r"-o (runs/[\w.-]+)", "\n".join(block.commands)):
        shutil.rmtree(ROOT / path, ignore_errors=True)


def run(block: Block) -> None:
    """One line of the protocol that tests/run.py counts, and the output where it failed."""
    title = f"{block.place} {block.commands[0].removesuffix(chr(92)).strip()}"
    if block.not_run:
        print(f"skip {title}: {block.not_run}", flush=True)
        return
    forget_results(block)
    variables = os.environ | {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
    try:
        result = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", "\n".join(block.commands)],
            cwd=ROOT,
            text=True,
            errors="replace",
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT,
            check=False,
        )
        status, output = f"status {result.returncode}" if result.returncode else "", result.stdout
    except subprocess.TimeoutExpired as late:
        status, output = f"not ended after {LIMIT} s", (late.stdout or b"").decode(errors="replace")
    if not status:
        print(f"ok {title}", flush=True)
        return
    print(f"not ok {title}: {status}", flush=True)
    print("\n".join(f"    $ {command}" for command in block.commands))
    print("\n".join(f"    {line}" for line in output.splitlines()[-40:]), flush=True)


def main(names: list[str]) -> None:
    files = [Path(name) for name in names] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for file in files:
        place = file.resolve()
        name = str(place.relative_to(ROOT)) if place.is_relative_to(ROOT) else str(file)
        for block in blocks(name, file.read_text()):
            run(block)


if __name__ == "__main__":
    main(sys.argv[1:])
