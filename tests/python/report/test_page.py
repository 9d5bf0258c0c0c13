"""The report as one page, complete in itself: its parts, its answer, and what it says where data are missing."""

import json
import re

import pytest
from helpers.folders import result, write
from helpers.made_runs import Made, make
from helpers.pages import Balance, full_run, text_of
from tutti.report import page
from tutti.report.measured import measurements
from tutti.report.study import Study, studies
from tutti.results import runs


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
