"""tutti report: one HTML file of one or more runs, complete in itself."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from tutti import comparison, options, runs
from tutti.bench_timing import clock_text
from tutti.comparison import Cell
from tutti.errors import UserError
from tutti.options import format_size
from tutti.paths import package_file
from tutti.report_plot import panel, ratio_text, time_text
from tutti.runs import Run

STRONGEST = 0.42  # opacity of a ratio of 4 or more, or a quarter or less


def shade(cell: Cell) -> str:
    """Background of a ratio: green above 1, red below, deeper the further; none where both count as the same."""
    if not cell.ratio or cell.verdict not in ("faster", "slower"):
        return ""
    depth = min(1.0, abs(math.log(cell.ratio.value)) / math.log(4)) * (STRONGEST - 0.08) + 0.08
    return f' style="background: rgba(var(--{"good" if cell.verdict == "faster" else "bad"}-rgb), {depth:.2f})"'


def tip(cell: Cell, contender: str) -> str:
    if not cell.ratio:
        return ""
    low, high = (ratio_text(bound) for bound in (cell.ratio.interval.low, cell.ratio.interval.high))
    return (
        f"{cell.key.collective} {format_size(cell.key.size)}: native {time_text(cell.base_us)}, "
        f"{contender} {time_text(cell.contender_us)}, 95 % interval {low} to {high}, "
        f"{cell.ratio.launches} launches"
    )


def ratio_cell(cell: Cell | None, contender: str, width: int = 1) -> str:
    """One element of the table of ratios, `width` columns wide."""
    text = ratio_text(cell.ratio.value) if cell and cell.ratio else "–"
    looks = f'class="{cell.verdict or "same"}"{shade(cell)}' if cell else 'class="same"'
    title = f' title="{escape(tip(cell, contender))}"' if cell and cell.ratio else ""
    return f"<td {looks}{title}{f' colspan={width}' if width > 1 else ''}>{text}</td>"


def table_of(looks: str, head: str, body: str) -> str:
    return f'<div class="scroll"><table class="{looks}"><thead>{head}</thead><tbody>{body}</tbody></table></div>'


def glance(cells: Sequence[Cell], contender: str) -> str:
    """Ratios of all collectives by size: a row a collective."""
    sizes = sorted({cell.key.size for cell in cells if cell.key.collective != "barrier"})
    place = {(cell.key.collective, cell.key.size): cell for cell in cells}
    rows = [f"<tr><td></td>{''.join(f'<th>{format_size(size)}</th>' for size in sizes)}</tr>"] if sizes else []
    body = []
    for name in dict.fromkeys(cell.key.collective for cell in cells):
        columns = [ratio_cell(place.get((name, size)), contender) for size in sizes]
        if name == "barrier":  # it has no size
            columns = [ratio_cell(place[name, 0], contender, max(1, len(sizes)))]
        body.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(columns)}</tr>')
    return table_of("glance", "".join(rows), "".join(body))


def full_table(cells: Sequence[Cell], contender: str) -> str:
    """Every figure, with its interval and what served the call."""
    titles = (
        ("collective", ""),
        ("size", "number"),
        ("native", "number"),
        (contender, "number"),
        (f"native/{contender}", "number"),
        ("95 % interval", "number"),
        ("verdict", ""),
        ("served by", ""),
    )
    head = "".join(f'<th class="{looks}">{title}</th>' for title, looks in titles)
    body, before = [], None
    for cell in cells:
        key, ratio = cell.key, cell.ratio
        values = (
            ("", escape(key.collective)),
            ("number", "" if key.collective == "barrier" else format_size(key.size)),
            ("number", time_text(cell.base_us) if cell.base_us else "–"),
            ("number", time_text(cell.contender_us) if cell.contender_us else "–"),
            ("number", ratio_text(ratio.value) if ratio else "–"),
            ("number soft", f"{ratio_text(ratio.interval.low)} – {ratio_text(ratio.interval.high)}" if ratio else ""),
            ("", f'<span class="verdict {cell.verdict}">{cell.verdict}</span>'),
            ("", f"<code>{escape(cell.choice)}</code>" if cell.choice else ""),
        )
        first = ' class="first"' if before not in (None, key.collective) else ""
        body.append(f"<tr{first}>" + "".join(f'<td class="{looks}">{text}</td>' for looks, text in values) + "</tr>")
        before = key.collective
    return table_of("full", f"<tr>{head}</tr>", "".join(body))


def tiles(cells: Sequence[Cell], contender: str) -> str:
    """The few figures that sum a number of ranks up."""
    found = []
    means = comparison.mean_ratios(cells)
    if means:
        found.append((ratio_text(means[""]), f"geometric mean of native/{contender}"))
    for word in ("faster", "same", "slower", "wrong"):
        if count := sum(cell.verdict == word for cell in cells):
            found.append((str(count), f"of {len(cells)} cases {word}"))
    return (
        '<div class="tiles">'
        + "".join(f'<div class="tile"><b>{b}</b><span>{t}</span></div>' for b, t in found)
        + "</div>"
    )


def ranks_section(ranks: int, arrival: str, cells: Sequence[Cell], contender: str, cpus: int | None) -> str:
    crowded = f' <span class="soft">on {cpus} CPUs</span>' if cpus and ranks > cpus else ""
    apart = f': {escape(arrival)} <span class="soft">from the last arrival to the last exit</span>' if arrival else ""
    panels = [
        f'<div class="panel"><h3>{escape(name)}</h3>{panel(list(group), contender)}</div>'
        for name, group in groupby(cells, key=lambda cell: cell.key.collective)
    ]
    return f"""<section>
<h2>{ranks} {"rank" if ranks == 1 else "ranks"}{crowded}{apart}</h2>
{tiles(cells, contender)}
<h3>native/{contender} at a glance</h3>
<p class="soft">Above 1: {contender} is faster. Coloured where the whole 95 % interval over the launches
is beyond 1.03 or 0.97.</p>
{glance(cells, contender)}
<div class="panels">{"".join(panels)}</div>
<details open><summary>All figures</summary>{full_table(cells, contender)}</details>
</section>"""


def facts(environment: Mapping[str, Any], run: Run) -> list[tuple[str, str]]:
    """What is known of the circumstances; what is missing is left out."""
    machine = environment.get("machine") or {}
    library = environment.get("mpi") or {}
    settings = environment.get("settings") or {}
    launches = environment.get("launches") or []
    started = launches[0] if launches else {}
    hardware = [
        machine.get("cpu"),
        f"{machine['cpus']} CPUs" if machine.get("cpus") else None,
        f"{machine['memory_gib']} GiB" if machine.get("memory_gib") else None,
        f"Linux {machine['kernel']}" if machine.get("kernel") else None,
    ]
    found = [
        ("Machine", ", ".join(item for item in hardware if item)),
        ("MPI", ", ".join(str(library[key]) for key in ("title", "origin", "library") if library.get(key))),
        ("tutti", started.get("tutti_version") or environment.get("tutti")),
        ("Command", environment.get("command")),
        ("Date", environment.get("date")),
        ("Variables", " ".join(f"{k}={v}" for k, v in (environment.get("variables") or {}).items())),
        ("Launches", settings.get("launches")),
        ("Clock", clock_text(started.get("clock", []))),
        ("Clock's cost", f"{started['clock_ns']} ns a reading" if started.get("clock_ns") else None),
        ("Common start", started.get("sync")),
        ("Load before", f"{machine['load_before']:.2f}" if machine.get("load_before") is not None else None),
        ("Method", environment.get("method")),
        ("Data", str(run.folder)),
    ]
    return [(name, str(value)) for name, value in found if value]


def run_section(run: Run) -> str:
    environment = run.environment
    cells = comparison.cells(run.results)
    contender = comparison.contenders(run.results)[1]
    machine = environment.get("machine") or {}
    title = (environment.get("mpi") or {}).get("title") or run.folder.name
    kind = "native against itself" if contender == "again" else "native and tutti"
    listed = facts(environment, run)
    short = [value for name, value in listed if name in ("Machine", "Date")]
    parts = [
        f'<section class="run"><h1>{escape(title)}: {kind}</h1>',
        f'<p class="soft">{escape(" · ".join(short))}</p>',
    ]
    parts += [f'<p class="soft"><code>{escape(value)}</code></p>' for name, value in listed if name == "Command"]
    if wrong := [cell for cell in cells if cell.wrong]:
        parts.append(f'<p class="note">Wrong results in {len(wrong)} of {len(cells)} cases.</p>')
    if not cells:
        parts.append('<p class="empty">This run holds no results.</p>')
    for (ranks, arrival), group in groupby(cells, key=lambda cell: (cell.key.ranks, cell.key.arrival)):
        parts.append(ranks_section(ranks, arrival, list(group), contender, machine.get("cpus")))
    terms = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in listed)
    parts.append(f"<details><summary>How this was measured</summary><dl>{terms}</dl></details></section>")
    return "\n".join(parts)


def page(loaded: Sequence[Run]) -> str:
    """The whole document: no file or address outside of it is needed to show it."""
    template = package_file("report.html")
    if template is None:
        raise UserError("report.html is not in this installation: install tutti again")
    title = " and ".join(
        dict.fromkeys((run.environment.get("mpi") or {}).get("title") or run.folder.name for run in loaded)
    )
    body = "\n".join(run_section(run) for run in loaded)
    return string.Template(template.read_text()).substitute(title=escape(f"tutti on {title}"), body=body)


def write(folders: Sequence[Path], file: Path) -> None:
    """Raises UserError where a folder holds no run or the file cannot be written."""
    text = page([runs.load(folder) for folder in folders])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None


@click.command(
    "report",
    epilog=options.example("tutti report runs/* -o report.html", "tutti report runs/2026-05-01T12-00-00-mpich --json"),
)
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The file to write.",
)
@options.output
def command(folders, file, out):
    """Write one HTML file about RUNs (folders that `tutti bench` left): tables, and plots of time against size.

    The file is complete in itself: it can be mailed.  With --json the cells are printed and no file is written.
    """
    if out.json:
        for folder in folders:
            for cell in comparison.cells(runs.load(folder).results):
                out.object({"run": str(folder), **cell.row()})
        return
    write(folders, file)
    out.line(f"wrote {file}")
