"""tutti simulate --goal: programs that others wrote, and what is said of those that cannot be."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tutti.simulation import command_line

PING = (
    "num_ranks 2\nrank 0 {\nc: calc 5000\ns: send 1250b to 1 tag 4\ns requires c\n}\nrank 1 {\nrecv 1250b from -1\n}\n"
)
MATCHED = PING.replace("from -1", "from -1 tag -1")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ping.goal").write_text(MATCHED)


def simulate(*words: str):
    return CliRunner().invoke(command_line.command, [*words])


def test_a_program_by_hand():
    done = simulate("--goal", "ping.goal", "-m", "2x1", "--json")
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)
    # The calc; o + s G + L + o of `cluster`.
    assert row["seconds"] == pytest.approx(5e-6 + 0.3e-6 + 0.1e-6 + 1e-6 + 0.3e-6)
    assert row["parts"]["work"] == pytest.approx(5e-6)
    assert (row["ranks"], row["messages"], row["moved"], row["last_rank"]) == (2, 1, 1250, 1)
    assert sum(row["parts"].values()) == pytest.approx(row["seconds"])


def test_the_machine_may_be_larger_than_the_program():
    done = simulate("--goal", "ping.goal", "-m", "4x2")
    assert done.exit_code == 0, done.output
    assert "6 ranks of the machine have nothing to do" in done.output


def test_its_timeline_shows_computation_and_the_message(tmp_path):
    done = simulate("--goal", "ping.goal", "-m", "2x1", "--timeline", "ping.json")
    assert done.exit_code == 0, done.output
    events = json.loads((tmp_path / "ping.json").read_text())["traceEvents"]
    spans = {event["name"]: event for event in events if event["ph"] == "X"}
    assert spans["compute"]["dur"] == pytest.approx(5)
    assert [event["ph"] for event in events].count("s") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--goal", "none.goal", "-m", "2x1"), "cannot read none.goal: no such file or directory"),
        (("--goal", "ping.goal"), "missing option '-m'"),
        (("--goal", "ping.goal", "-m", "1x1"), "the program has 2 ranks, and the machine 1"),
        (("bcast", "--goal", "ping.goal", "-m", "2x1"), "COLLECTIVE says nothing of a program"),
        (("--goal", "ping.goal", "-m", "2x1", "--full"), "--full says nothing of a program"),
        (("--goal", "ping.goal", "--write", "a.ti"), "of a COLLECTIVE's schedules alone"),
        (("--goal", "bad.goal", "-m", "2x1"), "bad.goal: line 2: `rank N {` should stand here"),
        (("--goal", "short.bin", "-m", "2x1"), "short.bin: the file was cut short"),
        (("--goal", "empty.goal", "-m", "2x1"), "empty.goal: line 1: a program begins with num_ranks"),
        (("--goal", "waits.goal", "-m", "2x1"), "waits.goal: rank 1, operation 1: waits for a message from any rank"),
        (("-m", "2x1"), "name a COLLECTIVE, or a program with --goal FILE"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, said, tmp_path):
    (tmp_path / "bad.goal").write_text("num_ranks 2\nrnak 0 {\n}\n")
    (tmp_path / "short.bin").write_bytes((4223).to_bytes(8, "little") + b"\x02")
    (tmp_path / "empty.goal").write_text("")
    (tmp_path / "waits.goal").write_text(PING)  # tag 0 is not tag 4
    done = simulate(*words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert "Traceback" not in done.output
