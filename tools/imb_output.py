"""What IMB-MPI1 prints of collectives."""

from __future__ import annotations

import re
from collections.abc import Iterator


def averages(text: str) -> Iterator[tuple[str, int, float]]:
    """Collective, bytes and t_avg in us of each row: bytes, repetitions, t_min, t_max, t_avg; a barrier's has no
    bytes, and counts as 0."""
    name, columns = "", 0
    for line in text.splitlines():
        if found := re.match(r"# Benchmarking (\w+)", line):
            name = found[1].lower()
        words = line.split()
        if words[:1] in (["#bytes"], ["#repetitions"]):
            columns = len(words)
        elif name and len(words) >= columns > 0 and words[0].isdigit():
            yield (name, 0, float(words[3])) if name == "barrier" else (name, int(words[0]), float(words[4]))
