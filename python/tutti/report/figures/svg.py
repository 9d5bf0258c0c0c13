"""Drawings as SVG: inside a page, whose style sheet colours them, or as a file of their own."""

from __future__ import annotations

from html import escape

from tutti.report.figures import palette
from tutti.report.figures.drawing import Box, Button, Dot, Drawing, Mark, Path, Text


def number(value: float) -> str:
    """A tenth of a pixel is enough."""
    return "0" if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")


def outline(path: Path) -> str:
    pairs = [f"{number(x)} {number(y)}" for x, y in path.points]
    return f"M{'L'.join(pairs)}{'Z' if path.closed else ''}"


def element(tag: str, attributes: str, tip: str) -> str:
    return f"<{tag} {attributes}><title>{escape(tip)}</title></{tag}>" if tip else f"<{tag} {attributes}/>"


def mark(item: Mark) -> str:
    match item:
        case Path():
            return element("path", f'class="l {item.look}" d="{outline(item)}"', item.tip)
        case Box():
            place = f'x="{number(item.x)}" y="{number(item.y)}" width="{number(item.width)}"'
            corner = f' rx="{number(item.round)}"' if item.round else ""
            return element("rect", f'class="{item.look}" {place} height="{number(item.height)}"{corner}', item.tip)
        case Dot():
            place = f'cx="{number(item.x)}" cy="{number(item.y)}" r="{number(item.radius)}"'
            return element("circle", f'class="{item.look}" {place}', item.tip)
        case Text():
            place = f'x="{number(item.x)}" y="{number(item.y)}"'
            anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
            turn = f' transform="rotate(-90 {number(item.x)} {number(item.y)})"' if item.upright else ""
            return f'<text class="{item.look}" {place}{anchor}{turn}>{escape(item.text)}</text>'
        case Button():
            inside = "".join(mark(each) for each in item.marks)
            return (
                f'<g class="cell" tabindex="-1" role="button" data-cell="{escape(item.key)}" data-row="{item.row}" '
                f'data-column="{item.column}" aria-label="{escape(item.label)}">{inside}</g>'
            )


def inline(drawing: Drawing, name: str = "") -> str:
    """An element of a page.  `name`: what `--figure` calls it."""
    wide, high = number(drawing.width), number(drawing.height)
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    named = f' data-figure="{escape(name)}"' if name else ""
    has_buttons = any(isinstance(each, Button) for each in drawing.marks)
    role = "group" if has_buttons else "img"
    body = "".join(mark(each) for each in drawing.marks)
    return f'<svg class="fig" {size} role="{role}" aria-label="{escape(drawing.title)}"{named}>{body}</svg>'


def file(drawing: Drawing) -> str:
    """A file that needs nothing else, in the colours of paper."""
    wide, high = number(drawing.width), number(drawing.height)
    style = palette.rules(lambda name: palette.COLOURS[name][0])
    body = "\n".join(mark(each) for each in drawing.marks)
    return (
        f'<svg class="fig" xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} '
        f'{high}" role="img">\n<title>{escape(drawing.title)}</title>\n<style>{style}</style>\n'
        f'<rect class="back" width="{wide}" height="{high}"/>\n{body}\n</svg>\n'
    )
