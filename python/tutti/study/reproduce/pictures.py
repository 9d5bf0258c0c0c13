"""Each picture of a study, drawn of a measurement; and the part of a report that shows them, network beside network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tutti.report import waits
from tutti.report.figures import curves
from tutti.report.html import figure, section
from tutti.report.measured import Cell
from tutti.report.study import Draw, Study
from tutti.study.reproduce import hamid
from tutti.study.reproduce.hamid import Picture

KINDS = {hamid.DISTRIBUTION: "histogram-", hamid.BY_RANK: "ranks-"}  # how Study names such figures of a cell


@dataclass(frozen=True)
class Place:
    """What was measured in one place."""

    title: str
    study: Study


def largest(cells: Sequence[Cell]) -> Cell:
    """The one of the most ranks: variation shows there best."""
    return max(cells, key=lambda cell: cell.key.ranks)


def drawn(picture: Picture, study: Study) -> tuple[str, Draw, str] | None:
    """(name, how to draw it, ranks) of the picture, or None where it was not measured."""
    cells = study.measurement.of(arrival="", collective=picture.collective)
    if picture.shows in KINDS:
        cells = [cell for cell in cells if cell.key.size == picture.size]
    if not cells:
        return None
    at = f"{largest(cells).key.ranks} ranks"
    if picture.shows == hamid.SIZE:
        return (
            f"size-{picture.collective}{study.suffix}",
            lambda: curves.size_by_ranks(study.measurement, cells),
            study.measurement.base,
        )
    if picture.shows == hamid.RANKS:
        name = f"ranks-{picture.collective}{study.suffix}"
        return (name, lambda: curves.against_ranks(study.measurement, cells), "") if len(cells) > 1 else None
    kind = KINDS[picture.shows]
    figures = study.of_cell(largest(cells))
    return next(((name, draw, at) for name, draw in figures.items() if name.startswith(kind)), None)


def panel(picture: Picture, places: Sequence[Place]) -> str:
    """One picture, place beside place; nothing where nobody measured it."""
    panels = []
    for place in places:
        if found := drawn(picture, place.study):
            name, draw, at = found
            panels.append(figure(f"picture-{name}", draw, ", ".join(filter(None, (place.title, at)))))
    if not panels:
        return ""
    word = "Figures" if any(sign in picture.figures for sign in (",", "to ")) else "Figure"
    grid = "two" if picture.shows in KINDS else "panels"  # wide drawings, and narrow ones
    return (
        f'<h3>{escape(picture.title)}</h3><p class="soft">{word} {escape(picture.figures)}</p>'
        f'<div class="{grid}">{"".join(panels)}</div>'
    )


def waited(places: Sequence[Place]) -> str:
    """How many calls waited for a time-out, place after place."""
    found = [[place.title, *row] for place in places for row in waits.rows(place.study.measurement)]
    if not found:
        return '<p class="soft">No call waited for a retransmission time-out.</p>'
    return waits.waits_table("timeouts", hamid.TIMEOUTS, found, "where")


def part(places: Sequence[Place], missing: Sequence[str]) -> str:
    """The part of the page that comes before the measurements' own; without a place, what is missing alone."""
    said = "".join(f'<p class="note">Not measured: {escape(why)}.</p>' for why in missing)
    if not places:
        return said
    shown = "".join(panel(picture, places) for picture in hamid.PICTURES)
    tails = f'{waited(places)}<p class="soft">{escape(hamid.TAILS)}</p>'
    return section("pictures", hamid.TITLE, said + shown + tails, "The same quantities, measured here.")
