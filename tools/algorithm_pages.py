"""Writes docs/algorithms: a page a collective, with its pictures, from the catalogue and the schedules themselves.

python3 tools/algorithm_pages.py             write them anew (make docs)
python3 tools/algorithm_pages.py --check     change nothing; a line `ok` or `not ok` a page
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tutti import core
from tutti.options import format_size
from tutti.study import show
from tutti.study.catalogue import COUNTED, counts

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "algorithms"
DRAWN = (6, 8, 7, 9)  # ranks of a picture: the first that the algorithm runs on
GROUPED = 9  # ranks of a picture of groups
TABLES = (16, 100)  # ranks of the tables of costs
SIZE = 1 << 20
INDEX = """# The algorithms

<!-- Written by `make docs` from the catalogue; changes here are lost. -->

One page a collective. Each algorithm has its formula, what it needs of a call, its parameters, where it is described, a
picture of its schedules, and what these come to on the critical path, beside the least that any schedule needs.

{list}

**The formulas** are in Hockney's model: a message of n bytes takes α + nβ, combining n bytes takes nγ; p ranks, lg is
the logarithm to base 2, m is the vector's size, or the sum over all ranks where every rank has a block of its own; X or
n is the number of segments. Where p is no power of two, lg p is rounded up, and folding may cost two rounds more.

**The tables** count the schedules themselves, for {size} (per peer where a call's blocks are per peer). Each number is
the longest path by itself, ranks sending and receiving one message at a time; behind it stands how many times the least
it is. The least of each is a bound by itself: no algorithm need meet all three. `tutti list allreduce -n 64` prints the
same for other numbers of ranks.

**Groups**: algorithms compose to `groups(G, outer=X, inner=Y)`, in two levels, after Hasanov et al.:
[schedules.md](../schedules.md#groups). The pages say of what, and draw one.

**On one node** the node engine serves instead of schedules. Its ways are variants, which each page lists: what each
needs, what it costs, and by what count or measurement it is taken. `src/shm/variants/variants.cpp` is their table.

**The pictures**: time goes right, a round a band, and each rank has a line. A message is a curve that leaves the names
of its blocks; a circled plus marks where a rank combines, a box where it copies. A message takes a round, and every
step comes as early as those it waits for allow. Messages marked ? are received in any order, of which one is drawn.
`tutti show bcast binomial -n 12 -o x.svg` draws others.

## What each collective means

The contract of each (`src/core/contract.hpp`): who gives and gets what in the call; what MPI_IN_PLACE says; which
blocks a schedule finds in a rank's input and output, and whose output begins with the rank's own data; what the output
holds in the end; what of the call's size all ranks know, so that a choice may follow from it; and whether each result
needs every rank's data, so that none may leave before all have come.

{contract}
"""
VARIANT_COSTS = "In T, s is a synchronisation of two ranks, and β the time to copy a byte in memory."
CONTRACT = {
    "collective": "",
    "send": "gives",
    "receive": "gets",
    "in_place": "in place",
    "input": "input at first",
    "output": "output",
    "holds_own": "begins with own data",
    "result": "in the end",
    "common": "size known to all",
    "waits": "needs all",
}


def contract() -> str:
    """The table of what collectives mean."""
    lines = [f"| {' | '.join(CONTRACT.values())} |", "|---" * len(CONTRACT) + "|"]
    for row in core.load().contracts():
        cells = [("yes" if row[key] else "no") if key == "waits" else row[key] or "-" for key in CONTRACT]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def value(parameter, number: int) -> str:
    return format_size(number) if parameter.kind == "segment" else str(number)


def sentences(entry) -> Iterator[str]:
    """What the catalogue says of an algorithm."""
    yield f"T = {entry.cost}"
    yield f"Source: {entry.source}."
    if entry.mpich_1_2_4:
        yield "MPICH 1.2.4 did so; Thakur & Gropp compare with it."
    if entry.needs:
        yield f"Needs {', '.join(entry.needs)}."
    if entry.constraints["by_arrival"]:
        yield "Operands meet in the order in which they arrive: bits may differ from run to run."
    if not entry.constraints["one_ported"]:
        yield "A rank has several messages under way in a round."
    for parameter in entry.parameters:
        least, most, standard = (value(parameter, getattr(parameter, key)) for key in ("least", "most", "standard"))
        meaning = ", bytes of a segment" if parameter.kind == "segment" else ""
        yield f"Parameter `{parameter.name}`{meaning}: {least} to {most}, {standard} where a spec does not say."


def beside(count: int, bound: int) -> str:
    """12 (2×)"""
    return f"{count:,}" + (f" ({count / bound:.3g}×)" if bound else "")


def table(collective: str, entries: list, ranks: int) -> Iterator[str]:
    facts = {entry.name: counts(entry, ranks, SIZE) for entry in entries}
    least = next(iter(facts.values()))
    yield f"On {ranks} ranks, {format_size(SIZE)}:"
    yield ""
    yield "| algorithm | rounds | bytes moved | bytes reduced | messages |"
    yield "|---|---:|---:|---:|---:|"
    yield "| *least* | " + " | ".join(f"*{least[f'{key}_bound']:,}*" for key in COUNTED) + " | |"
    for name, found in facts.items():
        if found["obstacle"]:
            yield f"| {name} | does not run: {found['obstacle']} | | | |"
            continue
        cells = [beside(found[key], found[f"{key}_bound"]) for key in COUNTED]
        yield f"| {name} | {' | '.join(cells)} | {found['messages']:,} |"


@dataclass
class Pages:
    """Every file of the folder, by its path."""

    files: dict[Path, str] = field(default_factory=dict)
    drawn: dict[str, str] = field(default_factory=dict)  # a picture without its title -> its path

    def picture(self, entry) -> tuple[str, str]:
        """Where the picture lies, and what it shows.  Forms of one algorithm for two collectives share theirs."""
        ranks = next(ranks for ranks in DRAWN if not entry.obstacle(ranks))
        picture = show.draw(entry, ranks)
        svg = picture.svg()
        path = self.drawn.setdefault(svg.replace(picture.title, ""), f"{entry.collective}/{entry.name}.svg")
        self.files.setdefault(FOLDER / path, svg)
        return path, f"{picture.title}: {picture.subtitle}"

    def groups(self, collective: str) -> Iterator[str]:
        """The section on compositions, where the collective has some."""
        names = next((row for row in core.load().composed() if row["collective"] == collective), None)
        if names is None:
            return
        drawn = next((name for name in names["outer"] if name in names["inner"]), names["outer"][0])
        algorithm, spec = show.find(collective, f"groups(3, {drawn})")
        picture = show.draw(algorithm, GROUPED, spec=spec)
        path = f"{collective}/groups.svg"
        self.files[FOLDER / path] = picture.svg()
        yield from ("## groups", "", f"- T = {algorithm.cost}")
        yield f"- Source: {algorithm.source}."
        yield f"- `outer` is one of {', '.join(names['outer'])}."
        yield f"- `inner` is one of {', '.join(names['inner'])}."
        yield from ("", f"![{picture.title}: {picture.subtitle}]({path})", "")

    def variants(self, collective: str) -> Iterator[str]:
        """The section on the ways of the node engine."""
        yield from ("## On one node", "")
        yield "`node` carries the call out in one of these ways; `node(variant=NAME)` asks for one. The first that is"
        yield "possible and taken unasked serves. " + VARIANT_COSTS
        yield ""
        yield "| variant | needs | T | taken unasked | what it does, and why it is taken |"
        yield "|---|---|---|---|---|"
        for row in core.load().variants():
            if row["collective"] == collective:
                why = f"; {row['because']}" if row["because"] else ""
                cells = (row["variant"], row["needs"] or "-", row["cost"], row["when"], row["what"] + why)
                yield f"| {' | '.join(cells)} |"
        yield ""

    def page(self, collective: str, entries: list) -> None:
        lines = [
            f"# {collective}",
            "",
            "<!-- Written by `make docs` from the catalogue; changes here are lost. -->",
            "",
        ]
        lines += [f"How to read this: [the algorithms](README.md). `tutti list {collective}` prints the same.", ""]
        for ranks in TABLES:
            lines += [*table(collective, entries, ranks), ""]
        for entry in entries:
            path, shown = self.picture(entry)
            lines += [f"## {entry.name}", "", *(f"- {sentence}" for sentence in sentences(entry)), ""]
            lines += [f"![{shown}]({path})", ""]
        lines += [*self.groups(collective), *self.variants(collective)]
        self.files[FOLDER / f"{collective}.md"] = "\n".join(lines)

    @classmethod
    def of_catalogue(cls) -> Pages:
        pages, names = cls(), []
        for collective in core.load().collectives():
            entries = [entry for entry in core.load().catalogue() if entry.collective == collective]
            if entries:
                pages.page(collective, entries)
                names.append(f"- [{collective}]({collective}.md): {', '.join(entry.name for entry in entries)}")
        pages.files[FOLDER / "README.md"] = INDEX.format(
            list="\n".join(names), size=format_size(SIZE), contract=contract()
        )
        return pages


def strays(pages: Pages) -> list[Path]:
    """Files of the folder that no page is made of any more."""
    return sorted(path for path in FOLDER.rglob("*") if path.is_file() and path not in pages.files)


def check(pages: Pages) -> int:
    wrong = 0
    for path, text in sorted(pages.files.items()):
        fresh = path.is_file() and path.read_text() == text
        wrong += not fresh
        if path.suffix == ".md" or not fresh:
            name = path.relative_to(ROOT)
            print(f"ok {name} is up to date" if fresh else f"not ok {name}: it is out of date; make docs", flush=True)
    for path in strays(pages):
        wrong += 1
        print(f"not ok {path.relative_to(ROOT)}: no algorithm has it any more; make docs", flush=True)
    return 1 if wrong else 0


def write(pages: Pages) -> None:
    for path in strays(pages):
        path.unlink()
    for path, text in pages.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    print(f"wrote {len(pages.files)} files to {FOLDER.relative_to(ROOT)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="say what is out of date, and change nothing")
    pages = Pages.of_catalogue()
    if parser.parse_args().check:
        return check(pages)
    write(pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
