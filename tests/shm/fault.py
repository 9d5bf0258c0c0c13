"""What a planted mistake in src/shm is."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import planting


@dataclass(frozen=True)
class Fault(planting.Fault):
    """A mistake in src/shm."""

    programs: str = "2:aa"  # those that show it
