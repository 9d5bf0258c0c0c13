"""tutti show: a schedule as a space-time picture, or as text with the same facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from tutti import core, options
from tutti.errors import UserError
from tutti.output import Column
from tutti.study.blocks import Naming
from tutti.study.picture import Picture

SEGMENTS = 4  # where nothing is asked: enough to see a pipeline
MOST = 128  # ranks: a picture of more shows nothing
ROOTED = ("bcast", "gather", "gatherv", "scatter", "scatterv", "reduce")
COLUMNS = [
    Column("round", "round", right=True),
    Column("sender", "from", right=True),
    Column("receiver", "to", right=True),
    Column("blocks", "blocks"),
    Column("sent", "sent from"),
    Column("received", "received into"),
    Column("works", "then", text="; ".join),
]


def settings_of(algorithm, given: tuple[str, ...], segments: int | None) -> tuple[dict[str, str], int]:
    """Values of the parameters as a spec has them, and the size of a call in which a segment size means `segments`."""
    known = {parameter.name: parameter for parameter in algorithm.parameters}
    values = {}
    for text in given:
        name, equals, value = text.partition("=")
        if name not in known or not equals:
            valid = ", ".join(known) or "none"
            raise UserError(f"-p {text}: {algorithm.name} takes {valid}, written as -p NAME=VALUE")
        values[name] = value
    cut = [parameter for parameter in known.values() if parameter.kind == "segment"]
    counted = next((name for name in known if name in ("segments", "blocks")), None)
    if segments and not cut and not counted:
        raise UserError(f"{algorithm.collective} {algorithm.name} has no segments")
    if segments and not cut and counted:
        values[counted] = str(segments)
    if not cut:
        return values, -1
    size = core.load().parse_size(values.get(cut[0].name, str(cut[0].standard))) or cut[0].standard
    return values, (segments or SEGMENTS) * size


def spec_of(algorithm, values: dict[str, str]) -> str:
    inside = ", ".join(f"{name}={value}" for name, value in values.items())
    return f"{algorithm.name}({inside})" if inside else algorithm.name


def find(collective: str, text: str):
    """The algorithm of that name, or the one that a spec such as groups(3, chain) names; and the spec, if it is one."""
    if "(" not in text:
        core.check_algorithm(text, collective)
        if text == "groups":
            raise UserError("groups are composed of algorithms: write for example 'groups(3, binomial)'")
        return next(a for a in core.load().catalogue() if (a.collective, a.name) == (collective, text)), None
    try:
        spec, algorithm = core.load().parse_spec(text, collective), core.load().algorithm(collective, text)
    except ValueError as error:
        raise UserError(str(error)) from error
    if algorithm is None:
        raise UserError(f"'{spec}' has no schedule of its own; name one algorithm, or groups")
    return algorithm, spec


def settings_of_spec(algorithm, spec: str, given: tuple[str, ...], segments: int | None) -> tuple[dict[str, str], int]:
    """As settings_of, for a whole spec: the first segment size in it, or the standard one, means `segments`."""
    if given:
        raise UserError(f"-p {given[0]}: write it into the spec, {spec}")
    cut = [parameter for parameter in algorithm.parameters if parameter.kind == "segment"]
    if segments and not cut:
        raise UserError(f"{algorithm.collective} {spec} has no segments")
    if not cut:
        return {}, -1
    written = re.search(r"segment=(\w+)", spec)
    size = core.load().parse_size(written[1]) if written else cut[0].standard
    return {}, (segments or SEGMENTS) * size


def draw(
    algorithm,
    ranks: int,
    root: int = 0,
    given: tuple[str, ...] = (),
    segments: int | None = None,
    spec: str | None = None,
) -> Picture:
    """The picture of an algorithm's schedules, as `spec` has it if given.  Raises UserError where it does not run."""
    if obstacle := algorithm.obstacle(ranks):
        raise UserError(f"{algorithm.collective} {algorithm.name} does not run here: {obstacle}")
    if ranks > MOST:
        raise UserError(f"-n {ranks}: a picture has at most {MOST} ranks")
    if root and algorithm.collective not in ROOTED:
        raise UserError(f"--root {root}: {algorithm.collective} has no root")
    if not 0 <= root < ranks:
        raise UserError(f"--root {root}: ranks go from 0 to {ranks - 1}")
    if spec:
        values, size = settings_of_spec(algorithm, spec, given, segments)
        integers = []
    else:
        values, size = settings_of(algorithm, given, segments)
        spec = spec_of(algorithm, values)
        integers = [parameter for parameter in algorithm.parameters if parameter.kind == "integer"]
    try:
        timeline = core.load().schedule_timeline(algorithm.collective, spec, ranks, root, size)
    except ValueError as error:
        raise UserError(str(error)) from error
    naming = Naming.of(algorithm.collective, timeline.messages)
    facts = ["1 rank" if ranks == 1 else f"{ranks} ranks"]
    facts += [f"{p.name} {values.get(p.name, p.standard)}" for p in integers]
    facts += [f"{segments or SEGMENTS} segments"] if size > 0 else []
    facts += [f"{timeline.end} rounds", f"{len(timeline.messages)} messages"]
    return Picture(
        title=f"{algorithm.collective} {spec}",
        subtitle=", ".join(facts),
        ranks=ranks,
        timeline=timeline,
        naming=naming,
        root=root if algorithm.collective in ROOTED else None,
    )


def rows(picture: Picture) -> list[dict[str, Any]]:
    """A message a row, with what its receiver then combines or copies; works that follow no message have their own."""
    works: dict[tuple[int, int], list[str]] = {}
    for work in picture.timeline.works:
        works.setdefault((work.at, work.rank), []).append(work.text)
    found = []
    for message in picture.timeline.messages:
        found.append(
            {
                "round": message.begin + 1,
                "sender": message.sender,
                "receiver": message.receiver,
                "blocks": picture.words(message),
                "sent": message.sent,
                "received": message.received,
                "works": works.pop((message.begin + 1, message.receiver), []),
            }
        )
    for (time, rank), texts in works.items():
        nothing = {"sender": None, "blocks": "", "sent": "", "received": ""}
        found.append({"round": time, "receiver": rank, "works": texts} | nothing)
    return sorted(found, key=lambda row: row["round"])


@click.command(
    "show",
    epilog=options.example(
        "tutti show allgather ring -n 5",
        "tutti show bcast pipelined_chain -n 6 --segments 4 -o x.svg",
        "tutti show gather binomial -n 8 --root 3 --text",
        "tutti show bcast 'groups(3, chain)' -n 9",
    ),
)
@click.argument("collective")
@click.argument("algorithm")
@options.ranks(default=8)
@click.option("--root", metavar="R", type=click.IntRange(min=0), default=0, show_default=True, help="Root.")
@click.option(
    "--segments", metavar="N", type=options.POSITIVE, help=f"Segments of a pipelined algorithm.  [default: {SEGMENTS}]"
)
@click.option("-p", "given", metavar="NAME=VALUE", multiple=True, help="A parameter of the algorithm.")
@click.option("-o", "file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the picture, as SVG.")
@click.option("--text", is_flag=True, help="Print the same facts as text, also where a picture is written.")
@options.output
def command(collective, algorithm, ranks, root, segments, given, file, text, out):
    """Draw the schedules of one ALGORITHM of a COLLECTIVE: who sends which blocks to whom, and when.

    ALGORITHM is a name of the catalogue, or a spec in quotes: 'k_nomial(k=3)', 'groups(3, chain)'.

    Time goes right, a round (the time of a message) a band; each rank has a line.  Every step comes as early as those
    it waits for allow.  Messages that are received in any order are marked, and drawn in one of the orders.
    """
    found, spec = find(core.check_collective(collective), algorithm)
    picture = draw(found, ranks, root, given, segments, spec)
    if file:
        Path(file).write_text(picture.svg())
        out.note(f"wrote {file}")
    if text or out.json or not file:
        out.rows(rows(picture), COLUMNS, f"{picture.title}: {picture.subtitle}")
