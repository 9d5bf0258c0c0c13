"""Errors that a user can do something about: one sentence, an exit status, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Collection

import click

USAGE = 2
NOT_FOUND = 127  # as a shell says it


class UserError(click.ClickException):
    """`message` says what is wrong and what to do about it."""

    def __init__(self, message: str, status: int = USAGE):
        super().__init__(message)
        self.exit_code = status

    def show(self, file=None) -> None:
        click.echo(f"tutti: {self.format_message()}", file=file or sys.stderr)


def edit_distance(a: str, b: str) -> int:
    """Levenshtein's, with a swap of neighbours counted once (most slips of the fingers are swaps)."""
    before, row = [], list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def nearest(word: str, words: Collection[str]) -> str | None:
    """The one word that begins so, else the word most like it; None where more than a third of its letters differ."""
    completed = [w for w in words if w.startswith(word)]
    if len(completed) == 1 and word.strip("-"):
        return completed[0]
    distance, best = min(((edit_distance(word.lower(), w.lower()), w) for w in words), default=(0, None))
    return best if best is not None and distance <= max(1, (len(word) + 2) // 3) else None


def did_you_mean(word: str, words: Collection[str]) -> str:
    """`: did you mean X?`, or nothing."""
    near = nearest(word, words)
    return f": did you mean {near}?" if near else ""
