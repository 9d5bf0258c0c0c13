"""The whole document: no file or address outside of it is needed to show it, and it stays small enough to be mailed."""

from __future__ import annotations

import string
from collections.abc import Sequence
from html import escape

from tutti.errors import UserError
from tutti.paths import package_file
from tutti.report import details, sections
from tutti.report.figures import palette
from tutti.report.study import Study

MOST = 5_500_000  # bytes of a page: what mail lets through with ease
CONTENTS = (
    ("answer", "Answer"), ("gain", "Gain"), ("distribution", "Distribution"), ("size", "Size"), ("ranks", "Ranks"),
    ("tails", "Tails"), ("timeouts", "Time-outs"), ("arrivals", "Arrivals"), ("all", "All figures"),
    ("environment", "Environment"), ("method", "Method"),
)  # fmt: skip
EXTRA = (("pictures", "Pictures"), ("changeovers", "Changeovers"), ("versions", "Releases"))  # of `tutti reproduce`


def asset(name: str) -> str:
    file = package_file(f"report/{name}")
    if file is None:
        raise UserError(f"report/{name} is not in this installation: install tutti again")
    return file.read_text(encoding="utf-8")


def colours() -> str:
    """Dark only on screens: paper is light."""
    light, dark = palette.variables(False), palette.variables(True)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}"
    )


def contents(body: str, marks: Sequence[str], titles: Sequence[str]) -> str:
    """Links to the parts that are there; of several measurements, to each one's beginning."""
    if len(marks) > 1:
        links = [*EXTRA, *((f"answer{mark}", title) for mark, title in zip(marks, titles, strict=True))]
    else:
        links = [(f"{name}{marks[0]}", title) for name, title in CONTENTS] if marks else []
        links = [*EXTRA, *links]
    return "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title in links if f'id="{name}"' in body)


def pieces(study: Study, mark: str, room: int) -> tuple[list[str], int]:
    """What clicks show, as much as there is room for, and how many bytes that takes; where most is gained first."""

    def gain(cell) -> float:
        return max((ratio.value for ratio in cell.ratios.values()), default=0.0)

    found, taken = [], 0
    for cell in sorted(study.measurement.cells, key=gain, reverse=True):
        text = f'<i id="piece{mark}-{escape(cell.slug)}">{details.packed(details.fragment(study, cell))}</i>'
        if taken + len(text) <= room:
            found.append(text)
            taken += len(text)
    return found, taken


def page(listed: Sequence[Study], before: str = "", extra: str = "") -> str:
    """`before` and `extra`: further parts, at the beginning and at the end."""
    marks = [f"-{number}" for number in range(1, len(listed) + 1)]
    bodies = (sections.body(study, mark) for study, mark in zip(listed, marks, strict=True))
    body = "\n".join(filter(None, (before, *bodies, extra)))
    titles = [study.measurement.title for study in listed]
    room, found = MOST - len(body.encode()) - 100_000, []
    for place, (study, mark) in enumerate(zip(listed, marks, strict=True)):
        some, taken = pieces(study, mark, room // (len(listed) - place))
        found += some
        room -= taken
    return string.Template(asset("page.html")).substitute(
        title=escape(f"tutti on {' and '.join(dict.fromkeys(titles))}"),
        colours=colours(),
        style=asset("style.css"),
        looks=palette.rules(),
        contents=contents(body, marks, titles),
        body=body,
        pieces="\n".join(found),
        script=asset("script.js"),
    )
