"""Run folders, and the report made from them."""

import json
import re

import click.testing
import pytest
from tutti import report, runs
from tutti.errors import UserError
from tutti.report_plot import thinned, ticks, time_text


def result(variant="native", launch=1, collective="bcast", size=8, median=1.0, **more):
    return {
        "launch": launch, "collective": collective, "size": size, "ranks": 2, "variant": variant, "repetitions": 3,
        "median_us": median, "ci_low": median, "ci_high": median, "cell": 0, "batch": 1, **more,
    }  # fmt: skip


def write(folder, results, environment=None):
    with runs.RunWriter(folder, environment or {}) as writer:
        for line in results:
            writer.add(line)
    return folder


def full_run(folder):
    """Everything that a run can have: two rank counts, a barrier, a case of which one variant is missing."""
    results = [
        result(variant, launch, name, size, median, ranks=ranks, choice="node" if variant == "tutti" else "")
        for ranks in (2, 8)
        for launch in (1, 2, 3)
        for name, sizes in (("barrier", [0]), ("bcast", [8, 1024, 65536]))
        for size in sizes
        for variant, median in (("native", 2.0 + 0.01 * launch), ("tutti", 1.0))
        if not (size == 65536 and variant == "tutti")
    ]
    environment = {
        "date": "2026-01-01", "command": "tutti bench <bcast>", "machine": {"cpu": "A & B", "cpus": 2, "kernel": "6"},
        "mpi": {"title": "MPICH 5.0.2", "library": "libmpi.so"},
    }  # fmt: skip
    return write(folder, results, environment)


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


def test_a_report_is_one_file_that_needs_nothing_else(tmp_path):
    file = tmp_path / "report.html"
    report.write([full_run(tmp_path / "a")], file)
    text = file.read_text()
    assert not re.search(r"(src|href)=|url\(|@import|<script|https?://(?!www\.w3\.org)", text)
    assert text.count("<svg") == 4
    assert "MPICH 5.0.2" in text and "8 ranks" in text and "on 2 CPUs" in text
    assert "A &amp; B" in text and "tutti bench &lt;bcast&gt;" in text
    assert "2.02×" in text
    assert "$" not in text


def test_a_report_of_several_runs_has_them_all(tmp_path):
    file = tmp_path / "report.html"
    report.write([full_run(tmp_path / "a"), write(tmp_path / "b", [result(), result("again")])], file)
    assert "native against itself" in file.read_text()
    assert file.read_text().count('class="run"') == 2


@pytest.mark.parametrize("results", [[], [result()], [result(repetitions=0, median_us=0.0)], [result("tutti", size=0)]])
def test_missing_data_makes_a_report_all_the_same(tmp_path, results):
    report.write([write(tmp_path / "a", results)], tmp_path / "report.html")
    assert "</html>" in (tmp_path / "report.html").read_text()


def test_the_command_writes_the_file_or_prints_the_cells(tmp_path):
    folder = str(full_run(tmp_path / "a"))
    run = click.testing.CliRunner().invoke
    written = run(report.command, [folder, "-o", str(tmp_path / "r.html")])
    assert written.exit_code == 0 and (tmp_path / "r.html").exists()
    printed = run(report.command, [folder, "--json"])
    rows = [json.loads(line) for line in printed.output.splitlines()]
    assert len(rows) == 8
    assert {row["verdict"] for row in rows} == {"faster", ""}
    assert run(report.command, [str(tmp_path / "none")]).exit_code == 2


def test_axes_have_few_round_marks():
    assert ticks(0.3, 30) == pytest.approx([0.5, 1, 2, 5, 10, 20])
    assert ticks(0.09, 20000) == pytest.approx([0.1, 1, 10, 100, 1000, 10000])
    assert len(ticks(1e-3, 1e9)) <= 7
    assert thinned(list(range(10)), 7) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0831, "0.0831 µs"), (0.2, "0.200 µs"), (93, "93.0 µs"), (999.9, "1.00 ms"), (18e3, "18.0 ms"), (2e6, "2.00 s")],
)
def test_times_have_three_figures_and_a_unit(value, text):
    assert time_text(value) == text
