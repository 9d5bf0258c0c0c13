"""A run that was killed goes on where it ended: nothing measured is lost, nothing is measured twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from helpers.measurable import an_mpi
from tutti.bench.resume import case_of, resumed, whole_cases
from tutti.errors import UserError
from tutti.results import runs, samples

CASES = 2 * 2 * 2 * 3  # collectives, sizes, states of caches, launches


def result(variant="native", **more):
    return {"launch": 1, "ranks": 2, "collective": "bcast", "size": 8, "variant": variant} | more


def command(folder):
    return [
        sys.executable, "-m", "tutti", "bench", "bcast", "allreduce", "-n", "2", "-s", "8,4K", "--launches", "3",
        "--seconds", "0.15", "--null", "-o", str(folder),
    ]  # fmt: skip


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("TUTTI")}


def heed_signals():
    """What a shell starts in the background ignores Ctrl-C, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def killed_half_way(folder, how):
    """Starts a run, and ends it by its own id when about half of it is there.  The lines that it had written."""
    process = subprocess.Popen(
        command(folder), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=heed_signals
    )
    file, deadline = folder / runs.RESULTS, time.monotonic() + 100
    while time.monotonic() < deadline and process.poll() is None:
        if file.exists() and len(file.read_text().splitlines()) >= CASES:  # two lines a case
            break
        time.sleep(0.02)
    assert process.poll() is None, process.stderr.read().decode()
    process.send_signal(how)
    process.wait(60)
    return file.read_text().splitlines()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_a_run_that_was_ended_half_way_goes_on(tmp_path, how):
    an_mpi()
    folder = tmp_path / "run"
    before = killed_half_way(folder, how)
    assert CASES <= len(before) < 2 * CASES
    kept = samples.read(folder, runs.load(folder).results)
    again = subprocess.run(command(folder), env=environment(), capture_output=True, text=True, timeout=200, check=False)
    assert again.returncode == 0, again.stderr
    assert f"{len(before) // 2} of {CASES} cases are there" in again.stderr

    after = (folder / runs.RESULTS).read_text().splitlines()
    assert after[: len(before)] == before  # nothing is lost
    run = runs.load(folder)
    found = Counter((r["launch"], case_of(r), r["variant"]) for r in run.results)
    assert len(found) == 2 * CASES and set(found.values()) == {1}  # nothing is missing, and nothing is there twice

    every = samples.read(folder, run.results)
    assert len(every["rank"]) > len(kept["rank"])
    names = ("launch", "collective", "size", "cache", "variant", "repetition", "rank")
    once = Counter(zip(*(every[name].tolist() for name in names), strict=True))
    assert set(once.values()) == {1}
    assert {key[:5] for key in once} == {tuple(r[name] for name in names[:5]) for r in run.results}
    assert not (folder / samples.RAW).exists() or not samples.has_parquet()
    assert all(entry["clock"] for entry in run.environment["launches"])

    done = subprocess.run(command(folder), env=environment(), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and (folder / runs.RESULTS).read_text().splitlines() == after


def test_a_case_counts_with_both_variants_or_not_at_all():
    results = [result(), result("tutti"), result(size=64), result(launch=2, arrival="last_late 2x")]
    kept, done = whole_cases(results, ("tutti", "native"))
    assert kept == results[:2] and done == {(1, 2, "bcast:8")}
    assert case_of(results[3]) == "bcast:8@last_late:2x"
    assert case_of(result(arrival="last_late 2x", cache="warm")) == "bcast:8%warm@last_late:2x"
    assert case_of({"collective": "ibarrier", "size": 0}) == "ibarrier"


def test_another_run_in_the_folder_is_left_alone(tmp_path):
    asked = {"date": "today", "settings": {"sizes": (8,)}, "mpi": {"title": "MPICH", "library": "libmpi.so"}}
    assert resumed(tmp_path, asked, ("tutti", "native")) == (asked, None, set())
    with runs.RunWriter(tmp_path, asked) as writer:
        writer.add(result(), result("tutti"))
    about, kept, done = resumed(tmp_path, asked | {"date": "tomorrow"}, ("tutti", "native"))
    assert about["date"] == "today" and about["continued"] == ["tomorrow"]
    assert len(kept) == 2 and len(done) == 1
    other = asked | {"settings": {"sizes": (8, 64)}}
    with pytest.raises(UserError, match=r"sizes was \[8\] and is \[8, 64\]"):
        resumed(tmp_path, other, ("tutti", "native"))


def test_samples_of_a_launch_in_parts_are_told_apart(tmp_path):
    writer = runs.RunWriter(tmp_path, {})
    assert writer.part(1, 2) == 1
    writer.add(result(cell=0, batch=1))
    assert writer.part(1, 2) == 2 and writer.part(1, 4) == 1 and writer.part(2, 2) == 1
    writer.raw(1, 2, 2).mkdir(parents=True)  # of a launch that ended before its first result
    assert writer.part(1, 2) == 3
    assert json.loads((tmp_path / runs.RESULTS).read_text())["cell"] == 0
    writer.close()
