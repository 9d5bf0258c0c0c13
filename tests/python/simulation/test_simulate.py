"""tutti simulate: its table, JSON, timeline, and what it says of calls that cannot be."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tutti.simulation import command_line, machine


def simulate(*words: str):
    return CliRunner().invoke(command_line.command, [*words])


def rows(*words: str) -> list[dict]:
    done = simulate(*words, "--json")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_one_message_takes_what_logp_says():
    found = rows("bcast", "binomial", "-m", "2x1", "-s", "1250")
    (row,) = found
    # o + s G + L + o of `cluster`.
    assert row["seconds"] == pytest.approx(0.3e-6 + 0.1e-6 + 1e-6 + 0.3e-6)
    assert row["parts"]["latency"] == pytest.approx(1e-6)
    assert (row["messages"], row["moved"], row["between"], row["within"]) == (1, 1250, 1250, 0)


def test_rows_stand_in_the_order_asked_for():
    found = rows("allreduce", "ring", "rabenseifner", "-m", "4x4", "-s", "1K,64K")
    assert [(row["spec"], row["bytes"]) for row in found] == [
        ("ring", 1024),
        ("rabenseifner", 1024),
        ("ring", 65536),
        ("rabenseifner", 65536),
    ]
    assert all(row["over_bound"] >= 1 for row in found)
    assert all(sum(row["parts"].values()) == pytest.approx(row["seconds"]) for row in found)


@pytest.mark.parametrize("collective", ["bcast", "allgather", "alltoall", "barrier", "reduce_scatter", "scan"])
def test_all_that_run_there(collective):
    found = rows(collective, "-m", "4x3", "-s", "64")
    assert len(found) > 2
    assert all(row["seconds"] > 0 for row in found)


@pytest.mark.parametrize(
    "collective", ["barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "gather", "scatter", "allgather"]
)
def test_leaders_of_nodes(collective):
    specs = {"barrier": "dissemination", "scan": "recursive_doubling", "exscan": "recursive_doubling"}
    inner = specs.get(collective, "binomial" if collective in ("bcast", "reduce", "gather", "scatter") else "ring")
    one, four = rows(collective, f"node({inner})", f"node({inner}, senders=4)", "-m", "8x8", "-s", "4K")
    assert one["seconds"] > 0
    assert one["within"] == 0
    if collective != "barrier":
        assert four["messages"] == 4 * one["messages"]


def test_folded_and_full_are_equal():
    words = ("allgather", "ring", "-m", "32x4", "-s", "256")
    (folded,), (full,) = rows(*words), rows(*words, "--full")
    assert (folded["fold"], folded["simulated_ranks"]) == ("rotation", 4)
    assert (full["fold"], full["simulated_ranks"]) == ("", 128)
    for key in ("seconds", "messages", "moved", "between", "parts"):
        assert folded[key] == full[key]


def test_late_ranks():
    words = ("bcast", "binomial", "-m", "4x1", "-s", "64")
    (together,), (late,) = rows(*words), rows(*words, "--arrival", "first_late", "--skew", "30us")
    assert late["seconds"] == pytest.approx(together["seconds"] + 30e-6)
    assert late["parts"]["entry"] == pytest.approx(30e-6)


def test_the_timeline_has_an_arrow_for_each_message(tmp_path):
    file = tmp_path / "ring.json"
    done = simulate("allreduce", "ring", "-m", "4x2", "-s", "8K", "--timeline", str(file))
    assert done.exit_code == 0, done.output
    events = json.loads(file.read_text())["traceEvents"]
    kinds = [event["ph"] for event in events]
    assert kinds.count("s") == kinds.count("f") == 2 * 7 * 8
    assert {event["args"]["name"] for event in events if event["name"] == "process_name"} == {
        f"node {i}" for i in range(4)
    }
    assert all(event["dur"] >= 0 for event in events if event["ph"] == "X")


def test_the_timeline_of_leaders(tmp_path):
    file = tmp_path / "leaders.json"
    done = simulate("allreduce", "node(ring, senders=2)", "-m", "4x8", "-s", "8K", "--timeline", str(file))
    assert done.exit_code == 0, done.output
    events = json.loads(file.read_text())["traceEvents"]
    assert {event["pid"] for event in events} == {0, 1, 2, 3}
    assert "phase in the node" in {event["name"] for event in events}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("allreduce", "rign", "-m", "4x1"), "did you mean 'ring'?"),
        (("allreduce", "native", "-m", "4x1"), "is the MPI library's own collective"),
        (("allreduce", "node", "-m", "1x4"), "sends no messages"),
        (("allreduce", "node(ring, senders=4)", "-m", "4x2"), "a node has 2 ranks, and 4 send"),
        (("allreduce", "ring", "-m", "4x1", "--root", "1"), "allreduce has no root"),
        (("bcast", "binomial", "-m", "4x1", "--root", "4"), "ranks go from 0 to 3"),
        (("bcast", "groups(9, binomial)", "-m", "4x1"), "do not make 9 groups"),
        (("bcast", "binomial", "-m", "5000000x5"), "16777216"),
        (("bcast", "binomial", "-m", "4x1", "--set", "cards=2"), "cards: a node has from one network card"),
        (("bcast", "binomial", "-m", "4x1", "--skew", "5us"), "give both"),
        (("bcast", "binomial", "-m", "4x1", "--arrival", "bell", "--skew", "5 hours"), "is not a time"),
        (("bcast", "-m", "4x1", "--timeline", "x"), "of one algorithm and one size"),
        (("alltoall", "pairwise", "-m", "64x64", "-s", "1K", "--timeline", "x"), "a timeline holds 1000000 events"),
        (
            ("bcast", "binomial", "-m", "2x1", "-s", "1G", "--set", "between.bandwidth=1b/s", "--set", "within.gap=1s"),
            "26 days",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = simulate(*words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert "Traceback" not in done.output


def test_a_machine_of_its_own(tmp_path):
    file = tmp_path / "slow.toml"
    file.write_text('nodes = 2\nper_node = 1\n[between]\nlatency = "1ms"\n')
    (row,) = rows("bcast", "binomial", "-m", str(file), "-s", "8")
    assert row["seconds"] == pytest.approx(1e-3)
    assert row["machine"] == str(file)
    assert machine.load(str(file))["between"]["per_byte"] == 0
