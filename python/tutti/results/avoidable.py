"""Avoidable waits: what ranks that come at different times wait in a collective beyond what its meaning asks for.

The sum over the ranks of exit minus earliest exit (src/models/earliest_exit.hpp), microseconds a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Avoidable:
    """What the base (native) and the contender (tutti) leave of it; `error_us`: what the clocks alone may make of none.

    None where a variant is missing.
    """

    base_us: float | None
    contender_us: float | None
    error_us: float = 0.0

    @property
    def removed(self) -> float | None:
        """The part of the base's that the contender has not; negative where it has more.  None where the clocks cannot
        tell the base's from nothing."""
        if self.base_us is None or self.contender_us is None or self.base_us <= self.error_us:
            return None
        return 1 - self.contender_us / self.base_us

    @property
    def at_least(self) -> bool:
        """Whether `removed` is more than is known: the clocks cannot tell the contender's from nothing."""
        return self.removed is not None and self.contender_us < self.error_us

    def row(self) -> dict[str, Any]:
        removed = self.removed
        return {
            "native_avoidable_us": self.base_us,
            "tutti_avoidable_us": self.contender_us,
            "avoidable_error_us": self.error_us,
            "removed_percent": removed and 100 * removed,
        }

    def texts(self, microseconds: Any) -> tuple[str, str, str]:
        """As a table shows both and what is removed: `< 0.3` where the clocks cannot tell a sum from nothing, and
        `> 99.2` where so little is left."""
        sums = (
            f"< {microseconds(self.error_us)}" if value is not None and value < self.error_us else microseconds(value)
            for value in (self.base_us, self.contender_us)
        )
        return (*sums, self.removed_text)

    @property
    def removed_text(self) -> str:
        if self.removed is None:
            return "-"
        if self.at_least:
            return f"> {percent(1 - self.error_us / self.base_us)}"
        return percent(self.removed)


def percent(part: float) -> str:
    """Nearly all of it is told to a tenth."""
    return f"{100 * part:.1f}" if part >= 0.95 else f"{100 * part:.0f}"


def together(several: Sequence[Avoidable]) -> Avoidable | None:
    """Means over patterns of arrival, of those that have both."""
    both = [each for each in several if each.base_us is not None and each.contender_us is not None]
    if not both:
        return None
    count = len(both)
    return Avoidable(
        sum(each.base_us for each in both) / count,
        sum(each.contender_us for each in both) / count,
        sum(each.error_us for each in both) / count,
    )
