"""tutti report as a user meets it: files, rows, folders of runs, single figures."""

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from helpers.made_runs import make
from helpers.pages import full_run, invoke, text_of
from tutti.bench import imbalance
from tutti.errors import UserError


def test_the_command_writes_the_file_or_prints_the_cells(tmp_path):
    folder = full_run(tmp_path / "a")
    assert "wrote" in invoke(folder, "-o", tmp_path / "r.html").output and (tmp_path / "r.html").exists()
    rows = [json.loads(line) for line in invoke(folder, "--json").output.splitlines()]
    assert len(rows) == 8
    assert {row["verdict"] for row in rows} == {"faster", ""}
    assert invoke(tmp_path / "none").exception.exit_code == 2


def test_among_several_folders_one_without_a_run_is_told_and_left_out(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "node.toml").touch()
    told = invoke(full_run(tmp_path / "a"), tmp_path / "empty", tmp_path / "node.toml", "-o", tmp_path / "r.html")
    assert told.exception is None and "left out" in told.stderr and "node.toml" not in told.stderr
    assert "none of these" in invoke(tmp_path / "empty", tmp_path / "other").exception.format_message()


def test_a_folder_of_runs_is_read_and_imbalance_has_its_part(tmp_path):
    make(tmp_path / "tuned" / "two-copies", ranks=(2,))
    make(tmp_path / "tuned" / "one-copy", ranks=(4,))
    part = {"median_us": 1.0, "ci_low": 0.9, "ci_high": 1.1, "p90": 2.0, "p99": 3.0, "max": 4.0}
    row = {"launch": 1, "ranks": 4, "nodes": 2, "work_us": 100.0, "repetitions": 9}
    (tmp_path / "imbalance").mkdir()
    line = json.dumps(row | dict.fromkeys(("all", "inside", "between"), part))
    (tmp_path / "imbalance" / imbalance.FILE).write_text(line)
    text = text_of(tmp_path, tmp_path / "tuned", tmp_path / "imbalance")
    assert "2 ranks" in text and "4 ranks" in text and "between nodes: their first ranks" in text


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_any_figure_becomes_a_file(tmp_path, kind):
    folder = make(tmp_path / "a", collectives=("bcast",), sizes=(8, 1024), ranks=(2, 40), nodes=2, launches=2,
                  arrivals=("", "last_late 2x"))  # fmt: skip
    names = invoke(folder, "--figure", "list").output.split()
    kinds = {name.split("-")[0] for name in names}
    assert kinds == {"heatmap", "time", "histogram", "ecdf", "launches", "ranks", "nodes", "timeline", "slowest",
                     "arrivals", "stays"}  # fmt: skip
    for name in {name.split("-")[0]: name for name in names}.values():
        file = tmp_path / f"{name}.{kind}"
        assert invoke(folder, "--figure", name, "-o", file).exception is None
        if kind == "svg":
            root = ElementTree.fromstring(file.read_text())
            assert root.findtext("{http://www.w3.org/2000/svg}title") and "var(" not in file.read_text()
        else:
            assert file.read_bytes().startswith(b"%PDF-") and file.stat().st_size > 1000


def test_figures_that_are_not_there_are_told(tmp_path):
    folder = make(tmp_path / "a", ranks=(2, 4))
    wrong = [(("heatmap",), "could be heatmap-2, heatmap-4"), (("heatmop-2",), "did you mean heatmap-2?"),
             (("heatmap-2", "-o", "x.png"), "ends in .svg or .pdf")]  # fmt: skip
    for words, said in wrong:
        with pytest.raises(UserError, match=re.escape(said)):
            raise invoke(folder, "--figure", *words).exception
