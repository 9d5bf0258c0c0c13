"""Made-up launches of a tuning, and what is decided by them."""

import math

from tutti.tuning import deciding, evidence, writing
from tutti.tuning.evidence import Cell, Sample
from tutti.tuning.layout import Layout

FOUR = Layout(16, 4, 4)
ABOUT = {"date": "2026-01-02", "command": "tutti tune", "environment": {"id": "abc", "cpu": "X", "mpi": "Y 1"}}


def sample(size, spec, gain, launch="a", collective="bcast", layout=FOUR, **more):
    """A launch in which native takes 100 us."""
    return Sample(layout, Cell(collective, size), spec, launch, 100.0, 100.0 / gain, 0.1, **more)


def several(size, spec, gain, spread=0.01, launches=4, **more):
    shifts = [spread * (i - (launches - 1) / 2) for i in range(launches)]
    return [sample(size, spec, gain * math.exp(shift), f"l{i}", **more) for i, shift in enumerate(shifts)]


def specs(samples, collective="bcast"):
    return [chosen.spec for chosen in deciding.row_of(collective, evidence.gains(samples))]


def in_states(size, spec, cold, warm, **more):
    return [*several(size, spec, cold, **more), *several(size, spec, warm, cache="warm", **more)]


def text_of(samples, layout=FOUR):
    known = evidence.gains(samples)
    row = deciding.row_of("bcast", known)
    return writing.profile([(layout, deciding.rules(known, row), deciding.changeovers(known, row))], ABOUT)


TRIED = [
    *several(1024, "flat", 2.0), *several(1024, "chain", 1.5), *several(16384, "flat", 1.5),
    *several(16384, "chain", 2.0),
]  # fmt: skip
