"""Arrival and exit of each rank: whose repetition is drawn, and what of it."""

import pytest
from helpers.made_runs import make
from tutti.report.figures import svg
from tutti.report.figures.drawing import Box, Path
from tutti.report.figures.stays import stay_of, stays, stays_of
from tutti.report.measured import measurements
from tutti.report.page import page
from tutti.report.study import studies
from tutti.results import runs


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = make(tmp_path_factory.mktemp("late") / "run", arrivals=("", "last_late 2x", "random 10ms"),
                  collectives=("reduce",), sizes=(8,), launches=3)  # fmt: skip
    return studies(measurements([runs.load(folder)]))[0]


@pytest.fixture(scope="module")
def cell(study):
    return next(cell for cell in study.measurement.cells if cell.key.arrival == "last_late 2x")


def boxes(drawing, look):
    return [mark for mark in drawing.marks if isinstance(mark, Box) and mark.look == look and mark.tip]


def test_the_launch_in_the_middle_is_drawn(cell):
    time = cell.times["native"]
    middle = sorted(row["avoidable_us"] for row in time.launches.values())[1]
    assert stay_of(time).avoidable == middle
    assert list(stays_of(cell)) == ["native", "tutti"]


def test_each_rank_is_a_bar_of_two_parts_beside_the_last_arrival(study, cell):
    drawing = stays(cell, study.colours)
    for name in ("native", "tutti"):
        bars = boxes(drawing, f"bar{study.colours[name]}")
        assert len(bars) == 4 and all("of it avoidable" in bar.tip for bar in bars)
    left = boxes(drawing, "avoidable")
    assert len(left) == 8
    first, rest = boxes(drawing, f"bar{study.colours['native']}")[0], left[0]
    assert rest.x == pytest.approx(first.x + first.width, abs=0.2) and rest.width > first.width
    lines = [mark for mark in drawing.marks if isinstance(mark, Path) and mark.tip.startswith("last arrival")]
    assert len(lines) == 2
    latest = boxes(drawing, f"bar{study.colours['native']}")[-1]
    assert lines[0].points[0][0] == pytest.approx(latest.x, abs=0.2)  # rank 3 comes last
    assert "all ranks together" in svg.inline(drawing)


def test_ranks_that_come_together_have_no_such_figure(study):
    together = next(cell for cell in study.measurement.cells if not cell.key.arrival)
    assert not any(name.startswith("stays") for name in study.of_cell(together))


def test_the_page_shows_the_stays_and_what_is_removed(study):
    text = page([study])
    section = text[text.index('id="arrivals-1"') :]
    section = section[: section.index("</section>")]
    assert section.count('data-figure="stays-') == 2  # a pattern each
    assert "reduce 8, 4 ranks, last_late 2x" in section and "removed %" in section
    assert 'data-figure="arrivals-' in section


def test_what_the_clocks_cannot_tell_is_said(tmp_path):
    folder = make(tmp_path / "run", arrivals=("last_late 2x",), collectives=("bcast",), sizes=(8,), launches=1)
    run = runs.load(folder)
    for row in run.results:
        row["avoidable_error_us"] = 0.5
        row["avoidable_us"] = 400.0 if row["variant"] == "native" else 0.1
    text = page(studies(measurements([run])))
    assert "&lt; 0.500 µs" in text and "&gt; 99.9" in text
