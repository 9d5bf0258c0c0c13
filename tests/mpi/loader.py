"""The loader and the wrappers: every kind of program on every MPI with LD_PRELOAD exported, the launcher included.

Most checks use backends that count and pass on (tests/mpi/loader/pass_through.cpp), so that what fails here is the
loader or a wrapper; then the same programs run on the real ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from clients import python_with_mpi4py
from harness import ROOT, run, tail, which
from loader_targets import Front, Target
from loader_wrappers import wrappers

SOURCES = Path(__file__).parent / "loader"


def without_mpi(suite: Front) -> None:
    """Programs that are no MPI programs notice nothing, and the library needs nothing but libc."""
    for words in (["bash", "-c", "echo $((1 + 1))"], [sys.executable, "-c", "print('here')"], ["ls", "/"]):
        plain, preloaded = (run(words, {**os.environ, **more}, 20) for more in ({}, {"LD_PRELOAD": str(suite.library)}))
        same = (plain.status, plain.output) == (preloaded.status, preloaded.output)
        (suite.ok if same else suite.fail)(f"{Path(words[0]).name} without MPI", "" if same else tail(preloaded.output))
    needed = subprocess.run(["readelf", "-d", suite.library], capture_output=True, text=True, check=False).stdout
    foreign = [
        line for line in needed.splitlines() if "NEEDED" in line and "libc.so" not in line and "libdl" not in line
    ]
    (suite.fail if foreign else suite.ok)("libtutti.so needs libc alone", "\n".join(foreign))
    for backend in sorted(
        set(suite.library.parent.glob("libtutti-*.so")) - set(suite.library.parent.glob("*-bench-*"))
    ):
        checker = ROOT / "src/preload/wrappers/check_symbols.py"
        result = run([sys.executable, str(checker), "nm", str(backend)], dict(os.environ), 20)
        suite.check(f"symbols of {backend.name}", result)


def table(suite: Front) -> None:
    """A row that contradicts mpi.h does not compile; the rows as they are do, which shows that this check can fail."""
    include = suite.options.build / "mpi" / "openmpi" / "include"  # where handles are types of their own
    if not (include / "mpi.h").exists():
        suite.skip("a wrong row of the table", "not installed: python3 tools/fetch.py openmpi")
        return
    for row, right in (("root comm", True), ("comm root", False)):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("calls.py", "facts.py", "generate.py"):
                text = (ROOT / "src/preload/wrappers" / name).read_text()
                (Path(folder) / name).write_text(text.replace("count datatype root comm", f"count datatype {row}"))
            header = Path(folder) / "next.hpp"
            subprocess.run([sys.executable, Path(folder) / "generate.py", "next", header], check=True)
            compiled = run(
                ["c++", "-std=c++20", "-fsyntax-only", "-w", f"-I{include}", str(header)], dict(os.environ), 60
            )
            name = f"a {'right' if right else 'wrong'} row of the table"
            (suite.ok if (compiled.status == 0) == right else suite.fail)(name, "")


def other_machine(suite: Front) -> None:
    """The trampolines for aarch64 assemble."""
    generated = suite.binaries / "src/preload/loader/generated"
    if not which("llvm-mc"):
        suite.skip("trampolines for aarch64", "no assembler: llvm-mc")
        return
    words = (
        f"cpp -D__ASSEMBLER__ -I{ROOT / 'src'} -I{generated} {ROOT / 'src/preload/loader/trampolines_aarch64.S'} | "
        "llvm-mc --triple=aarch64-linux-gnu --filetype=obj -o /dev/null"
    )
    suite.check("trampolines for aarch64 assemble", run(["bash", "-o", "pipefail", "-c", words], dict(os.environ), 60))


def calls(suite: Front, target: Target) -> None:
    """All collectives, both widths, every call seen; all off; and first calls from many threads."""
    name = target.name
    if program := suite.build(target, "collectives", SOURCES / "collectives.c"):
        for ranks in (1, 3):
            suite.check(
                f"every collective on {name}, {ranks} ranks",
                suite.go(target, ranks, [program, 6], suite.counting),
                "collectives: right",
            )
        suite.check(
            f"TUTTI=off on {name}", suite.go(target, 2, [program, 0], suite.counting, TUTTI="off"), "collectives: right"
        )
        suite.check(
            f"served on {name}",
            suite.go(target, 2, [program], suite.library, TUTTI_EXPLAIN="1"),
            "collectives: right",
            "tutti: allreduce",
        )
        without_backend(suite, target, program)
        tools(suite, target, program)
    if program := suite.build(target, "large", SOURCES / "large.c"):
        for library, kind in ((suite.counting, "passed on"), (suite.library, "served")):
            suite.check(f"large-count forms on {name}, {kind}", suite.go(target, 3, [program], library), "large: right")
        suite.check(
            f"large-count forms on {name}, off",
            suite.go(target, 2, [program], suite.counting, TUTTI="off"),
            "large: right",
        )
    if program := suite.build(target, "threads", SOURCES / "threads.c"):
        suite.check(
            f"first calls from 8 threads on {name}", suite.go(target, 2, [program], suite.counting), "threads: right"
        )
    if program := suite.build(target, "cost", SOURCES / "cost.c"):
        for value in ("on", "off"):
            with suite.alone():
                outcome = suite.go(target, 1, [program], suite.library, TUTTI=value)
            suite.check(f"cost of passing through on {name}, TUTTI={value}", outcome, "cost: below 10 ns")


def without_backend(suite: Front, target: Target, program: Path) -> None:
    """libtutti.so alone: one warning, and the program runs on its MPI."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(shutil.copy(suite.library, folder))
        outcome = suite.go(target, 2, [program], alone)
        if outcome.output.count("tutti:") == 1:
            suite.check(
                f"no backend on {target.name}: one warning, native",
                outcome,
                "collectives stay with",
                "collectives: right",
            )
        else:
            suite.fail(f"no backend on {target.name}", f"not one warning:\n{tail(outcome.output)}")


def tools(suite: Front, target: Target, program: Path) -> None:
    """Another tool before and behind us sees what it would see without us; beneath it its calls are served, once."""
    tool = suite.build(target, "tool.so", "-shared", "-fPIC", SOURCES / "tool.c")
    if not tool:
        return
    for order, preload in (("before", f"{tool}:{suite.counting}"), ("behind", f"{suite.counting}:{tool}")):
        for layer, advice in (("mpi", ""), ("pmpi", "TUTTI_LAYER=pmpi is needed no longer")):
            outcome = suite.go(target, 2, [program, "-1"], preload, TUTTI_LAYER=layer)
            suite.check(
                f"a tool {order} tutti on {target.name}, TUTTI_LAYER={layer}",
                outcome,
                "tool: saw 12",
                "collectives: counted 13\n",
                advice,
            )
    for order, preload in (("before", f"{tool}:{suite.library}"), ("behind", f"{suite.library}:{tool}")):
        suite.check(
            f"served beneath a tool {order} tutti on {target.name}",
            suite.go(target, 2, [program], preload, TUTTI_EXPLAIN="1"),
            "collectives: right",
            "tool: saw 12",
            "tutti:   allreduce: 13 calls: ",
        )


def gpu(suite: Front, target: Target) -> None:
    """A GPU runtime in one rank's process, and an MPI that takes device buffers: what is said, and the way out."""
    runtime = suite.folder / f"runtime-{target.mpi.name}" / "libcuda.so.1"
    runtime.parent.mkdir(exist_ok=True)
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", runtime], check=True)
    if not (program := suite.build(target, "collectives", SOURCES / "collectives.c")):
        return
    preload = f"{suite.library}:{runtime}"
    for name, settings, says in (
        (
            "is left to it",
            {"MV2_USE_CUDA": "1"},
            "nothing was served: a GPU runtime is in the process of one of its ranks",
        ),
        ("TUTTI_GPU=host", {"MV2_USE_CUDA": "1", "TUTTI_GPU": "host"}, "tutti: allreduce 4 B on 2 ranks"),
        ("without device buffers", {}, "tutti: allreduce 4 B on 2 ranks"),
    ):
        outcome = suite.go(target, 2, [program], preload, TUTTI_EXPLAIN="1", **settings)
        suite.check(f"a GPU runtime on {target.name}, {name}", outcome, "collectives: right", says)


def fortran(suite: Front, target: Target) -> None:
    """mpif.h and mpi_f08; some ranks in C and others in Fortran in one collective."""
    if not target.fortran:
        suite.skip(f"Fortran on {target.name}", "no compiler wrapper: make test-deps")
        return
    c_half = suite.build(target, "fortran_c.o", "-c", SOURCES / "fortran_c.c")
    modules = suite.folder / f"modules-{target.mpi.backend}"
    modules.mkdir(exist_ok=True)
    program = c_half and suite.build(
        target,
        "fortran",
        "-w",
        "-fallow-argument-mismatch",
        f"-J{modules}",
        SOURCES / "fortran.f90",
        c_half,
        compiler=target.fortran,
    )
    if not program:
        return
    for library, kind in ((suite.counting, "passed on"), (suite.library, "served")):
        for ranks in (2, 3):
            suite.check(
                f"Fortran and C on {target.name}, {kind}, {ranks} ranks",
                suite.go(target, ranks, [program], library),
                "fortran: right",
                "fortran: counted 81",
            )


def python(suite: Front, target: Target) -> None:
    """mpi4py brings the MPI in by a local dlopen, and calls the large-count form wherever it exists."""
    try:
        interpreter, _ = python_with_mpi4py(suite.options.build)
    except (subprocess.CalledProcessError, OSError) as problem:
        suite.skip(f"mpi4py on {target.name}", f"could not be installed ({problem})")
        return
    for library, kind in ((suite.counting, "passed on"), (suite.library, "served")):
        suite.check(
            f"mpi4py on {target.name}, {kind}",
            suite.go(target, 3, [interpreter, SOURCES / "mpi4py_calls.py"], library),
            "mpi4py: right, counted some",
        )
    suite.check(
        f"mpi4py on {target.name}, off",
        suite.go(target, 3, [interpreter, SOURCES / "mpi4py_calls.py"], suite.counting, TUTTI="off"),
        "mpi4py: right, counted 0",
    )


def main() -> None:
    suite = Front(__doc__)
    without_mpi(suite)
    table(suite)
    other_machine(suite)
    wrappers(suite)
    for target in suite.targets():
        calls(suite, target)
        gpu(suite, target)
        if target.mpi.name.startswith("debian"):
            fortran(suite, target)
        elif "ABI" not in target.name:
            python(suite, target)
    suite.end()


if __name__ == "__main__":
    main()
