"""Traces for SimGrid: their lines; and, where SimGrid is installed, the time that it finds beside tutti's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
from click.testing import CliRunner
from tutti.simulation import command_line

# SimGrid knows no gap, and no request and answer of a rendezvous.
ALIKE = tuple(f"--set={field}" for field in (
    "between.gap=0s", "within.gap=0s", "between.rendezvous=never", "within.rendezvous=never"
))  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def simulate(*words: str):
    done = CliRunner().invoke(command_line.command, [*words])
    assert done.exit_code == 0, done.output
    return done


def test_lines_of_an_exchange_and_a_reduction(tmp_path):
    simulate("allreduce", "recursive_doubling", "-m", "2x1", "-s", "1000", "--set", "reduce=1GB/s", "--write", "a.ti")
    assert (tmp_path / "a.ti/rank-0").read_text().split("\n") == [
        "0 init",
        "0 send 1 0 1000",
        "0 recv 1 0 1000",
        "0 compute 1000",
        "0 finalize",
        "",
    ]
    assert (tmp_path / "a.ti/traces").read_text() == "rank-0\nrank-1\n"
    assert (tmp_path / "a.ti/hosts").read_text() == "node0\nnode1\n"


def test_a_rendezvous_is_an_isend_and_its_wait(tmp_path):
    simulate("bcast", "binomial", "-m", "2x1", "-s", "1000", "--set", "between.rendezvous=1000", "--write", "a.ti")
    lines = (tmp_path / "a.ti/rank-0").read_text()
    assert "0 isend 1 0 1000\n0 waitall\n" in lines


def test_what_the_platform_cannot_say_is_said():
    done = simulate("bcast", "binomial", "-m", "fat-tree@8x4", "-s", "8", "--write", "a.ti")
    assert "its fat_tree network is a single switch" in done.output
    assert "there is no gap g" in done.output


def test_messages_in_any_order_have_no_trace():
    done = CliRunner().invoke(
        command_line.command, ["reduce", "linear_by_arrival", "-m", "4x1", "-s", "8", "--write", "a.ti"]
    )
    assert done.exit_code == 2
    assert "in the order in which they come, which SimGrid's traces cannot say" in done.output
    assert "\n" not in done.output.strip()


@pytest.mark.skipif(not shutil.which("smpirun"), reason="SimGrid is not installed (Debian: libsimgrid-dev)")
@pytest.mark.parametrize(
    ("call", "machine"),
    [
        (("allgather", "ring", "-s", "64K"), "8x1"),
        (("allgather", "ring", "-s", "64K"), "1x4"),
        (("allreduce", "recursive_doubling", "-s", "64K"), "8x1"),
        (("allreduce", "rabenseifner", "-s", "1M"), "8x1"),
        (("bcast", "chain", "-s", "64K"), "6x1"),
        (("alltoall", "pairwise", "-s", "64K"), "5x1"),
    ],
)
def test_simgrid_finds_the_same_time(call, machine, tmp_path):
    """Within 1 %: SimGrid adds 16 bytes to a message.  Nothing contends: each rank sends one message at a time."""
    words = (*call, "-m", machine, *ALIKE)
    if machine == "1x4":  # SimGrid has one o for all messages
        words += ("--set=within.send=0.3us", "--set=within.receive=0.3us")
    simulate(*words, "--write", "a.ti")
    done = subprocess.run([tmp_path / "a.ti/replay.sh"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    theirs = float(re.search(r"Simulated time: (\S+) seconds", done.stderr + done.stdout)[1])
    ours = json.loads(simulate(*words, "--json").stdout)["seconds"]
    assert theirs == pytest.approx(ours, rel=0.01)
