"""libFuzzer on what reads a user's files, under address and undefined-behaviour sanitizers: specs, profiles, GOAL.

    python3 tools/fuzz_parsers.py --seconds 600         all, each so long
    python3 tools/fuzz_parsers.py profile --seconds 60  one

Needs clang++ 16 or later with libFuzzer (Debian: clang-16 libclang-rt-16-dev).  Builds in build/parsers; what was found
interesting stays there as the next run's beginning.  Status 1, and the file that did it, at a crash, a hang or a leak.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "parsers"
FUZZERS = {"spec": [], "profile": ["-DTUTTI_FUZZ_PROFILE"], "goal": ["-DTUTTI_FUZZ_GOAL"]}
FOLDERS = ("core", "algorithms", "arrival", "models", "patterns", "selection", "shm/variants", "simulation")
FLAGS = ["-std=c++20", "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
HANG = 5  # seconds for one text
GOAL = (
    "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 3 cpu 0 nic 0\nl2: calc 10 cpu 1\nl2 requires l1\n}\n"
    "rank 1 {\nl1: recv 8b from 0 tag 3\n}\n",
    "num_ranks 2 // two\nrank 0 {\na: send 200b to 1\nb: recv 9b from -1 tag -1 /* any */\nb irequires a\n}\n"
    "rank 1 {\nrecv 200b from 0\nsend 8b to 0\n}\n",
)
GOAL_BINARY = (  # one rank with a calc of 7 ns
    "7f10000000000000010000000000" "1600000000000000" "4900000000000000" "0100000001000000" "00000000"
    "0000000003000000000700000000000000000000000000" "00000000000000000000000000000000"
)  # fmt: skip


def compiler() -> str | None:
    """A clang++ that knows C++20's coroutines."""
    names = [f"clang++-{version}" for version in range(22, 15, -1)] + ["clang++"]
    for name in names:
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            found = re.search(r"clang version (\d+)", said)
            if found and int(found[1]) >= 16:
                return path
    return None


def default_profile() -> Path:
    """The rules that ship with tutti, as CMake puts them into the library."""
    source = (ROOT / "src/selection/default_profile.cpp.in").read_text()
    file = BUILD / "default_profile.cpp"
    contents = source.replace("@TUTTI_DEFAULT_PROFILE@", (ROOT / "src/selection/default.toml").read_text())
    if not file.exists() or file.read_text() != contents:
        file.write_text(contents)
    return file


def ninja_file(clang: str) -> str:
    """Every source once with instrumentation, and a program for each parser."""
    sources = [path for folder in FOLDERS for path in sorted((ROOT / "src" / folder).rglob("*.cpp"))]
    sources.append(default_profile())
    include = f"-I{ROOT / 'src'} -isystem {ROOT / 'build/deps/include'}"
    flags = " ".join([*FLAGS, "-fsanitize=fuzzer-no-link"])
    lines = [f"rule cc\n  command = {clang} {flags} {include} $more -MD -MF $out.d -c $in -o $out\n  depfile = $out.d"]
    lines.append(f"rule link\n  command = {clang} {' '.join(FLAGS)} -fsanitize=fuzzer $in -o $out")
    objects = []
    for number, source in enumerate(sources):
        objects.append(f"{number}-{source.stem}.o")
        lines.append(f"build {objects[-1]}: cc {source}")
    for name, more in FUZZERS.items():
        lines.append(f"build {name}.o: cc {ROOT / 'fuzz/parsers.cpp'}\n  more = {' '.join(more)}")
        lines.append(f"build {name}: link {name}.o {' '.join(objects)}")
    return "\n".join(lines) + "\n"


def seeds(name: str) -> Path:
    """What a run begins with: the profiles there are, specs of every kind, or programs of two forms."""
    folder = BUILD / f"seeds-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    if name == "profile":
        for file in [*sorted((ROOT / "profiles").glob("*.toml")), ROOT / "src/selection/default.toml"]:
            (folder / file.name).write_bytes(file.read_bytes()[:4096])
        return folder
    if name == "goal":
        for number, text in enumerate(GOAL):
            (folder / f"{number}.goal").write_text(text)
        (folder / "binary").write_bytes(bytes.fromhex(GOAL_BINARY))
        return folder
    specs = ("ring", "pipelined_chain(segment=64K)", "groups(16, outer=ring, inner=binomial)", "node(ring, senders=4)",
             "node(single_copy=16K)", "node(variant=slots)", "groups(auto, chain, latency=4K)", "node(native)",
             "native")  # fmt: skip
    for number, spec in enumerate(specs):
        for collective in range(17):
            (folder / f"{number}-{collective}").write_bytes(bytes([collective]) + spec.encode())
    return folder


def fuzz(name: str, seconds: int) -> bool:
    """True where nothing was found."""
    corpus, found = BUILD / f"corpus-{name}", BUILD / f"found-{name}-"
    corpus.mkdir(exist_ok=True)
    words = [f"-max_total_time={seconds}", f"-timeout={HANG}", "-print_final_stats=1", "-verbosity=1", "-max_len=4096"]
    words += [f"-dict={ROOT / 'fuzz/parsers.dict'}", f"-artifact_prefix={found}", str(corpus), str(seeds(name))]
    done = subprocess.run([BUILD / name, *words], capture_output=True, text=True, errors="replace", check=False)
    figures = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
    runs = figures.get("number_of_executed_units", "?")
    if done.returncode:
        print(f"not ok parser of a {name}: status {done.returncode}\n{done.stderr[-3000:]}")
        return False
    print(f"ok parser of a {name} ({runs} texts in {seconds} s, {figures.get('peak_rss_mb', '?')} MB at most)")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parsers", nargs="*", default=list(FUZZERS), metavar="spec|profile|goal")
    parser.add_argument("--seconds", type=int, default=60, help="for each parser (default: 60)")
    parser.add_argument("-j", type=int, default=0, metavar="JOBS", help="of the build")
    options = parser.parse_args()
    if wrong := [name for name in options.parsers if name not in FUZZERS]:
        parser.error(f"there is no parser {wrong[0]}: spec, profile or goal")
    clang = compiler()
    if not clang:
        print("skip parsers: no clang++ 16 or later (Debian: clang-16 libclang-rt-16-dev)")
        return 0
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / "build.ninja").write_text(ninja_file(clang))
    ninja = shutil.which("ninja") or str(Path(sys.executable).parent / "ninja")
    jobs = ["-j", str(options.j)] if options.j else []
    if subprocess.run([ninja, "-C", BUILD, "--quiet", *jobs, *options.parsers], check=False).returncode:
        print("not ok parsers: they do not build")
        return 1
    sound = [fuzz(name, options.seconds) for name in options.parsers]  # each runs, whatever the other finds
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
