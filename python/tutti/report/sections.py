"""The parts of the page about one measurement, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tutti.report import answer, details, facts, waits
from tutti.report.arrivals import arrivals
from tutti.report.distribution import SIGMAS, TIMES_LEAST
from tutti.report.figures.axes import ratio_text
from tutti.report.html import Value, figure, section, table
from tutti.report.measured import Cell, Measurement, Setting
from tutti.report.study import Study

OPEN = 300  # rows up to which a table of every cell is open at first


def setting_title(study: Study, setting: Setting) -> str:
    """8 ranks on 2 CPUs, last_late 2x, warm buffers."""
    layout = answer.layout_title(study.measurement, setting.ranks)
    return ", ".join(filter(None, (layout, setting.arrival, study.buffers(setting))))


def place(cell: Cell) -> str:
    """bcast, last_late 2x, warm."""
    return ", ".join(filter(None, (cell.key.collective, cell.key.arrival, cell.state)))


def opening(study: Study, mark: str) -> str:
    """The answer, and how sure it is."""
    measurement = study.measurement
    if not measurement.cells:
        return '<p class="empty">This run holds no results.</p>'
    cards = answer.cards(measurement)
    cards = cards or f'<p class="headline">Only {escape(measurement.base)} was measured.</p>'
    wrong = [cell for cell in measurement.cells if cell.wrong]
    note = f'<p class="note">Wrong results in {len(wrong)} of {len(measurement.cells)} cells.</p>' if wrong else ""
    return f'<section id="answer{mark}">{note}{cards}{sure(measurement)}{answer.where(measurement)}</section>'


def sure(measurement: Measurement) -> str:
    """One line: what the answer rests on."""
    counts = measurement.launches
    words = [f"{counts[0]} to {answer.plural(counts[-1], 'launch', 'launches')}"] if len(counts) > 1 else []
    words += [answer.plural(counts[0], "launch", "launches")] if len(counts) == 1 else []
    known = dict(facts.how(measurement))
    words += [str(known[name]) for name in ("Repetitions",) if known.get(name)]
    words += [f"clock {known['Clock']}"] if known.get("Clock") else []
    return f'<p class="soft">{escape(answer.rule(measurement))} {escape("; ".join(words))}.</p>'


def heat_maps(study: Study, mark: str) -> str:
    """Gains of all cells; each opens what is behind it."""
    measurement, parts = study.measurement, []
    for setting in measurement.settings:
        title = setting_title(study, setting)
        maps = study.heat_maps(setting).items()
        for variant, (name, draw) in zip(study.compared(setting), maps, strict=True):
            parts.append(figure(name, draw, f"{title}: {measurement.base}/{variant}"))
    if not parts:
        return ""
    note = "A click, or the arrow keys and Enter, shows a cell's distribution below."
    return section(f"gain{mark}", "Gain by collective and size", f'<div class="maps">{"".join(parts)}</div>', note)


def interesting(measurement: Measurement) -> Cell | None:
    """The cell that is open at first: where most is gained for sure, in the first layout that has one."""
    compared = [cell for cell in measurement.cells if cell.ratios] or measurement.cells
    for ranks in measurement.layouts:
        known = [cell for cell in compared if cell.key.ranks == ranks and not (cell.scarce or cell.wrong)]
        if known:
            return max(known, key=lambda c: max((r.interval.low for r in c.ratios.values()), default=0))
    return next(iter(compared), None)


def detail(study: Study, mark: str) -> str:
    cell = interesting(study.measurement)
    if cell is None:
        return ""
    choices = "".join(
        f'<option value="{escape(each.slug)}"{" selected" if each is cell else ""}>{escape(each.name)}</option>'
        for each in study.measurement.cells
    )
    chooser = f'<label class="chooser">Cell <select data-for="cell{mark}">{choices}</select></label>'
    body = f'<div class="detail" id="cell{mark}" aria-live="polite">{details.fragment(study, cell)}</div>'
    return section(f"distribution{mark}", "Distribution", chooser + body)


def against_size(study: Study, mark: str) -> str:
    parts = []
    for setting in study.measurement.settings:
        drawn = "".join(
            figure(name, draw, name.removeprefix("time-size-").split("-")[0])
            for name, draw in study.sizes(setting).items()
        )
        parts.append(f'<h3>{escape(setting_title(study, setting))}</h3><div class="panels">{drawn}</div>')
    note = "Bands: 95 % confidence over the launches. Below the sizes, the gain."
    return section(f"size{mark}", "Time against size", "".join(parts), note)


def against_ranks(study: Study, mark: str) -> str:
    parts = []
    for arrival, state in study.measurement.lines:
        drawn = [
            figure(name, draw, " ".join(name.removeprefix("time-ranks-").split("-")[:2]))
            for name, draw in study.ranks(arrival, state).items()
        ]
        if drawn:
            words = ", ".join(filter(None, (arrival, study.buffers(Setting(0, arrival, state)))))
            title = f"<h3>{escape(words)}</h3>" if words else ""
            parts.append(f'{title}<div class="panels">{"".join(drawn)}</div>')
    return section(f"ranks{mark}", "Time against ranks", "".join(parts), "Least, middle and largest size.")


def by_definition(cells: Sequence[Cell]) -> list[tuple[str, str, list[Cell]]]:
    """Cells whose times are defined alike: (definition, suffix of a table's name, cells)."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.timed, []).append(cell)
    return [(said, f"-{number}" if number > 1 else "", of) for number, (said, of) in enumerate(found.items(), 1)]


def tails(study: Study, mark: str) -> str:
    """Hamid's tables 5.1 to 5.4, of every cell."""
    head: list[Value | str] = ["collective", *(Value(each, looks="number") for each in ("size", "ranks"))]
    head += ["variant", Value("repetitions", looks="number")]
    head += [Value(f"> {n}× least", looks="number") for n in TIMES_LEAST]
    head += [Value(f"> mean + {'' if n == 1 else n} sd".replace("  ", " "), looks="number") for n in SIGMAS]
    listed, count = "", 0
    for said, part, cells in by_definition(study.measurement.cells):
        if rows := tail_rows(study, cells):
            title = f"Time {said}: share of repetitions above n times the least, above the mean by n sd"
            listed += table(f"tails{mark}{part}", title, head, rows)
            count += len(rows)
    if not listed:
        return ""
    body = folded("Every cell", listed, count <= OPEN)
    return section(f"tails{mark}", "Tails", body, "How often a call takes long.")


def tail_rows(study: Study, cells: Sequence[Cell]) -> list[list[Value | str]]:
    rows = []
    for cell in cells:
        distribution = study.distributions.get(cell.key)
        for name, spread in distribution.variants.items() if distribution else ():
            about = [place(cell), Value(cell.size_text, cell.key.size, "number"),
                     Value(str(cell.key.ranks), looks="number"), name,
                     Value(f"{spread.count:,}", spread.count, "number")]  # fmt: skip
            rows.append([*about, *map(details.share, spread.above_least), *map(details.share, spread.above_mean)])
    return rows


def timeouts(study: Study, mark: str) -> str:
    """On TCP: calls that a lost packet made long."""
    rows = waits.rows(study.measurement)
    if not rows:
        return ""
    listed = waits.waits_table(f"timeouts{mark}", "Calls that waited for a retransmission time-out", rows)
    note = "A lost packet makes a call 200 ms longer, or a multiple of that; the kernel's own count stands beside."
    return section(f"timeouts{mark}", "Time-outs of TCP", listed, note)


def everything(study: Study, mark: str) -> str:
    """Every figure, with its interval and what served the call."""
    measurement = study.measurement
    head: list[Value | str] = [
        "collective",
        *(Value(w, looks="number") for w in ("size", "ranks")),
        "arrival",
        "buffers",
        "variant",
    ]
    words = ("time", "from", "to", "repetitions", f"{measurement.base}/variant", "low", "high")
    head += [*(Value(each, looks="number") for each in words), "verdict", "served by"]
    for word, said in (("arrival", lambda cell: cell.key.arrival), ("buffers", lambda cell: cell.state)):
        if not any(said(cell) for cell in measurement.cells):
            head.remove(word)
    listed, count = "", 0
    for said, part, cells in by_definition([cell for cell in measurement.cells if cell.times]):
        rows = [row for cell in cells for row in cell_rows(measurement, cell, head)]
        listed += table(f"figures{mark}{part}", f"Every cell and variant: time {said}", head, rows)
        count += len(rows)
    return section(f"all{mark}", "All figures", folded("Every cell", listed, count <= OPEN)) if listed else ""


def cell_rows(measurement: Measurement, cell: Cell, head: Sequence[Value | str]) -> list[list[Value | str]]:
    rows = []
    for name, time in cell.times.items():
        ratio = cell.ratios.get(name)
        bounds = (ratio.value, ratio.interval.low, ratio.interval.high) if ratio else (None, None, None)
        rows.append(
            [
                cell.key.collective,
                Value(cell.size_text, cell.key.size, "number"),
                Value(str(cell.key.ranks), looks="number"),
                *([cell.key.arrival] if "arrival" in head else []),
                *([cell.state] if "buffers" in head else []),
                name,
                *(details.number(value) for value in (time.us, time.band.low, time.band.high)),
                Value(f"{time.sum('repetitions'):,}", time.sum("repetitions"), "number"),
                *(
                    Value(ratio_text(v) if v is not None else "", "" if v is None else f"{v:.6g}", "number")
                    for v in bounds
                ),
                Value(verdict_text(cell, name), looks=cell.verdict(name)),
                time.choice,
            ]
        )
    return rows


def verdict_text(cell: Cell, variant: str) -> str:
    """`slower (warm)`: with several states of caches also in which."""
    verdict = cell.verdict(variant)
    return f"{verdict} ({cell.state})" if verdict == "slower" and cell.state else verdict


def folded(title: str, body: str, is_open: bool) -> str:
    """Long tables are closed at first."""
    return f"<details{' open' if is_open else ''}><summary>{escape(title)}</summary>{body}</details>"


def circumstances(study: Study, mark: str) -> str:
    measurement = study.measurement
    how = facts.described(facts.how(measurement)) + facts.clocks(measurement)
    return section(f"environment{mark}", "Environment", facts.environment(measurement.runs)) + section(
        f"method{mark}", "How it was measured", how
    )


PARTS = (heat_maps, detail, against_size, against_ranks, tails, timeouts, arrivals, everything, circumstances)


def body(study: Study, mark: str) -> str:
    """Everything about one measurement; `mark` tells its parts from another's."""
    measurement = study.measurement
    run = measurement.runs[0]
    line = " · ".join(filter(None, (facts.machine_text(run), str(run.environment.get("date") or ""))))
    parts = "".join(part(study, mark) for part in PARTS) if measurement.cells else circumstances(study, mark)
    kind = ": null test" if measurement.null else ""
    return (
        f'<article class="run" data-mark="{mark}"><header><h1>{escape(measurement.title + kind)}</h1>'
        f'<p class="soft">{escape(line)}</p></header>{opening(study, mark)}{parts}</article>'
    )
