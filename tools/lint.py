"""Layout and lint of every tracked source; prints `ok NAME`, `not ok NAME: why` or `skip NAME: why`, a line a check.

    python3 tools/lint.py          check, changing nothing (make lint)
    python3 tools/lint.py --fix    lay the sources out (make format)

clang-tidy looks again only at what changed since it last found nothing, the headers included: stamps lie in build/lint.
By turns (tests/README.md) it looks at the sources that changed lately, at one of those that include a header that did,
and at an eighth of the others.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests"))

import changed  # noqa: E402
import turns  # noqa: E402
from includes import Includes  # noqa: E402

DATABASE = ROOT / "build" / "release"
STAMPS = ROOT / "build" / "lint"
LONGEST = 300  # lines of a source file
EIGHTHS = 8
# What decides how all files are looked at.
FOR_ALL = (".clang-tidy", "requirements/test.txt")
WITH_MPI = ("runtime", "preload", "capi", "smpi", "record", "bench")  # folders of src/ that may include <mpi.h>


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows (or would add), so that build folders are left alone."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tool(name: str) -> str | None:
    """A tool of this Python environment, else one on PATH."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


class Report:
    """The protocol that tests/run.py counts."""

    failed = 0

    def check(self, name: str, problems: list[str]) -> None:
        if not problems:
            print(f"ok {name}", flush=True)
            return
        self.failed += 1
        print(f"not ok {name}: {len(problems)} problems", *problems[:40], sep="\n    ", flush=True)

    def command(self, name: str, program: str, *arguments: str | Path) -> None:
        """A check that one program makes."""
        path = tool(program)
        if not path:
            print(f"skip {name}: {program} is not installed (requirements/test.txt)", flush=True)
            return
        done = subprocess.run([path, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
        problems = (done.stdout + done.stderr).strip().splitlines()
        self.check(name, (problems or [f"status {done.returncode}"]) if done.returncode else [])


def clang_format(report: Report, files: list[Path]) -> None:
    """Names the files whose layout is not clang-format's."""
    program = tool("clang-format")
    if not program:
        print("skip clang-format: it is not installed (requirements/test.txt)", flush=True)
        return
    done = subprocess.run(
        [program, "--dry-run", "--Werror", *files], cwd=ROOT, capture_output=True, text=True, check=False
    )
    named = re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE)
    wrong = [f"{name_of(Path(name))}: make format lays it out" for name in dict.fromkeys(named)]
    report.check("clang-format", wrong or ([done.stderr.strip()[-500:]] if done.returncode else []))


def structure(report: Report) -> None:
    """What no formatter knows: short files, and MPI only where the design allows it."""
    sources = tracked("*.cpp", "*.hpp", "*.h", "*.c", "*.py", "*.S")
    long = [
        f"{name_of(path)}: {count} lines" for path in sources if (count := len(path.read_text().splitlines())) > LONGEST
    ]
    report.check(f"files of at most {LONGEST} lines", long)
    outside = [
        name_of(path)
        for path in sources
        if path.is_relative_to(ROOT / "src")
        and path.relative_to(ROOT / "src").parts[0] not in WITH_MPI
        and re.search(r"^\s*#\s*include\s*[<\"]mpi\.h", path.read_text(), re.MULTILINE)
    ]
    report.check("<mpi.h> only in " + ", ".join(WITH_MPI), outside)


def stamp_of(path: Path, includes: Includes) -> Path:
    """Where a clean look at this file, with these headers, would have left its stamp."""
    contents = [file.read_bytes() for file in (ROOT / FOR_ALL[0], path, *sorted(includes.all(path)))]
    return STAMPS / hashlib.sha256(b"".join(contents)).hexdigest()


def due(files: list[Path], includes: Includes) -> list[Path]:
    """What changed, and a part of the others by turns; after a big change a part of all."""
    names = changed.few() or set()
    if turns.number() is None or names & {*FOR_ALL}:
        return files
    chosen = {*changed.sources(names, files, includes), *turns.share(files, EIGHTHS)}
    return [path for path in files if path in chosen]


def database() -> dict[str, dict]:
    """How each file is compiled, once: the backends compile the same sources several times."""
    entries: dict[str, dict] = {}
    for entry in json.loads((DATABASE / "compile_commands.json").read_text()):
        # clang has no such symbols, and stops at the option.
        entry["command"] = entry["command"].replace(" -fno-gnu-unique", "")
        # Each source includes what it uses: shown by leaving out the headers that g++ has parsed before.
        entry["command"] = re.sub(r" -Winvalid-pch -include \S*cmake_pch\S*", "", entry["command"])
        entries.setdefault(entry["file"], entry)
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    return entries


def tidy_one(program: str, path: Path) -> list[str]:
    """What clang-tidy finds in one file; it need not know every warning of g++."""
    command = [program, "--quiet", "-p", STAMPS, "--extra-arg=-Wno-unknown-warning-option", path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    problems = [line for line in done.stdout.splitlines() if re.search(r"(warning|error): ", line)]
    return problems or ([done.stderr.strip()[-500:] or "it ended without a word"] if done.returncode else [])


def clang_tidy(report: Report) -> None:
    program, name = tool("clang-tidy"), "clang-tidy"
    if not program or not (DATABASE / "compile_commands.json").exists():
        print(f"skip {name}: it needs requirements/test.txt installed and make build done", flush=True)
        return
    compiled = database()
    every = tracked("src/*.cpp", "python/bindings/*.cpp", "fuzz/*.cpp")
    files = [path for path in every if str(path) in compiled]
    # A module whose MPI symbols stay undefined links without a source that it lacks.
    must = [path for path in every if path.is_relative_to(ROOT / "src") and "smpi" not in path.parts]
    forgotten = [name_of(path) for path in must if str(path) not in compiled]
    report.check("every source is compiled", forgotten)
    includes = Includes(tracked("*.hpp", "*.h"))
    chosen = due(files, includes)
    print(f"clang-tidy: {len(chosen)} of {len(files)} files", flush=True)
    files = [path for path in chosen if not stamp_of(path, includes).exists()]
    problems: list[str] = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, found in zip(files, pool.map(lambda path: tidy_one(program, path), files), strict=True):
            problems += found
            if not found:
                stamp_of(path, includes).touch()
    report.check(name, problems)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="lay the sources out instead of checking them")
    fix = parser.parse_args().fix
    report, cpp = Report(), tracked("*.cpp", "*.hpp", "*.c", "*.h")
    if fix:
        report.command("clang-format", "clang-format", "-i", *cpp)
        report.command("ruff format", "ruff", "format", "--quiet")
        report.command("ruff", "ruff", "check", "--fix", "--quiet")
        return 1 if report.failed else 0
    clang_format(report, cpp)
    report.command("ruff format", "ruff", "format", "--check", "--quiet")
    report.command("ruff", "ruff", "check", "--quiet", "--output-format=concise")
    structure(report)
    clang_tidy(report)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
