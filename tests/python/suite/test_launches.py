"""Launches side by side: what measures is alone, crowds take turns, printed lines stay whole."""

import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "mpi"))

import launches
from harness import Mpi, Suite

PRINTING = """
import sys
sys.path.insert(0, {folder!r})
from functools import partial
from harness import Suite
from launches import side_by_side
suite = Suite("")
def check(number):
    for _ in range(50):
        suite.fail(f"check {{number}}", "because\\n" + str(number) * 500)
        suite.ok(f"check {{number}}", "1 s")
side_by_side((partial(check, number) for number in range(8)), 8)
suite.end()
"""


class Running:
    """Counts what runs, and the most at once."""

    def __init__(self):
        self.now, self.most, self.lock = 0, 0, threading.Lock()

    def __enter__(self):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.05)

    def __exit__(self, *_):
        with self.lock:
            self.now -= 1


@pytest.mark.parametrize(
    ("turn", "ranks", "alone", "yields"),
    [("3", 400, False, "1"), ("3", 1, False, "no"), ("3", 400, True, "no"), ("all", 400, False, "no")],
)
def test_crowds_that_measure_nothing_give_the_cpu_away_by_turns(tmp_path, monkeypatch, turn, ranks, alone, yields):
    monkeypatch.setattr(sys, "argv", ["script", "--build", str(tmp_path)])
    monkeypatch.setenv("TEST_TURN", turn)
    launcher = tmp_path / "mpiexec"
    launcher.write_text('#!/bin/sh\necho "${YIELDS:-no}"\n')
    launcher.chmod(0o755)
    suite, mpi = Suite(""), Mpi("mpich", "mpich", launcher, tmp_path, yields={"YIELDS": "1"})
    with suite.alone() if alone else nullcontext():
        assert suite.start(mpi, ranks, ["true"], preload=False).output == f"{yields}\n"


@pytest.mark.parametrize(
    ("backend", "told", "launches_made"), [("openmpi", "", 2), ("openmpi", "x", 1), ("mpich", "", 1)]
)
def test_a_launcher_that_gives_up_without_a_word_is_asked_once_more(
    tmp_path, monkeypatch, capsys, backend, told, launches_made
):
    monkeypatch.setattr(sys, "argv", ["script", "--build", str(tmp_path)])
    launcher = tmp_path / "mpiexec"
    launcher.write_text(f'#!/bin/sh\necho . >> {tmp_path}/made\nprintf "{told}"\nexit 213\n')
    launcher.chmod(0o755)
    outcome = Suite("").start(Mpi(backend, backend, launcher, tmp_path), 1, ["true"], preload=False)
    assert (outcome.status, (tmp_path / "made").read_text()) == (213, ".\n" * launches_made)
    assert ("gave up without a word" in capsys.readouterr().out) == (launches_made == 2)


def test_launches_run_side_by_side_and_crowds_one_at_a_time(tmp_path):
    launched, crowds = Running(), Running()

    def launch(crowd):
        with launches.beside(tmp_path, crowd), launched:
            if crowd:
                with crowds:
                    pass

    launches.side_by_side([lambda crowd=crowd: launch(crowd) for crowd in [True, False] * 6], 6)
    assert launched.most > 1
    assert crowds.most == 1


def test_crowds_come_in_turn(tmp_path):
    """One that launches again and again keeps no other from it."""
    order = []

    def crowds(name):
        for _ in range(6):
            with launches.beside(tmp_path, True):
                order.append(name)
                time.sleep(0.05)

    launches.side_by_side([lambda: crowds("a"), lambda: crowds("b")], 2)
    assert order.index("b") < 3
    assert "aaa" not in "".join(order[:9])
    assert "bbb" not in "".join(order[:9])


def test_who_is_alone_launches_alone(tmp_path):
    launched = Running()
    seen = []

    def launch():
        with launches.beside(tmp_path, False), launched:
            pass

    def measure():
        with launches.alone(tmp_path):
            seen.append(launched.now)
            with launches.beside(tmp_path, True), launched:  # its own launch does not wait for itself
                seen.append(launched.now)

    launches.side_by_side([launch, launch, launch, measure, launch, launch, measure, launch], 8)
    assert seen == [0, 1, 0, 1]


def test_another_process_waits_too(tmp_path):
    text = f"""
import sys; sys.path.insert(0, {str(Path(launches.__file__).parent)!r})
from pathlib import Path
import launches
with launches.beside(Path({str(tmp_path)!r}), False): print("launched")
"""
    with launches.alone(tmp_path):
        other = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(timeout=0.7)
    assert other.communicate(timeout=20)[0] == "launched\n"


def test_the_exception_of_a_check_is_raised():
    with pytest.raises(ZeroDivisionError):
        launches.side_by_side([lambda: None, lambda: 1 / 0, lambda: None])


def test_lines_of_checks_side_by_side_stay_whole(tmp_path):
    folder = str(Path(launches.__file__).parent)
    command = [sys.executable, "-c", PRINTING.format(folder=folder), "--build", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines.count("ok check 3 (1 s)") == 50
    at = [place for place, line in enumerate(lines) if line == "not ok check 3: because"]
    assert len(at) == 50
    assert all(lines[place + 1] == "    " + "3" * 500 for place in at)
