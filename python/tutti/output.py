"""What every command prints: a table for people, or the same facts as JSON, one object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table


def plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Column:
    """One column: `key` in the rows and in JSON, `title` over the table, `text` how a value is shown."""

    key: str
    title: str
    right: bool = False
    text: Callable[[Any], str] = plain


@dataclass(frozen=True)
class Output:
    """The common options that say how to print.  Results go to stdout, everything else to stderr."""

    json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    console: Console = field(init=False)
    errors: Console = field(init=False)

    def __post_init__(self):
        forced = {"always": True, "never": False}.get(self.color)
        for name, stream in (("console", sys.stdout), ("errors", sys.stderr)):
            wide = None if stream.isatty() else 200  # piped: never cut or wrap a table
            console = Console(
                file=stream,
                force_terminal=forced,
                no_color=forced is False,
                highlight=False,
                width=wide,
                soft_wrap=False,
            )
            object.__setattr__(self, name, console)

    def rows(self, rows: Iterable[Mapping[str, Any]], columns: Iterable[Column], title: str | None = None) -> None:
        """One fact a row.  JSON carries all keys of a row, the table those that `columns` name."""
        if self.json:
            for row in rows:
                self.object(row)
            return
        columns = list(columns)
        table = Table(
            title=title,
            title_justify="left",
            title_style="bold",
            box=None,
            pad_edge=False,
            show_edge=False,
            header_style="bold",
        )
        for column in columns:
            table.add_column(column.title, justify="right" if column.right else "left", no_wrap=column.right)
        for row in rows:
            table.add_row(*[column.text(row.get(column.key)) for column in columns])
        self.console.print(table)

    def object(self, row: Mapping[str, Any]) -> None:
        """One JSON object on a line of its own, written at once so that a reader sees it while work goes on."""
        print(json.dumps(row, ensure_ascii=False, default=str), flush=True)

    def line(self, text: str = "") -> None:
        """A line of the result, for people only."""
        if not self.json:
            self.console.print(text, markup=False)

    def note(self, text: str) -> None:
        """Something worth knowing that is not the result; silenced by -q."""
        if not self.quiet:
            self.errors.print(f"tutti: {text}", markup=False, soft_wrap=True)

    def detail(self, text: str) -> None:
        """Only with -v."""
        if self.verbose:
            self.errors.print(f"tutti: {text}", markup=False, soft_wrap=True)

    def warn(self, text: str) -> None:
        self.errors.print(f"tutti: warning: {text}", markup=False, soft_wrap=True)

    def progress(self, counts: bool = True) -> Progress:
        """A bar on stderr with the time left; nothing where stderr is no terminal, or with -q.

        `counts`: the units are things to count, worth showing.
        """
        shown = [TextColumn("{task.description}"), BarColumn(), *([MofNCompleteColumn()] if counts else [])]
        quiet = self.quiet or not self.errors.is_terminal
        return Progress(*shown, TimeRemainingColumn(), console=self.errors, transient=True, disable=quiet)
