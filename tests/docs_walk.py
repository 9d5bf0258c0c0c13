"""Walks docs/adding-an-algorithm.md: makes its edits in a copy of the tree, builds it, runs its test and its commands.

python3 tests/docs_walk.py      prints `ok NAME` or `not ok NAME: why`, a line a stage
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs_commands import blocks

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/adding-an-algorithm.md"
EDIT = re.compile(r"<!-- (file|row|case): (.+?) -->\n```cpp\n(.*?)```", re.DOTALL)
LIMIT = 900  # seconds a stage
TUTTI = """#!{python} -IS
import sys
sys.path[:0] = [{package!r}, {libraries!r}]
from tutti.cli import main
main()
"""


class Wrong(Exception):
    """Why a stage failed."""


def copy_tree(to: Path) -> None:
    """What git knows, or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def edit(tree: Path, kind: str, where: str, code: str) -> None:
    """A new file; a row behind another one; a case at the end of a file."""
    if kind == "file":
        if (tree / where).exists():
            raise Wrong(f"{where} is there already")
        (tree / where).write_text(code)
        return
    if kind == "case":
        file = tree / where.removeprefix("at the end of ")
        file.write_text(f"{file.read_text()}\n{code}")
        return
    after, file = re.fullmatch(r"after (.+) in (.+)", where).groups()
    text = (tree / file).read_text()
    row = re.search(rf"^ *ROW\({re.escape(after)},.*\n", text, re.MULTILINE)
    if not row:
        raise Wrong(f"{file} has no row {after}")
    (tree / file).write_text(text[: row.end()] + code + text[row.end() :])


def run(command: list[str | Path] | str, tree: Path, **variables: str) -> None:
    shell = ["bash", "-e", "-o", "pipefail", "-c", command] if isinstance(command, str) else [*map(str, command)]
    try:
        done = subprocess.run(
            shell,
            cwd=tree,
            text=True,
            errors="replace",
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise Wrong(f"{shell[-1]}: not ended after {LIMIT} s") from late
    if done.returncode:
        raise Wrong(f"{shell[-1]}: status {done.returncode}\n{done.stdout[-4000:]}")


def build(tree: Path) -> None:
    """The catalogue's own test and the Python module, little optimised: both are used once."""
    options = [
        f"-DTUTTI_BUILD_ROOT={ROOT / 'build'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG",
    ]
    run(["cmake", "-S", ".", "-B", "build/walk", "-G", "Ninja", "--log-level=WARNING", *options], tree)
    run(["cmake", "--build", "build/walk", "--target", "algorithms_test", "_core"], tree)


def command_of(tree: Path) -> Path:
    """A `tutti` that is the copy's, whatever is installed."""
    for module in (tree / "build/walk").rglob("_core*.so"):
        shutil.copy2(module, tree / "python" / "tutti")
    folder = tree / "build" / "bin"
    folder.mkdir(exist_ok=True)
    program = folder / "tutti"
    libraries = Path(importlib.util.find_spec("click").origin).parents[1]
    program.write_text(TUTTI.format(python=sys.executable, package=str(tree / "python"), libraries=str(libraries)))
    program.chmod(0o755)
    return folder


def stages(tree: Path):
    """Names, and what is to be done."""
    text = (ROOT / PAGE).read_text()
    yield "copies the tree", lambda: copy_tree(tree)
    for kind, where, code in EDIT.findall(text):
        yield f"{kind} {where}", lambda kind=kind, where=where, code=code: edit(tree, kind, where, code)
    yield "builds", lambda: build(tree)
    cases = ",".join(name for _, _, code in EDIT.findall(text) for name in re.findall(r'TEST_CASE\("(.+?)"\)', code))
    yield (
        "its test",
        lambda: run([tree / "build/walk/tests/algorithms_test", f"--test-case={cases}", "--no-skip"], tree),
    )
    for block in blocks(PAGE, text):
        if "docs_walk" not in block.not_run:
            continue
        for command in block.commands:
            yield (
                f"$ {command}",
                lambda command=command: run(command, tree, PATH=f"{command_of(tree)}:{os.environ['PATH']}"),
            )


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tutti-walk-") as folder:
        for name, work in stages(Path(folder)):
            try:
                work()
            except Wrong as wrong:
                print(f"not ok walk: {name}: {wrong}", flush=True)
                return 1
            print(f"ok walk: {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
