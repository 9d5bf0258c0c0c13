"""tutti report: one HTML file of one or more runs, complete in itself; or one figure of it as SVG or PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from tutti import options
from tutti.bench import imbalance
from tutti.errors import UserError, did_you_mean
from tutti.output import Output
from tutti.report.figures import pdf, svg
from tutti.report.imbalance import imbalance_section
from tutti.report.measured import measurements
from tutti.report.page import page
from tutti.report.study import Draw, studies
from tutti.results import caches, comparison, runs

SHOWN = 12  # names that an error lists
NOT_COLD = re.compile(rf"-({'|'.join(caches.STATES[1:])})(-\d+)?$")  # of a figure's name


def found_in(folder: Path) -> list[Path]:
    """The runs of a folder: itself, or what lies in it (tutti tune leaves such folders)."""
    if (folder / runs.RESULTS).is_file() or (folder / imbalance.FILE).is_file() or not folder.is_dir():
        return [folder]
    names = (runs.RESULTS, imbalance.FILE)
    return sorted({file.parent for name in names for file in folder.glob(f"*/{name}")}) or [folder]


def is_imbalance(folder: Path) -> bool:
    return (folder / imbalance.FILE).is_file() and not (folder / runs.RESULTS).is_file()


def all_of(folders: Sequence[Path], out: Output | None) -> tuple[list[runs.Run], list[Path]]:
    """(runs, measurements of imbalance) of the folders.  Among several, one without a run is told and left out; files
    that lie beside runs are not meant."""
    folders = [folder for folder in folders if len(folders) == 1 or not folder.is_file()]
    places = list(dict.fromkeys(place for folder in folders for place in found_in(folder)))
    balanced = [place for place in places if is_imbalance(place)]
    loaded: list[runs.Run] = []
    for place in places:
        if place in balanced:
            continue
        try:
            loaded.append(runs.load(place))
        except UserError as error:
            if len(places) == 1 or out is None:
                raise
            out.warn(f"left out: {error.format_message()}")
    if not loaded and not balanced:
        raise UserError("none of these folders holds a run (tutti bench writes runs)")
    return loaded, balanced


def save(file: Path, data: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None


def write(folders: Sequence[Path], file: Path, out: Output | None = None) -> None:
    """Raises UserError where no folder holds a run or the file cannot be written."""
    loaded, balanced = all_of(folders, out)
    save(file, page(studies(measurements(loaded)), extra=imbalance_section(balanced)).encode())


def figure_named(name: str, figures: dict[str, Draw]) -> tuple[str, Draw]:
    """The figure of that name, or the only one that begins so; cold buffers go without saying."""
    if name in figures:
        return name, figures[name]
    begun = [each for each in figures if each.startswith(f"{name}-")]
    begun = [each for each in begun if not NOT_COLD.search(each)] or begun
    if len(begun) == 1:
        return begun[0], figures[begun[0]]
    if begun:
        more = f", and {len(begun) - SHOWN} more" if len(begun) > SHOWN else ""
        raise UserError(f"--figure {name} could be {', '.join(begun[:SHOWN])}{more}")
    raise UserError(f"there is no figure {name!r}{did_you_mean(name, list(figures)) or ' (--figure list names them)'}")


def write_figure(name: str, folders: Sequence[Path], file: Path | None, out: Output) -> Path | None:
    """One figure, as what the file's name ends in; with `list` all their names are printed."""
    loaded, _ = all_of(folders, out)
    figures = {key: draw for study in studies(measurements(loaded)) for key, draw in study.figures.items()}
    if name == "list":
        for key, draw in figures.items():
            if out.json:
                out.object({"figure": key, "title": draw().title})
            else:
                out.line(key)
        return None
    found, draw = figure_named(name, figures)
    file = file or Path(f"{found}.svg")
    if file.suffix not in (".svg", ".pdf"):
        raise UserError(f"-o {file}: a figure's file ends in .svg or .pdf")
    save(file, svg.file(draw()).encode() if file.suffix == ".svg" else pdf.file(draw()))
    return file


@click.command(
    "report",
    epilog=options.example(
        "tutti report runs/* -o report.html",
        "tutti report runs/2026-05-01T12-00-00-mpich --json",
        "tutti report runs/* --figure list",
        "tutti report runs/* --figure heatmap-8 -o gain.pdf",
        "tutti report runs/* --figure histogram-bcast-64K-8 -o bcast.svg",
    ),
)
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write [default: report.html, or NAME.svg].",
)
@click.option("--figure", metavar="NAME", help="Write one figure instead, as .svg or .pdf; `list` names them all.")
@options.output
def command(folders, file, figure, out):
    """Write one HTML file about RUNs (folders that `tutti bench` left).

    It opens with the answer: who is fastest where, by how much, how sure.  Then the gain by collective and size, each
    cell's distribution at a click, time against size and ranks, tails, arrival patterns, every figure, environment and
    method.  The file is complete in itself: it can be mailed.  Runs of one MPI on one machine with other cells
    (other numbers of ranks, say) are read as one.  With --json the cells are printed and no file is written.
    """
    if out.json and not figure:
        for run in all_of(folders, out)[0]:
            for cell in comparison.cells(run.results):
                out.object({"run": str(run.folder), **cell.row()})
        return
    if figure:
        file = write_figure(figure, folders, file, out)
    else:
        file = file or Path("report.html")
        write(folders, file, out)
    if file:
        out.line(f"wrote {file}")
