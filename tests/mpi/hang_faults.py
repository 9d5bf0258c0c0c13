"""Mistakes planted in the ring of the last calls and in the report of tutti hang: the unit tests must find each.

    .venv/bin/python tests/mpi/hang_faults.py --only threads     those whose names begin so

By turns a seventh.  The ring's are compiled, unoptimised, with its unit tests.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from harness import ROOT, Suite, tail, turns
from planted_hang_faults import REPORT, RING
from planting import Fault, plant, run

PERIOD = 7
# The package as it is installed is found before any path: its finder goes.
PYTEST = """
import sys
sys.meta_path = [each for each in sys.meta_path if "editable" not in type(each).__module__.lower()
                 and "ScikitBuild" not in type(each).__name__]
sys.path.insert(0, sys.argv[1])
import pytest, tutti.hang
assert tutti.hang.__file__.startswith(sys.argv[1])
sys.exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", sys.argv[2]]))
"""
PURE = ("test_memory.py", "test_analysis.py", "test_page.py")


def of_ring(suite: Suite, sources: Path, folder: Path) -> tuple[str, str]:
    """pass, fail or broken: what the unit tests do with those sources; and what they say."""
    program = folder / "hang_test"
    files = [*sorted((sources / "hang").glob("*.cpp")), *sorted((ROOT / "tests" / "hang").glob("*_test.cpp"))]
    words = ["g++", "-std=c++20", "-O0", "-w", f"-I{sources}", f"-I{ROOT / 'src'}"]
    words += [f"-I{suite.options.build / 'deps' / 'include'}", *files, "-o", program]
    made = run(["nice", *words, suite.binaries / "tests" / "libtutti_doctest.a", "-lpthread"])
    if made.returncode != 0:
        return "broken", f"it does not compile: {tail(made.stdout)}"
    done = run(["timeout", "60", program])
    return "fail" if done.returncode else "pass", done.stdout


def of_report(package: Path) -> tuple[str, str]:
    outputs = []
    for name in PURE:
        done = run([sys.executable, "-c", PYTEST, package, ROOT / "tests" / "python" / "hang" / name], cwd=ROOT)
        outputs.append(done.stdout)
        if done.returncode not in (0, 1):
            return "broken", f"pytest does not run: {tail(done.stdout)}"
        if done.returncode != 0:
            return "fail", done.stdout
    return "pass", "\n".join(outputs)


def check_ring(suite: Suite, fault: Fault | None) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sources = folder / "src"
        shutil.copytree(ROOT / "src" / "hang", sources / "hang")
        refused = plant(fault, sources / "hang") if fault else ""
        outcome, told = ("broken", refused) if refused else of_ring(suite, sources, folder)
    judge(suite, fault, outcome, told)


def check_report(suite: Suite, fault: Fault | None) -> None:
    with tempfile.TemporaryDirectory() as made:
        package = Path(made) / "python"
        shutil.copytree(ROOT / "python" / "tutti", package / "tutti", ignore=shutil.ignore_patterns("__pycache__"))
        refused = plant(fault, package / "tutti" / "hang") if fault else ""
        outcome, told = ("broken", refused) if refused else of_report(package)
    judge(suite, fault, outcome, told)


def judge(suite: Suite, fault: Fault | None, outcome: str, told: str) -> None:
    if fault is None:
        suite.judge("without a mistake the tests pass", outcome == "pass", tail(told))
    else:
        suite.judge(f"found: {fault.name}", outcome == "fail", f"the tests: {outcome}\n{tail(told)}")


def main() -> None:
    suite = Suite(__doc__, lambda parser: parser.add_argument("--only", default="", help="names that begin so"))
    suite.options.build, suite.binaries = suite.options.build.resolve(), suite.binaries.resolve()
    for faults, check in ((RING, check_ring), (REPORT, check_report)):
        due = [fault for fault in turns.share(faults, PERIOD) if fault.name.startswith(suite.options.only)]
        for fault in [None, *due] if due else []:
            check(suite, fault)
    suite.end()


if __name__ == "__main__":
    os.environ.setdefault("CCACHE_DISABLE", "1")  # a mistake is compiled once
    main()
