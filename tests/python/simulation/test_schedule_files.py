"""Schedules as files: sizes before, refusals in one line, nothing half written; reading them again."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from tutti.simulation import command_line, schedule_files


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def simulate(*words: str):
    return CliRunner().invoke(command_line.command, [*words])


def seconds(*words: str) -> float:
    done = simulate(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["seconds"]


def test_a_written_schedule_takes_the_same_time(tmp_path):
    for suffix in ("goal", "bin"):
        done = simulate("allreduce", "rabenseifner", "-m", "8x4", "-s", "8K", "--write", f"a.{suffix}")
        assert done.exit_code == 0, done.output
        said = re.search(rf"a\.{suffix}: ([0-9.]+) kB, 32 ranks", done.output)
        assert float(said[1]) == pytest.approx((tmp_path / f"a.{suffix}").stat().st_size / 1e3, rel=0.01)
        # Calcs are whole nanoseconds in the file.
        there = seconds("allreduce", "rabenseifner", "-m", "8x4", "-s", "8K", "--full")
        assert seconds("--goal", f"a.{suffix}", "-m", "8x4") == pytest.approx(there, rel=1e-3)


def test_text_to_binary_to_text_changes_nothing(tmp_path):
    assert simulate("bcast", "pipelined_chain", "-m", "6x1", "-s", "64K", "--write", "a.goal").exit_code == 0
    assert simulate("--goal", "a.goal", "--write", "b.bin").exit_code == 0
    assert simulate("--goal", "b.bin", "--write", "c.goal").exit_code == 0
    assert (tmp_path / "a.goal").read_bytes() == (tmp_path / "c.goal").read_bytes()
    assert (tmp_path / "b.bin").read_bytes()[:8] == (4223).to_bytes(8, "little")


def test_too_large_a_file_is_refused_and_leaves_nothing(tmp_path):
    done = simulate("allgather", "ring", "-m", "4096x1", "-s", "8", "--write", "a.bin", "--max-size", "100M")
    assert done.exit_code != 0
    # 8190 operations of 39 bytes and 8189 dependencies of 4 bytes a rank: 1.4 GB.
    about = int(re.search(r"the file would have about (\d+) MB, more than the 104 MB", done.output)[1])
    assert about == pytest.approx(4096 * (8190 * 39 + 8189 * 4) / 1e6, rel=0.01)
    assert list(tmp_path.iterdir()) == []
    done = simulate("allgather", "ring", "-m", "256x1", "-s", "8", "--write", "a.ti", "--max-size", "1M")
    assert done.exit_code != 0
    assert "a.ti: the traces would have about" in done.output
    assert list(tmp_path.iterdir()) == []


def test_what_is_free_on_the_disk_is_the_limit(monkeypatch, tmp_path):
    monkeypatch.setattr(schedule_files.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 2_000_000}))
    done = simulate("allgather", "ring", "-m", "256x1", "-s", "8", "--write", "a.goal")
    assert done.exit_code != 0
    assert "more than the 2 MB that are allowed or free" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bcast", "binomial", "-m", "4x1", "--write", "a.gaol"), "did you mean .goal?"),
        (("bcast", "binomial", "-m", "4x1", "--write", "none/a.goal"), "there is no folder"),
        (("bcast", "-m", "4x1", "--write", "a.goal"), "--write: of one algorithm and one size"),
        (
            ("bcast", "binomial", "-m", "4x1", "--write", "a.bin", "--max-size", "much"),
            "--max-size 'much' is not a size",
        ),
        (("bcast", "node(binomial)", "-m", "4x2", "--write", "a.bin"), "has phases in shared memory"),
        (("bcast", "native", "-m", "4x2", "--write", "a.ti"), "is the MPI library's own collective"),
        (("bcast", "binomial", "-m", "4x2", "--root", "9", "--write", "a.ti"), "ranks go from 0 to 7"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(words, said):
    done = simulate(*words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert done.output.count("\n") <= 2


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "a.ti").mkdir()
    (tmp_path / "a.ti" / "mine").write_text("")
    done = simulate("bcast", "binomial", "-m", "4x1", "--write", "a.ti")
    assert done.exit_code == 2
    assert "it is none of traces" in done.output
    assert (tmp_path / "a.ti" / "mine").exists()


def test_a_file_larger_than_memory_is_refused(monkeypatch, tmp_path):
    (tmp_path / "a.goal").write_text("num_ranks 1\nrank 0 {\n}\n")
    monkeypatch.setattr(schedule_files.os, "sysconf", lambda _: 5)
    done = simulate("--goal", "a.goal", "-m", "1x1")
    assert done.exit_code == 2
    assert "a.goal has 23 bytes: to read it takes up to 138 bytes of memory, and 25 bytes are free" in done.output
