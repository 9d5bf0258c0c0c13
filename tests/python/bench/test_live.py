"""What a measurement shows while it goes on."""

import io

import pytest
from rich.console import Console
from tutti.bench import live
from tutti.bench.live import Display, duration
from tutti.output import Output


def result(variant, size, median, launch=1):
    return {"launch": launch, "ranks": 2, "collective": "bcast", "size": size, "variant": variant, "repetitions": 9,
            "median_us": median}  # fmt: skip


def output(terminal, quiet=False):
    out = Output(quiet=quiet)
    errors = Console(file=io.StringIO(), force_terminal=terminal, width=120, height=12)
    object.__setattr__(out, "errors", errors)
    return out


def test_a_terminal_sees_a_table_that_fills_in_and_the_progress():
    out = output(terminal=True)
    with Display(out, 4).live() as display:
        display.begin(0, "launch 1 of 1, 2 ranks: bcast 8")
        display.add([result("native", 8, 2.0), result("tutti", 8, 1.0)])
        display.begin(1, "launch 1 of 1, 2 ranks: bcast 64")
    shown = out.errors.file.getvalue()
    assert "native/other" in shown and "2.00" in shown and "bcast 8" in shown and "1/4" in shown


def test_the_cells_measured_last_are_shown_where_room_is_short():
    results = [result(variant, size, 1.0) for size in (1, 2, 4, 8) for variant in ("native", "tutti")]
    recent = list(dict.fromkeys(map(live.place_of, results)))
    assert live.table_of(results, recent, 2).row_count == 2
    assert live.table_of(results, recent, 100).row_count == 4
    assert live.table_of(results, recent, -3).row_count == 0


@pytest.mark.parametrize("quiet", [False, True])
def test_elsewhere_there_is_a_plain_line_now_and_then(monkeypatch, quiet):
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(live.time, "monotonic", lambda: next(clock))
    out = output(terminal=False, quiet=quiet)
    with Display(out, 40).live() as display:
        for done in range(10, 30):
            display.begin(done, "launch 1 of 1, 2 ranks: bcast 8")
            display.add([result("native", 8, 2.0), result("tutti", 8, 1.0)])
    lines = out.errors.file.getvalue().splitlines()
    assert all(line.startswith("tutti: ") and "of 40 cases, about" in line and "left: launch" in line for line in lines)
    assert 3 < len(lines) < 20 if not quiet else not lines


def test_durations_are_short():
    assert [duration(s) for s in (0.2, 45, 200, 9000)] == ["1 s", "45 s", "3 min", "2.5 h"]
