"""Checks that take turns: each has its turn, and the same number takes the same checks."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import changed
import pytest
import run
import sanitized
import turns
from tally import Tally

ROOT = Path(__file__).resolve().parents[3]
RUN = [sys.executable, str(ROOT / "tests/run.py")]
EXECUTED = (3, 4, 5, 7, 8)


@pytest.mark.parametrize("period", [1, 2, 3, 4])
@pytest.mark.parametrize("start", [0, 1, 7])
def test_every_item_is_due_once_in_as_many_turns_as_the_period(monkeypatch, period, start):
    items = list("abcdefghijk")
    for first in (0, 5, 397):
        taken = []
        for turn in range(first, first + period):
            monkeypatch.setenv(turns.VARIABLE, str(turn))
            taken += turns.share(items, period, start)
        assert sorted(taken) == items


def test_a_turn_takes_the_same_again(monkeypatch):
    monkeypatch.setenv(turns.VARIABLE, "17")
    assert turns.share(range(100), 4, 2) == turns.share(range(100), 4, 2) == [*range(1, 100, 4)]


@pytest.mark.parametrize("said", [None, "all"])
def test_without_a_turn_everything_is_due(monkeypatch, said):
    monkeypatch.delenv(turns.VARIABLE, raising=False)
    if said:
        monkeypatch.setenv(turns.VARIABLE, said)
    assert turns.share(range(9), 3, 1) == [*range(9)]


def test_a_grid_leaves_out_no_mpi_and_no_number_of_ranks(monkeypatch):
    """As the executor takes its numbers of ranks."""
    had = []
    for turn in range(3):
        monkeypatch.setenv(turns.VARIABLE, str(turn))
        now = [(mpi, n) for mpi in turns.MPIS for n in turns.share(EXECUTED, 3, turns.place_of(mpi))]
        assert {mpi for mpi, _ in now} == {*turns.MPIS}
        assert sorted(n for _, n in now) == [*EXECUTED]
        had += now
    assert sorted(had) == sorted(itertools.product(turns.MPIS, EXECUTED))


def test_every_folder_is_sanitized_in_three_turns(monkeypatch):
    monkeypatch.setattr(sanitized.changed, "files", lambda *_: set())
    for preset, folders in sanitized.SANITIZED.items():
        had = []
        for turn in range(3):
            monkeypatch.setenv(turns.VARIABLE, str(turn))
            had += sanitized.folders(preset)
        assert sorted(had) == sorted(folders)


def test_every_folder_that_has_unit_tests_is_sanitized():
    with_tests = {path.parent.name for path in (ROOT / "tests").glob("*/*_test.cpp")}
    assert with_tests == {*sanitized.SANITIZED["asan"]}


def test_a_big_change_takes_turns(monkeypatch):
    monkeypatch.setenv(turns.VARIABLE, "0")
    monkeypatch.setattr(changed, "few", lambda *_: {"src/shm/group.cpp"})
    assert "shm" in sanitized.folders("tsan")
    monkeypatch.setattr(changed, "few", lambda *_: None)
    assert sanitized.folders("tsan") == ["shm"]
    monkeypatch.setenv(turns.VARIABLE, "1")
    assert sanitized.folders("tsan") == []


def meanwhile(monkeypatch, turn, names):
    """What runs, in which order the suites end, and the tally."""
    order, tally = [], Tally()
    scripts = {name: [sys.executable, "-c", f"print('ok {name}')"] for name in run.SCRIPTS}
    monkeypatch.setattr(run, "SCRIPTS", scripts)
    monkeypatch.setitem(run.SUITES, "unit", lambda _: order.append("unit"))
    monkeypatch.setitem(run.SUITES, "python", lambda _: order.append("python"))
    monkeypatch.setenv(turns.VARIABLE, turn)
    others = run.Meanwhile(tally, names)
    for name in others.in_front:
        run.carry_out(tally, name, others)
    others.wait()
    others.stop()
    return others, order, tally


def test_what_measures_nothing_runs_behind_the_others_by_turns(monkeypatch):
    names = ["lint", "unit", "python", "node", "planted"]
    others, order, tally = meanwhile(monkeypatch, "7", names)
    assert others.in_front == [*order, "planted"] == ["unit", "python", "planted"]
    assert (tally.passed, tally.failures) == (3, [])
    others, _, tally = meanwhile(monkeypatch, "all", names)
    assert others.in_front == names
    assert (tally.passed, tally.failures) == (3, [])


def test_planted_mistakes_run_once_wherever_they_are_asked_for(monkeypatch):
    for names in (["planted"], ["planted", "python"], ["python", "planted"]):
        _, _, tally = meanwhile(monkeypatch, "7", names)
        assert tally.passed == 1


def said(*words, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TEST_")} | variables
    return subprocess.run([*RUN, *words], capture_output=True, text=True, env=environment, timeout=60, check=False)


def test_a_turn_that_is_no_number_is_told():
    told = said("unit", TEST_TURN="often")
    assert told.returncode == 1
    assert "TEST_TURN=often: a number, or `all`" in told.stderr


def test_an_unknown_suite_is_told():
    assert "there is no" not in said("nosuch").stdout
    assert "no suite nosuch" in said("nosuch").stderr
