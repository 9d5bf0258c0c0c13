"""A figure as a list of marks, in pixels from the top left.  svg and pdf know marks, and nothing of measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True)
class Path:
    points: Sequence[Point]
    look: str
    closed: bool = False
    tip: str = ""


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    look: str
    tip: str = ""
    round: float = 0.0


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    radius: float
    look: str
    tip: str = ""


@dataclass(frozen=True)
class Text:
    x: float
    y: float
    text: str
    look: str
    anchor: str = "start"  # or middle, end
    upright: bool = False  # read from the bottom up


@dataclass(frozen=True)
class Button:
    """Marks that can be chosen with a click or a key; `label` is what a screen reader says."""

    key: str
    label: str
    marks: Sequence[Mark]
    column: int
    row: int


Mark = Path | Box | Dot | Text | Button


@dataclass
class Drawing:
    """One figure; `title` says what it shows, to those who cannot see it too."""

    width: float
    height: float
    title: str
    marks: list[Mark] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str, tip: str = "") -> None:
        self.marks.append(Path(((x1, y1), (x2, y2)), look, tip=tip))

    def path(self, points: Sequence[Point], look: str, closed: bool = False, tip: str = "") -> None:
        self.marks.append(Path(points, look, closed, tip))

    def box(self, x: float, y: float, width: float, height: float, look: str, tip: str = "", round: float = 0) -> None:
        self.marks.append(Box(x, y, width, height, look, tip, round))

    def dot(self, x: float, y: float, radius: float, look: str, tip: str = "") -> None:
        self.marks.append(Dot(x, y, radius, look, tip))

    def text(self, x: float, y: float, text: str, look: str, anchor: str = "start", upright: bool = False) -> None:
        self.marks.append(Text(x, y, text, look, anchor, upright))

    def legend(self, names: Sequence[tuple[str, str]], x: float, y: float, end: float) -> None:
        """A square and a name each, (name, look of the square), from x to the right; cut off at `end`."""
        for name, look in names:
            wide = 16 + text_width(name, 11.5)
            if x + wide > end + 20:
                return
            self.box(x, y - 9, 10, 10, look, round=2)
            self.text(x + 14, y, name, "label")
            x += wide + 12


def text_width(text: str, size: float) -> float:
    """About how wide a text comes out in a sans-serif font."""
    return sum(0.32 if c in " .,:;il|'" else 0.84 if c in "mwMW×" else 0.58 for c in text) * size
