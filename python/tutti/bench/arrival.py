"""Arrival patterns: ranks that come to a collective one after the other, on purpose."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path

import click

from tutti.errors import UserError, did_you_mean

PATTERNS = (
    "none",
    "ascending",
    "descending",
    "random",
    "first_late",
    "last_late",
    "half_late",
    "one_node_late",
    "bell",
)
REPLAY = "replay:"
SKEW = re.compile(r"\d+(\.\d*)?(e[-+]?\d+)?(x|s|ms|us)?")


def arrivals(patterns: str, skews: str) -> list[str]:
    """Every pattern with every skew, as tutti-bench reads them; '' is no pattern.  Raises UserError."""
    found = []
    sizes = [size.strip() for size in skews.split(",")]
    for size in sizes:
        if not SKEW.fullmatch(size):
            raise UserError(f"{size!r} is not a skew: write a time such as 100us, or a multiple of the case's time, 2x")
    for word in (word.strip() for word in patterns.split(",")):
        if word == "none":
            found.append("")
        elif word.startswith(REPLAY):
            file = Path(word.removeprefix(REPLAY))
            if not file.is_file():
                raise UserError(f"there is no recording {file}")
            found.append(f"{REPLAY}{file.absolute()}")
        elif word in PATTERNS:
            found += [f"{word}:{size}" for size in sizes]
        else:
            hint = did_you_mean(word, PATTERNS) or f" (there are {', '.join(PATTERNS)}, replay:FILE)"
            raise UserError(f"there is no pattern of arrival {word!r}{hint}")
    return list(dict.fromkeys(found))


def with_arrivals(cases: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [f"{case}@{pattern}" if pattern else case for case in cases for pattern in patterns]


def options(command):
    """--arrival and --skew: the command gets them as `patterns`, a list."""

    @click.option(
        "--arrival",
        metavar="PATTERNS",
        default="none",
        show_default=True,
        help=f"Who comes late: {', '.join(PATTERNS)}, replay:FILE, or a list of them.",
    )
    @click.option(
        "--skew",
        metavar="SKEWS",
        default="1x",
        show_default=True,
        help="How late the last one comes: 100us, or 2x what the call takes when all come together; a list of them.",
    )
    @functools.wraps(command)
    def with_patterns(*args, arrival, skew, **kwargs):
        return command(*args, patterns=arrivals(arrival, skew), **kwargs)

    return with_patterns
