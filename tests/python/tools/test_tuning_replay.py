"""tools/tuning_replay.py: a tuning on recorded measurements."""

import math
import random
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import tuning_replay
from tutti.tuning import campaign, candidates
from tutti.tuning.evidence import Cell, Sample
from tutti.tuning.layout import Layout

LAYOUT, CELL = Layout(8), Cell("bcast", 4096)


def recorded(best: str) -> list[Sample]:
    """Every candidate twice; one is twice as fast as native, the others are half as fast."""
    draw = random.Random(3)
    found = []
    for spec in candidates.candidates(CELL.collective, LAYOUT, CELL.size):
        for launch in ("a", "b"):
            time_us = (50 if spec == best else 200) * math.exp(draw.gauss(0, 0.02))
            found.append(Sample(LAYOUT, CELL, spec, spec + launch, 100.0, time_us, 0.3))
    return found


def test_minutes_are_those_of_the_record_and_the_best_is_found(monkeypatch):
    clock = tuning_replay.Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(campaign, "measure", None)
    found = tuning_replay.replayed(recorded("k_nomial(k=4)"), clock, 120.0, 2.0, seed=1)
    assert found == {CELL: ("k_nomial(k=4)", pytest.approx(1.0))}
    assert 0 < clock.now < 130


def test_without_anything_better_native_stays(monkeypatch):
    clock = tuning_replay.Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(campaign, "measure", None)
    assert tuning_replay.replayed(recorded(""), clock, 60.0, 2.0, seed=2) == {CELL: ("native", pytest.approx(1.0))}
