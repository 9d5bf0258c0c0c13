"""The answer that a report opens with: who is fastest where, by how much, and how sure that is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from tutti.report.figures import palette
from tutti.report.figures.axes import ratio_text
from tutti.report.measured import SCARCE, VAGUE, Cell, Measurement, states_of
from tutti.results import caches
from tutti.results.comparison import Key
from tutti.results.statistics import FASTER, SLOWER, Estimate

OPEN = 6  # answers that are read at once
WORDS = ("faster", "same", "slower", "wrong")


def between(ratio: Estimate) -> str:
    """Bounds that two decimals would make one get a third; such as no measurement means are unknown."""
    if hopeless(ratio):
        return "unknown: its launches disagree"
    low, high = ratio.interval.low, ratio.interval.high
    if ratio_text(low) == ratio_text(high) and high < 10:
        return f"{low:.3f}× to {high:.3f}×"
    return f"{ratio_text(low)} to {ratio_text(high)}"


def plural(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def layout_title(measurement: Measurement, ranks: int) -> str:
    """8 ranks on 2 CPUs, where that is said."""
    cpus = measurement.crowded(ranks)
    return plural(ranks, "rank") + (f" on {plural(cpus, 'CPU')}" if cpus else "")


def compared(measurement: Measurement, variant: str, ranks: int) -> list[Cell]:
    return [cell for cell in measurement.of(ranks) if variant in cell.ratios]


def telling(cells: Sequence[Cell]) -> list[Cell]:
    """Those of enough repetitions; all of them where none has."""
    return [cell for cell in cells if not cell.scarce] or list(cells)


def verdicts(cells: Sequence[Cell], variant: str) -> list[dict[str, str]]:
    """Of each case the verdict in each state of caches."""
    found: dict[Key, dict[str, str]] = defaultdict(dict)
    for cell in cells:
        found[replace(cell.key, cache="")][cell.key.cache] = cell.verdict(variant)
    return list(found.values())


def counted(cells: Sequence[Cell], variant: str) -> Counter[str]:
    """Cases by their one verdict: slower where they are in any state."""
    return Counter(caches.together(of).partition(" ")[0] for of in verdicts(cells, variant))


def in_which(cells: Sequence[Cell], variant: str, word: str) -> str:
    """In which states of caches cases are faster, or slower: ` (cold in 1, warm in 3)`; nothing where each is so in
    all of its states."""
    found = [of for of in verdicts(cells, variant) if caches.together(of).partition(" ")[0] == word]
    if not any(" " in caches.together(of) for of in found):
        return ""
    count = Counter(state for of in found for state, said in of.items() if said == word)
    return f" ({', '.join(f'{state} in {count[state]}' for state in caches.ordered(count))})"


def headline(measurement: Measurement, variant: str, ranks: int) -> str:
    """One sentence: in how many cases of a layout a variant is faster, as fast, slower."""
    cells, where = compared(measurement, variant, ranks), layout_title(measurement, ranks)
    if not cells:
        return f"{where}: {variant} and {measurement.base} were not measured in the same cell."
    count = counted(cells, variant)
    said = plural(count.total(), "cell")
    if measurement.null:
        apart = count["faster"] + count["slower"]
        return f"{where}: {measurement.base} beside itself: {apart} of {said} seem to differ."
    faster, slower = (in_which(cells, variant, word) for word in ("faster", "slower"))
    parts = [f"{where}: {variant} is faster than {measurement.base} in {count['faster'] or 'none'} of {said}{faster}"]
    if count["same"]:
        parts.append(f"as fast in {count['same']}")
    parts.append(f"slower in {count['slower'] or 'none'}{slower}")
    if count["wrong"]:
        parts.append(f"and wrong in {count['wrong']}")
    return ", ".join(parts) + "."


def extremes(measurement: Measurement, variant: str, ranks: int) -> list[tuple[str, Cell]]:
    """Where it gains most, and where least, of what is known well enough to be told."""
    cells = [c for c in compared(measurement, variant, ranks) if not (c.wrong or c.scarce or vague(c.ratios[variant]))]
    cells.sort(key=lambda c: c.ratios[variant].value)
    if len(cells) < 2 or measurement.null:
        return []
    faster, slower = ([c for c in cells if c.verdict(variant) == word] for word in ("faster", "slower"))
    return [("most", (faster or cells)[-1]), ("least", (slower or cells)[0])]


def hopeless(ratio: Estimate) -> bool:
    return ratio.interval.high > 100 * VAGUE * ratio.interval.low


def vague(ratio: Estimate) -> bool:
    return ratio.interval.high > VAGUE * ratio.interval.low


def bar(measurement: Measurement, variant: str, ranks: int) -> str:
    """The verdicts as one bar, in proportion."""
    count = counted(compared(measurement, variant, ranks), variant)
    parts = [
        f'<span class="{word}" style="flex:{count[word]}"><b>{count[word]}</b> {word}</span>'
        for word in WORDS
        if count[word]
    ]
    said = escape(headline(measurement, variant, ranks))
    return f'<div class="share" role="img" aria-label="{said}">{"".join(parts)}</div>'


def mean(measurement: Measurement, variant: str, ranks: int) -> str:
    """The large figures of a layout, one for each state of caches."""
    every = compared(measurement, variant, ranks)
    states = states_of(every)
    parts = [[cell for cell in every if cell.key.cache in ("", state)] for state in states]
    buffers = [f" with {state} buffers" if len(states) > 1 else "" for state in states]
    return "".join(mean_of(measurement, variant, *both) for both in zip(parts, buffers, strict=True))


def mean_of(measurement: Measurement, variant: str, every: Sequence[Cell], buffers: str) -> str:
    """A large figure, what it is, and how sure."""
    found = measurement.mean_ratio(variant, telling(every))
    if not found:
        return ""
    value, count = found
    if hopeless(value):
        what = escape(f"{measurement.base}/{variant}{buffers}")
        return f'<p class="big">?</p><p>the launches disagree too much to tell the mean of {what}</p>'
    sure = f", {between(value)} with 95 % confidence ({value.launches} launches)"
    sure = sure if value.launches > 1 else "; of a single launch, which says nothing about the next"
    part = f" over {count} of {plural(len(every), 'cell')}" if count < len(every) else ""
    scarce = sum(cell.scarce for cell in every)
    few = f"; {plural(scarce, 'cell')} of fewer than {SCARCE} repetitions left out" if 0 < scarce < len(every) else ""
    return (
        f'<p class="big">{ratio_text(value.value)}</p>'
        f"<p>geometric mean of {escape(f'{measurement.base}/{variant}{buffers}')}{part}{sure}{few}</p>"
    )


def card(measurement: Measurement, variant: str, ranks: int) -> str:
    """What there is to say about one variant beside the base, in one layout."""
    ends = "".join(
        f"<li><b>{ratio_text(cell.ratios[variant].value)}</b> {word}: {escape(cell.name)} "
        f'<span class="soft">({between(cell.ratios[variant])})</span></li>'
        for word, cell in extremes(measurement, variant, ranks)
    )
    crowd = '<p class="soft">More ranks than CPUs: much of a time is waiting for a turn.</p>'
    return (
        f'<div class="answer"><div>{mean(measurement, variant, ranks)}</div><div><p class="headline">'
        f"{escape(headline(measurement, variant, ranks))}</p>{bar(measurement, variant, ranks)}<ul>{ends}</ul>"
        f"{crowd if measurement.crowded(ranks) else ''}</div></div>"
    )


def cards(measurement: Measurement) -> str:
    """A layout's variants together; the first layouts open."""
    found = [
        card(measurement, name, ranks)
        for ranks in measurement.layouts
        for name in measurement.contenders
        if compared(measurement, name, ranks)
    ]
    more = "".join(found[OPEN:])
    rest = f"<details><summary>{plural(len(found) - OPEN, 'more layout')}</summary>{more}</details>" if more else ""
    return "".join(found[:OPEN]) + rest


def winners(cell: Cell) -> tuple[str, ...]:
    """Empty where all are the same."""
    if cell.wrong:
        return ("wrong",)
    return cell.fastest if len(cell.fastest) < len(cell.times) else ()


def gain(measurement: Measurement, cell: Cell) -> float | None:
    """How much faster the fastest is than the base; where the base itself is, than the next one."""
    times = sorted((time.us, name) for name, time in cell.times.items())
    if len(times) < 2 or measurement.base not in cell.times:
        return None
    best = times[0][1]
    against = times[1][0] if best == measurement.base else cell.times[measurement.base].us
    return against / times[0][0]


def ranges(measurement: Measurement, cells: Sequence[Cell]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """One collective's sizes in a row with the same winners: (winners, sizes, by how much the base is behind)."""
    both = [cell for cell in cells if len(cell.times) > 1]
    for names, group in groupby(both, key=winners):
        listed = list(group)
        first, last = listed[0].size_text, listed[-1].size_text
        sizes = first if first == last else f"{first} – {last}"
        gains = [value for cell in listed if (value := gain(measurement, cell))]
        if names in ((), ("wrong",)) or not gains or (len(names) > 1 and measurement.base in names):
            yield names, sizes, ""
            continue
        low, high = ratio_text(min(gains)), ratio_text(max(gains))
        yield names, sizes, low if low == high else f"{low} to {high}"


def named(measurement: Measurement, name: str) -> str:
    """A variant in its colour."""
    if name not in measurement.variants:
        return '<b class="bad">wrong results</b>'
    return f'<b class="n{palette.variant(measurement.variants.index(name))}">{escape(name)}</b>'


def where_cell(measurement: Measurement, cells: Sequence[Cell]) -> str:
    """The words in one cell of the table `who is fastest where`."""
    lines = []
    for names, sizes, by in ranges(measurement, cells):
        label = " or ".join(named(measurement, name) for name in names) or '<span class="soft">no difference</span>'
        lines.append(f'<li><span class="sizes">{escape(sizes)}</span> {label} {escape(by)}</li>')
    return f'<ul class="where">{"".join(lines)}</ul>' if lines else '<span class="soft">–</span>'


def where(measurement: Measurement) -> str:
    """Who is fastest where: a row a collective, arrival and state of caches, a column a number of ranks."""
    counts = measurement.layouts
    rows = sorted({(c.key.arrival, c.key.order, c.key.collective, c.key.cache, c.state) for c in measurement.cells})
    if not rows or len(measurement.variants) < 2:
        return ""
    head = "".join(f"<th scope=col>{escape(layout_title(measurement, ranks))}</th>" for ranks in counts)
    body = "".join(
        f'<tr><th scope=row>{escape(name)} <span class="soft">{escape(", ".join(filter(None, (arrival, said))))}</span>'
        "</th>"
        + "".join(
            f"<td>{where_cell(measurement, measurement.of(ranks, arrival, name, cache))}</td>" for ranks in counts
        )
        + "</tr>"
        for arrival, _, name, cache, said in rows
    )
    return (
        '<figure class="data"><figcaption><span>Who is fastest where</span></figcaption>'
        '<div class="scroll" tabindex="0">'
        f'<table class="wide"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div></figure>'
    )


def rule(measurement: Measurement) -> str:
    either = " A cell that is slower in one state of its buffers is slower." if len(measurement.states) > 1 else ""
    return (
        f"Faster: the whole 95 % interval of the ratio over the launches lies above {FASTER}; slower: below {SLOWER}; "
        f"else the same.{either}"
    )
