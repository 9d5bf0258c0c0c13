"""How far apart ranks came after balanced work (`tutti bench --imbalance`), as a part of the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tutti.bench import imbalance
from tutti.errors import UserError
from tutti.report.details import number
from tutti.report.html import Value, section, table


def rows_of(folder: Path) -> list[dict]:
    file = folder / imbalance.FILE
    try:
        found = [json.loads(line) for line in file.read_text().splitlines()]
        return [row for each in found for row in imbalance.rows(each)]
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{file} is not what tutti bench --imbalance writes") from None


def imbalance_section(folders: Sequence[Path]) -> str:
    """A table for each folder; nothing without one."""
    words = ("launch", "ranks", "nodes")
    head: list[Value | str] = [*(Value(word, looks="number") for word in words), "spread of"]
    head += [Value(word, looks="number") for word in ("median", "from", "to", "90 %", "99 %", "largest", "of the work")]
    tables = []
    for folder in folders:
        body = [
            [*(Value(str(row[word]), looks="number") for word in words), row["spread"],
             *(number(row[key]) for key in ("median_us", "ci_low", "ci_high", "p90", "p99", "max")),
             Value(f"{100 * row['part']:.2g} %", row["part"], "number")]
            for row in rows_of(folder)
        ]  # fmt: skip
        tables.append(table(f"imbalance-{folder.name}", f"After balanced work: {folder.name}", head, body))
    note = "All ranks did the same work; how far apart they were then, inside nodes and between them."
    return section("imbalance", "Imbalance", "".join(tables), note)
