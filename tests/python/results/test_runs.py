"""Run folders."""

import pytest
from helpers.folders import result, write
from tutti.errors import UserError
from tutti.results import runs


def test_what_is_written_is_read_again(tmp_path):
    folder = write(tmp_path / "run", [result(), result("tutti", median=0.5)], {"date": "today"})
    run = runs.load(folder)
    assert run.environment == {"date": "today"}
    assert [r["variant"] for r in run.results] == ["native", "tutti"]


def test_a_finished_case_is_on_disk_before_the_run_ends(tmp_path):
    writer = runs.RunWriter(tmp_path / "run", {})
    writer.add(result())
    assert len(runs.load(tmp_path / "run").results) == 1
    writer.close()


def test_a_line_cut_short_loses_only_itself(tmp_path):
    folder = write(tmp_path / "run", [result(), result("tutti")])
    file = folder / runs.RESULTS
    file.write_text(file.read_text()[:-20])
    assert len(runs.load(folder).results) == 1


def test_an_existing_run_is_not_overwritten(tmp_path):
    folder = write(tmp_path / "run", [result()])
    with pytest.raises(UserError, match="already"):
        runs.RunWriter(folder, {})


def test_a_folder_without_results_is_no_run(tmp_path):
    with pytest.raises(UserError, match="not a run"):
        runs.load(tmp_path)
    (tmp_path / runs.RESULTS).write_text('{"some": "thing"}\n{}\n')
    with pytest.raises(UserError, match="line 1"):
        runs.load(tmp_path)
