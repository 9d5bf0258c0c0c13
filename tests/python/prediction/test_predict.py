"""tutti predict: its rows, what decides between formula and simulator, and what it says of what cannot be."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tutti.prediction import command_line


def predict(*words: str):
    return CliRunner().invoke(command_line.command, [*words])


def rows(*words: str, kind: str = "prediction") -> list[dict]:
    done = predict(*words, "--json")
    assert done.exit_code == 0, done.output
    return [row for row in map(json.loads, done.stdout.splitlines()) if row["kind"] == kind]


def test_a_binomial_tree_takes_what_the_formula_says():
    found = {row["spec"]: row for row in rows("bcast", "-N", "8", "--ppn", "1", "-s", "1K", "--shortlist", "0")}
    # 3 messages of o + s G + L + o on `cluster`.
    assert found["binomial"]["seconds"] == pytest.approx(3 * (0.3e-6 + 1024 / 12.5e9 + 1e-6 + 0.3e-6), rel=1e-6)
    assert {row["how"] for row in found.values()} == {"formula"}


def test_the_shortlist_is_simulated_and_the_best_is_one_of_it():
    found = rows("bcast", "-N", "16", "--ppn", "4", "-s", "64K")
    best = [row for row in found if row["best"]]
    assert len(best) == 1
    assert best[0]["how"] == "simulated"
    simulated = [row for row in found if row["how"] == "simulated"]
    assert 1 < len(simulated) <= command_line.SHORTLIST
    assert best[0]["seconds"] == min(row["seconds"] for row in simulated)
    assert all(row["over_best"] >= 1 for row in simulated)
    specs = [row["spec"] for row in found]
    assert "node(binomial)" in specs
    assert any(spec.startswith("node(") and "senders=4" in spec for spec in specs)
    assert any(spec.startswith("groups(") for spec in specs)
    assert any("segment=" in spec for spec in specs)


def test_the_formula_lies_between_its_bounds():
    for collective in ("allreduce", "alltoall", "barrier", "scan", "reduce_scatter", "gather"):
        for row in rows(collective, "-N", "6", "--ppn", "3", "-s", "4K", "--shortlist", "0"):
            low, high = row["interval"]
            assert 0 < low <= row["seconds"] <= high, row


def test_a_node_alone_is_predicted_by_its_phases():
    found = {row["spec"]: row for row in rows("allreduce", "-N", "1", "--ppn", "8", "-s", "8")}
    assert found["node"]["how"] == "formula"
    meet, within = 0.2e-6 + 7 * 0.1e-6, 8 / 8e9  # of `cluster`; 7 contributions of 8 bytes combined, or an eighth each
    assert 2 * meet < found["node"]["seconds"] < 3 * meet + 8 * within


def test_changeovers_lie_between_sizes_whose_best_differ():
    words = ("allreduce", "-N", "32", "--ppn", "1", "-s", "1K:1M:32")
    changes = rows(*words, kind="changeover")
    assert changes
    assert all(1 << 10 < change["size"] <= 1 << 20 for change in changes)
    best = {row["size"]: row["spec"] for row in rows(*words) if row["best"]}
    assert changes[0]["from"] == best[1 << 10]
    assert changes[-1]["to"] == best[1 << 20]


def test_more_bandwidth_helps_long_messages_alone():
    words = ("bcast", "-N", "8", "--ppn", "1", "-s", "8,1M", "--what-if", "bandwidth=10x")
    for row in rows(*words):
        if row["spec"] in ("binomial", "chain"):
            gained = row["before"] / row["seconds"]
            assert 1 <= gained < 1.01 if row["size"] == 8 else 5 < gained <= 10


def test_sensitivity_counts_the_longest_path():
    (row,) = rows("barrier", "-N", "8", "--ppn", "1", "--sensitivity", kind="sensitivity")
    assert row["spec"] in ("dissemination", "recursive_doubling") or row["spec"].startswith("k_")
    (found,) = rows("bcast", "-N", "2", "--ppn", "1", "-s", "1K", "--sensitivity", kind="sensitivity")
    assert found["dT_dL"] == pytest.approx(1, rel=1e-3)
    assert found["dT_do"] == pytest.approx(2, rel=1e-3)
    assert found["dT_dG"] == pytest.approx(1024, rel=1e-2)
    seconds = 0.3e-6 + 1024 / 12.5e9 + 1e-6 + 0.3e-6
    assert found["latency_for_1_percent"] == pytest.approx(0.01 * seconds, rel=0.03)


def test_cutoffs_are_thakurs_formulas_beside_the_simulator():
    found = {row["collective"]: row for row in rows("-N", "8", "--ppn", "1", "--cutoffs", kind="cutoff")}
    assert set(found) == {"bcast", "reduce_scatter", "reduce_scatter_block", "alltoall"}
    assert found["bcast"]["in_alpha_over_beta"] == pytest.approx(3 / (3 - 2 * 7 / 8))
    assert found["reduce_scatter"]["in_alpha_over_beta"] == pytest.approx(4 / (3 - 2 * 7 / 8))
    alpha, beta = 1.6e-6, 1 / 12.5e9
    assert found["bcast"]["formula"] == pytest.approx(3 / (3 - 2 * 7 / 8) * alpha / beta)
    assert found["bcast"]["error"] == pytest.approx(found["bcast"]["formula"] / found["bcast"]["exhaustive"] - 1)


def test_without_rendezvous_the_cutoff_of_bcast_is_near_the_truth():
    words = ("bcast", "-N", "64", "--ppn", "1", "--set", "between.rendezvous=never", "--cutoffs")
    (found,) = rows(*words, kind="cutoff")
    assert abs(found["error"]) < 0.35


def test_equations_are_printed_beside_the_counts():
    found = rows("bcast", "-N", "16", "--ppn", "1", "-s", "1M", "--formulas", kind="formula")
    numbers = {row["source"].rpartition(" ")[2] for row in found if row["source"].startswith("Hasanov")}
    assert {str(number) for number in range(1, 18)} <= numbers
    fourth = next(row for row in found if row["source"].endswith("equation 4") and row["spec"] == "binary")
    assert fourth["rounds"] < fourth["counted_rounds"]
    assert fourth["counted"]


def measured(folder, choice="recursive_doubling", median_us=10.0):
    folder.mkdir()
    row = {
        "launch": 1, "collective": "allreduce", "size": 1024, "ranks": 2, "variant": "tutti", "choice": choice,
        "median_us": median_us, "cache": "warm",
    }  # fmt: skip
    native = row | {"variant": "native", "choice": "", "median_us": 1.0}
    (folder / "results.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(native)}\n")
    return folder


def test_measurements_stand_beside_predictions(tmp_path):
    run = measured(tmp_path / "run")
    (row,) = rows("allreduce", "-N", "1", "--ppn", "2", "--against", str(run), kind="against")
    assert (row["spec"], row["measured_us"]) == ("recursive_doubling", 10.0)
    assert row["error"] == pytest.approx(row["predicted_us"] / 10 - 1)
    (total,) = rows("allreduce", "-N", "1", "--ppn", "2", "--against", str(run), kind="summary")
    assert total == {"kind": "summary", "cells": 1, "median_error": abs(row["error"]), "within_25_percent": 0}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bcats"], "there is no collective 'bcats': did you mean bcast?"),
        ([], "of which collective?"),
        (["alltoallv"], "alltoallv: the counts of a call decide"),
        (["bcast", "-m", "nowhere.toml"], "machine nowhere.toml: no such file or directory"),
        (["bcast", "-N", "2", "--ppn", "1", "--root", "2"], "--root 2: ranks go from 0 to 1"),
        (["allreduce", "--root", "1"], "--root 1: allreduce has no root"),
        (["bcast", "--what-if", "bandwith=2x"], "nothing is called bandwith: did you mean bandwidth?"),
        (["bcast", "--what-if", "bandwidth=10"], "write so many times, such as bandwidth=10x"),
        (["bcast", "--what-if", "latency=0x"], "write so many times, such as latency=10x"),
        (["allreduce", "--cutoffs"], "--cutoffs: of bcast, reduce_scatter, reduce_scatter_block, alltoall"),
        (["bcast", "--against", "nowhere"], "--against nowhere: there is no such folder"),
        (["bcast", "-N", "100000", "--ppn", "100"], "are more than the 1048576 that are predicted"),
        (["bcast", "-N", "2000", "--ppn", "1", "--formulas"], "counts schedules of up to 1024 ranks"),
    ],
)
def test_what_cannot_be_is_one_line(words, said):
    done = predict(*words)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_a_run_without_tuttis_calls_is_said_so(tmp_path):
    run = measured(tmp_path / "run", choice="native")
    done = predict("--against", str(run))
    assert done.exit_code == 2
    assert "no call there was served by an algorithm of tutti's" in done.output


def test_a_machine_without_a_network_is_refused(tmp_path):
    file = tmp_path / "one.toml"
    file.write_text('nodes = 1\nper_node = 2\n[within]\nlatency = "0.2us"\nbandwidth = "5GB/s"\n')
    assert predict("bcast", "-m", str(file)).exit_code == 0
    done = predict("bcast", "-m", str(file), "-N", "4")
    assert done.exit_code == 2
    assert "messages between nodes take no time: give [between] latency and bandwidth" in done.output
