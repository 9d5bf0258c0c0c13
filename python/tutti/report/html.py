"""The few forms that a report's HTML is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from tutti.report.figures import svg
from tutti.report.study import Draw


@dataclass(frozen=True)
class Value:
    """One element of a table: `text` is read, `raw` is what a CSV file gets, full figures and no unit."""

    text: str
    raw: object = None
    looks: str = ""


def times(value: float | None, text: str) -> Value:
    return Value(text if value is not None else "–", "" if value is None else f"{value:.9g}", "number")


def cell(value: Value | str, tag: str = "td") -> str:
    value = value if isinstance(value, Value) else Value(value)
    raw = f' data-v="{escape(str(value.raw))}"' if value.raw is not None and str(value.raw) != value.text else ""
    looks = f' class="{value.looks}"' if value.looks else ""
    return f"<{tag}{looks}{raw}>{escape(value.text)}</{tag}>"


def table(
    name: str, title: str, head: Sequence[Value | str], rows: Iterable[Sequence[Value | str]], note: str = ""
) -> str:
    """A table with its title and a button that saves it as NAME.csv."""
    top = "".join(cell(each, "th") for each in head)
    body = "".join(f"<tr>{''.join(cell(each) for each in row)}</tr>" for row in rows)
    said = f'<p class="soft">{escape(note)}</p>' if note else ""
    return (
        f'<figure class="data"><figcaption><span>{escape(title)}</span>'
        f'<button type="button" class="csv" data-name="{escape(name)}.csv">CSV</button></figcaption>{said}'
        f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
        "</figure>"
    )


def figure(name: str, draw: Draw, title: str = "", note: str = "", looks: str = "") -> str:
    """A drawing with its title, and a button that saves it as NAME.svg."""
    return (
        f'<figure class="panel {looks}"><figcaption><span>{escape(title)}</span>'
        f'<button type="button" class="svg" data-name="{escape(name)}" '
        f'title="save as {escape(name)}.svg">SVG</button></figcaption>'
        f"{svg.inline(draw(), name)}{f'<p class=soft>{escape(note)}</p>' if note else ''}</figure>"
    )


def section(name: str, title: str, body: str, note: str = "") -> str:
    """A part of the page that the list of contents can point to; nothing without a body."""
    said = f'<p class="soft">{escape(note)}</p>' if note else ""
    return f'<section id="{name}"><h2>{escape(title)}</h2>{said}{body}</section>' if body else ""
