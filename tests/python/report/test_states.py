"""The report of cold and of warm buffers: side by side, and one word for a case that is slower in either."""

import json
import re

from helpers.made_runs import make
from helpers.pages import Balance, invoke, text_of
from tutti.report.measured import measurements
from tutti.results import runs


def test_cold_and_warm_buffers_stand_side_by_side(tmp_path):
    folder = make(tmp_path / "a", collectives=("barrier", "bcast"), sizes=(8, 1024), states=("cold", "warm"),
                  slower="warm", repetitions=60)  # fmt: skip
    text = text_of(tmp_path, folder)
    assert "tutti is faster than native in 1 of 3 cells, slower in 2 (warm in 2)." in text
    assert len(re.findall(r'class="big"', text)) == 2
    assert "native/tutti with cold buffers" in text and "native/tutti with warm buffers" in text
    maps = re.findall(r'data-figure="(heatmap[^"]+)"', text)
    assert maps == ["heatmap-4", "heatmap-4-warm"] and "4 ranks, warm buffers: native/tutti" in text
    for name, said in (("ecdf-bcast-8", "bcast 8, 4 ranks, cold:"), ("ecdf-bcast-8-4-warm", "bcast 8, 4 ranks, warm:")):
        assert invoke(folder, "--figure", name, "-o", tmp_path / "one.svg").exception is None
        assert said in (tmp_path / "one.svg").read_text()
    assert '<option value="bcast-8-4-warm">bcast 8, 4 ranks, warm</option>' in text
    assert "slower (warm)" in text and "slower (cold)" not in text and "<th>buffers</th>" in text
    assert "cold: others each time" in text and "warm: the same ones again" in text
    parser = Balance()
    parser.feed(text)
    rows = [json.loads(line) for line in invoke(folder, "--json").output.splitlines()]
    assert [(row["size"], row["cache"], row["verdict"]) for row in rows] == [
        (0, "", "faster"), (8, "cold", "faster"), (8, "warm", "slower"), (1024, "cold", "faster"),
        (1024, "warm", "slower"),
    ]  # fmt: skip


def test_a_run_of_one_state_says_it_where_it_is_not_cold(tmp_path):
    warm = text_of(tmp_path, make(tmp_path / "a", states=("warm",)))
    assert "warm buffers" in warm and "with warm buffers" not in warm and "bcast 8, 4 ranks, warm" in warm
    cold = text_of(tmp_path, make(tmp_path / "b"))
    assert "cold buffers" not in cold and "<th>buffers</th>" not in cold


def test_a_cold_run_and_a_warm_one_are_read_as_one(tmp_path):
    folders = make(tmp_path / "a"), make(tmp_path / "b", states=("warm",))
    (measurement,) = measurements([runs.load(folder) for folder in folders])
    assert measurement.states == ["cold", "warm"]
