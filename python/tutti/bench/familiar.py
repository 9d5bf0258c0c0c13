"""Options by the names that IMB and OSU give them, with their meaning there."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import click
from click.core import ParameterSource

from tutti.errors import UserError
from tutti.options import POSITIVE, Parsed, parse_size

LARGEST, LARGEST_LOG = 1 << 20, 22  # where nothing says otherwise: OSU's for collectives, and IMB's


def doubling(low: int, high: int) -> list[int]:
    """`low`, twice that and so on up to `high`; 0 before 1."""
    sizes = [0] if low == 0 else []
    low = max(low, 1)
    while low <= high:
        sizes.append(low)
        low *= 2
    return sizes


def message_sizes(text: str) -> list[int]:
    """OSU's -m: MAX, MIN:MAX, MIN: or :MAX.  Raises ValueError."""
    low, colon, high = text.partition(":")
    if not colon:
        low, high = "", low
    first = parse_size(low) if low.strip() else 1
    last = parse_size(high) if high.strip() else LARGEST
    if first > last:
        raise ValueError(f"{text!r}: the smallest size comes first, MIN:MAX")
    return doubling(first, last)


def log_sizes(text: str) -> list[int]:
    """IMB's -msglog: MAX or MIN:MAX, powers of two, after 0.  Raises ValueError."""
    low, colon, high = text.partition(":")
    if not colon:
        low, high = "0", low
    if not (low.isdigit() and high.isdigit() and int(low) <= int(high) <= 40):
        raise ValueError(f"{text!r} is no range of powers of two: write MIN:MAX, such as 3:10 for 8 to 1024 bytes")
    return [0, *doubling(1 << int(low), 1 << int(high))]


def rank_counts(least: int, most: int) -> list[int]:
    """IMB's: `least`, twice that and so on, and `most` itself."""
    counts = {most}
    while least < most:
        counts.add(least)
        least *= 2
    return sorted(counts)


def chosen_sizes(sizes: Sequence[int], given: Sequence[tuple[str, Sequence[int] | None]]) -> Sequence[int]:
    """What one of several options says; `sizes` where none does."""
    said = [(name, value) for name, value in given if value is not None]
    context = click.get_current_context(silent=True)
    if context and context.get_parameter_source("sizes") is ParameterSource.COMMANDLINE:
        said.append(("-s", sizes))
    if len(said) > 1:
        raise UserError(f"{' and '.join(name for name, _ in said)} both name sizes: leave all but one out")
    return said[0][1] if said else sizes


def options(command):
    """-m, -msglog, -npmin and -c, which change the command's `sizes`, `ranks` and `no_check`."""

    @click.option("-m", "osu_sizes", metavar="[MIN:]MAX", type=Parsed("SIZES", message_sizes),
                  help="Sizes as OSU has them: from MIN (1) to MAX, doubling.")  # fmt: skip
    @click.option("-msglog", "imb_sizes", metavar="[MIN:]MAX", type=Parsed("POWERS", log_sizes),
                  help="Sizes as IMB has them: 0, then 2^MIN to 2^MAX.")  # fmt: skip
    @click.option("-npmin", "least_ranks", metavar="N", type=POSITIVE,
                  help="As in IMB: N ranks, twice that and so on up to -n.")  # fmt: skip
    @click.option("-c", "check", is_flag=True, help="Check results, as in OSU (they are checked anyway).")
    @functools.wraps(command)
    def with_familiar(*args, ranks, sizes, no_check, osu_sizes, imb_sizes, least_ranks, check, **kwargs):
        if check and no_check:
            raise UserError("-c checks results, --no-check does not: leave one out")
        sizes = chosen_sizes(sizes, (("-m", osu_sizes), ("-msglog", imb_sizes)))
        if least_ranks and least_ranks > max(ranks):
            raise UserError(f"-npmin {least_ranks} is more than -n {max(ranks)}")
        ranks = rank_counts(least_ranks, max(ranks)) if least_ranks else ranks
        return command(*args, ranks=ranks, sizes=sizes, no_check=no_check, **kwargs)

    return with_familiar
