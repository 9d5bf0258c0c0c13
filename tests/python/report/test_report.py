"""The report: one page, complete in itself, and single figures."""

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from helpers.folders import result, write
from helpers.made_runs import Made, make
from helpers.measurable import an_mpi
from helpers.pages import Balance, invoke, text_of
from tutti.bench import command_line as bench
from tutti.bench import imbalance
from tutti.bench.plan import Plan
from tutti.errors import UserError
from tutti.output import Output
from tutti.report import page
from tutti.report.measured import measurements
from tutti.report.study import Study, studies
from tutti.results import runs, sample_cells, samples


def full_run(folder):
    """Without samples: two rank counts, a barrier, a case of which one variant is missing."""
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


def test_a_report_is_one_file_that_needs_nothing_else(tmp_path):
    text = text_of(tmp_path, full_run(tmp_path / "a"))
    assert not re.search(r"src=|href=\"(?!#|data:,\")|url\(|@import|<script [^>]|https?://(?!www\.w3\.org)", text)
    assert "MPICH 5.0.2" in text and "8 ranks on 2 CPUs" in text
    assert "A &amp; B" in text and "tutti bench &lt;bcast&gt;" in text
    assert "tutti is faster than native in 3 of 3 cells" in text and "2.02×" in text
    assert "No samples were kept" in text
    parser = Balance()
    parser.feed(text)
    assert parser.open == []


def test_every_part_has_its_place(tmp_path):
    one = make(tmp_path / "a", nodes=2, arrivals=("", "last_late 2x"))
    text = text_of(tmp_path, one, make(tmp_path / "b", ranks=(2,)))
    parts = ("answer", "gain", "distribution", "size", "ranks", "tails", "arrivals", "all", "environment", "method")
    assert re.findall(r'<section id="(\w+)-1"', text) == list(parts)
    assert all(f'href="#{part}-1"' in text for part in parts)
    assert len(re.findall(r'<i id="piece-1-', text)) == 18


def test_calls_that_waited_for_tcp_are_told(tmp_path):
    folder = make(tmp_path / "a", collectives=("alltoall",), sizes=(8,), launches=2, repetitions=20, timeouts=3)
    text = text_of(tmp_path, folder)
    part = text[text.index('<section id="timeouts-1"') :]
    assert "+200 ms: 6" in part[: part.index("</section>")] and ">15 %<" in part and 'href="#timeouts-1"' in text
    assert '<section id="timeouts-1"' not in text_of(tmp_path, make(tmp_path / "b"))


def test_runs_of_other_cells_are_read_as_one_and_of_the_same_cells_are_not(tmp_path):
    a, b, again = make(tmp_path / "a", ranks=(2,)), make(tmp_path / "b", ranks=(4,)), make(tmp_path / "c", ranks=(2,))
    found = measurements([runs.load(each) for each in (a, b, again)])
    assert [[run.folder.name for run in each.runs] for each in found] == [["a", "b"], ["c"]]
    assert [each.title for each in found] == ["MPICH 5.0.2 (a, b)", "MPICH 5.0.2 (c)"]
    assert len(studies(found)[0].ranks("")) == 6  # two collectives, three sizes
    other = make(tmp_path / "d", ranks=(8,), title="Open MPI 5.0.11")
    assert len(measurements([runs.load(a), runs.load(other)])) == 2


def test_the_answer_names_the_fastest_of_several_variants(tmp_path):
    folder = make(tmp_path / "a", variants=("tutti", "hcoll", "native"), gain=3.0, repetitions=60)
    (measurement,) = measurements([runs.load(folder)])
    assert measurement.base == "native" and set(measurement.contenders) == {"tutti", "hcoll"}
    small = next(cell for cell in measurement.cells if cell.key.size == 8)
    assert small.fastest == ("tutti",)
    large = next(cell for cell in measurement.cells if cell.key.size == 65536)
    assert "tutti" not in large.fastest or len(large.fastest) == 3
    text = text_of(tmp_path, folder)
    assert "heatmap-4-tutti" in text and "heatmap-4-hcoll" in text


def test_each_layout_has_its_answer_and_those_with_a_cpu_a_rank_come_first(tmp_path):
    """One library's pathology with more ranks than CPUs is not what tutti gains on two."""
    text = text_of(tmp_path, make(tmp_path / "a", ranks=(2, 8, 4), repetitions=60))  # on 4 CPUs
    lines = re.findall(r'<p class="headline">([^:]+): tutti is', text)
    assert lines == ["2 ranks", "4 ranks", "8 ranks on 4 CPUs"]
    assert len(re.findall(r'class="big"', text)) == 3 and text.count("More ranks than CPUs") == 1


def test_few_repetitions_make_no_headline(tmp_path):
    rows = [
        result(variant, launch, "bcast", size, median, ranks=2, repetitions=count)
        for launch in (1, 2, 3)
        for size, count, gain in ((8, 3, 100.0), (64, 100, 2.0), (1024, 100, 1.5))
        for variant, median in (("native", gain), ("tutti", 1.0))
    ]
    text = text_of(tmp_path, write(tmp_path / "a", rows))
    opening = text[text.index('<section id="answer-1"') : text.index('<section id="gain-1"')]
    assert "over 2 of 3 cells" in opening and "1 cell of fewer than 30 repetitions left out" in opening
    assert "most: bcast 64, 2 ranks" in opening and "most: bcast 8," not in opening
    assert '<option value="bcast-64-2" selected>' in text


def test_a_table_has_one_definition_of_a_time_and_names_it(tmp_path):
    """Launches of other numbers of ranks began in other ways: a median is never below its cell's least."""
    made = Made(collectives=("reduce",), sizes=(65536,), ranks=(2, 8), launches=3, nodes=1)
    folder = make(tmp_path / "a", made)
    file = folder / runs.ENVIRONMENT
    environment = json.loads(file.read_text())
    for launch in environment["launches"]:
        launch["sync"] = "round" if launch["ranks"] == 2 else "flags"
    file.write_text(json.dumps(environment))
    (measurement,) = measurements([runs.load(folder)])
    assert {cell.key.ranks: cell.timed for cell in measurement.cells} == {
        2: "from the first rank's beginning to the last one's end", 8: "of the slowest rank alone",
    }  # fmt: skip
    study = Study(measurement)
    for cell in measurement.cells:
        for name, time in cell.times.items():
            spread = study.distributions[cell.key].variants[name]
            if cell.key.ranks == 8:
                assert spread.least <= time.us <= spread.most
                assert spread.percentiles["50"] == pytest.approx(time.us, rel=0.05)
    text = text_of(tmp_path, folder)
    assert "Every cell and variant: time of the slowest rank alone" in text
    assert "Every cell and variant: time from the first rank" in text


def test_a_null_test_says_so(tmp_path):
    text = text_of(tmp_path, write(tmp_path / "b", [result(), result("again")]))
    assert ": null test" in text and "native beside itself: 0 of 1 cell seem to differ" in text


@pytest.mark.parametrize("results", [[], [result()], [result(repetitions=0, median_us=0.0)], [result("tutti", size=0)]])
def test_missing_data_makes_a_report_all_the_same(tmp_path, results):
    assert "</html>" in text_of(tmp_path, write(tmp_path / "a", results))


def test_a_page_stays_small_however_many_cells_there_are(tmp_path, monkeypatch):
    folder = make(tmp_path / "a", ranks=(2, 4), repetitions=10)
    whole = len(text_of(tmp_path, folder))
    monkeypatch.setattr(page, "MOST", whole - 20_000 + 100_000)
    text = text_of(tmp_path, folder)
    assert len(text) < whole and 0 < len(re.findall(r'<i id="piece', text)) < 12


def test_figures_of_a_distribution_follow_from_its_samples(tmp_path):
    folder = make(tmp_path / "a", collectives=("bcast",), sizes=(8,), ranks=(3,), launches=2, nodes=3)
    study = Study(measurements([runs.load(folder)])[0])
    (distribution,) = study.distributions.values()
    spread = distribution.variants["native"]
    columns = samples.read(folder, [], variant="native")
    own = columns["end_us"] - columns["begin_us"]
    calls = list(zip(columns["launch"], columns["repetition"], strict=True))
    slowest = {call: max(t for t, c in zip(own, calls, strict=True) if c == call) for call in set(calls)}
    times = np.array(list(slowest.values()))
    assert spread.count == len(times) == 80
    assert (spread.least, spread.most) == pytest.approx((times.min(), times.max()))
    assert (spread.mean, spread.deviation) == pytest.approx((times.mean(), times.std()))
    assert spread.above_least[0] == pytest.approx((times > 2 * times.min()).mean())
    assert spread.above_mean[0] == pytest.approx((times > times.mean() + times.std()).mean())
    assert spread.histogram.sum() == pytest.approx(1)
    assert [part.mean for part in spread.ranks] == pytest.approx([own[columns["rank"] == r].mean() for r in range(3)])
    assert len(spread.nodes) == 3 and spread.worst.call == pytest.approx(times.max())
    assert abs(np.searchsorted(np.sort(times), spread.usual.call * 1.0000001) - 40) <= 1


def test_repetitions_that_a_rank_did_not_finish_or_that_were_late_do_not_count(tmp_path):
    made = Made(collectives=("bcast",), sizes=(8,), ranks=(2,), launches=1, repetitions=20, variants=("native",))
    folder = make(tmp_path / "a", made)
    import pyarrow.parquet as pq

    file = folder / samples.SAMPLES
    table = pq.read_table(file)
    late = table["late_us"].to_numpy().copy()
    late[3] = 5.0
    table = table.set_column(table.column_names.index("late_us"), "late_us", [late]).slice(0, 39)
    pq.write_table(table, file)
    (distribution,) = Study(measurements([runs.load(folder)])[0]).distributions.values()
    assert (distribution.variants["native"].count, distribution.variants["native"].late) == (18, 1)


def test_samples_too_many_for_the_memory_are_read_in_parts(tmp_path, monkeypatch):
    run = runs.load(make(tmp_path / "a", ranks=(2, 3), launches=2, repetitions=8))

    def found():
        return {(c.launch, c.ranks, c.collective, c.size, c.variant): c.end.sum() for c in sample_cells.cells(run)}

    whole = found()
    monkeypatch.setattr(sample_cells, "AT_ONCE", 100)
    assert len(list(sample_cells.tables(run))) == 2
    assert found() == whole and len(whole) == 2 * 2 * 2 * 3 * 2


def test_raw_samples_of_an_interrupted_run_are_read_too(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "has_parquet", lambda: False)
    folder = make(tmp_path / "a", ranks=(2,), launches=1, repetitions=10)
    assert (folder / samples.RAW).is_dir()
    assert len(Study(measurements([runs.load(folder)])[0]).distributions) == 6


def test_a_measured_run_says_on_which_node_each_rank_was(tmp_path, monkeypatch):
    monkeypatch.setenv("TUTTI_PRETEND_NODES", "block:1")
    plan = Plan(["allreduce"], [8], [2], launches=1, seconds=0.02, null=True)
    done = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert [launch["nodes"] for launch in done.environment["launches"]] == [[0, 1]]
    (distribution,) = Study(measurements([runs.load(tmp_path / "run")])[0]).distributions.values()
    assert {len(spread.nodes) for spread in distribution.variants.values()} == {2}
    assert "native beside itself" in text_of(tmp_path, tmp_path / "run")


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
                     "arrivals"}  # fmt: skip
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
