"""tutti bench --imbalance: what it prints, and that delays inside nodes and between them are told apart."""

import json

import pytest
from helpers.measurable import an_mpi
from tutti.bench.imbalance import FILE, Balanced, measure, rows
from tutti.bench.timing import Timing
from tutti.errors import UserError
from tutti.output import Output

DELAY = 0.02  # seconds
BEARABLE = 0.05 * 1e6 * DELAY  # microseconds: what ranks may come apart by themselves


def figures(median):
    return {"median_us": median, "ci_low": median, "ci_high": median, "p90": median, "p99": median, "max": median}


def test_one_node_has_nothing_between():
    found = {"launch": 1, "ranks": 2, "nodes": 1, "work_us": 1000.0, "repetitions": 9}
    found |= {"all": figures(10.0), "inside": figures(10.0), "between": figures(0.0)}
    assert [row["spread"].split()[0] for row in rows(found)] == ["all", "inside"]
    assert rows(found)[0]["part"] == 0.01
    assert len(rows(found | {"nodes": 2})) == 3


def measured(folder, capsys, ranks):
    balanced = Balanced(an_mpi(), Output(json=True, quiet=True), folder, Timing(), work=1e-3, seconds=0.5)
    assert measure(balanced, [ranks], 1) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (saved,) = (json.loads(line) for line in (folder / FILE).read_text().splitlines())
    assert printed[0]["median_us"] == saved["all"]["median_us"]
    return saved


@pytest.mark.parametrize(
    ("deal", "part", "other"), [("block:2", "inside", "between"), ("block:1", "between", "inside")]
)
def test_an_injected_delay_is_recovered_where_it_was(tmp_path, capsys, monkeypatch, deal, part, other):
    monkeypatch.setenv("TUTTI_PRETEND_NODES", deal)
    for attempt in range(3):
        monkeypatch.delenv("TUTTI_BENCH_DELAY", raising=False)
        quiet = all(measured(tmp_path / f"before{attempt}{i}", capsys, 2)["all"]["p90"] < BEARABLE for i in range(2))
        monkeypatch.setenv("TUTTI_BENCH_DELAY", f"1:{DELAY}")
        saved = measured(tmp_path / f"run{attempt}", capsys, 2)
        quiet = quiet and saved[other]["p90"] < BEARABLE
        if quiet:
            break
    else:
        pytest.skip("this machine is too busy: ranks come apart by more than a twentieth of the delay by themselves")
    assert saved["nodes"] == (1 if deal == "block:2" else 2)
    assert saved[part]["median_us"] == pytest.approx(1e6 * DELAY, rel=0.05)
    assert saved["after_first_us"][1] == pytest.approx(1e6 * DELAY, rel=0.05)
    assert saved[other]["median_us"] < BEARABLE
    environment = json.loads((tmp_path / f"run{attempt}" / "environment.json").read_text())
    assert [check["when"] for check in environment["launches"][0]["clock"]] == ["start", "end"]


def test_a_folder_with_results_is_not_written_over(tmp_path):
    (tmp_path / FILE).touch()
    with pytest.raises(UserError, match="holds a run already"):
        Balanced(an_mpi(), Output(quiet=True), tmp_path, Timing(), work=1e-3, seconds=1.0)
