"""tutti clean: removes what killed runs left behind.  Runs that end, however badly, leave nothing."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from tutti import options
from tutti.output import Column

SETTLED = 60  # seconds: a younger leftover may be a job that is just starting, in another container


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def leftovers(shared: Path, temporary: Path) -> Iterator[Path]:
    """Names of segments, and folders of `tutti run`, of processes that are no more."""
    for folder, pattern in ((shared, r"tutti\.(\d+)\.[0-9a-f]{16}"), (temporary, r"tutti-run-(\d+)-\w+")):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            found = re.fullmatch(pattern, path.name)
            if not found or alive(int(found[1])):
                continue
            status = path.lstat()
            if status.st_uid == os.geteuid() and time.time() - status.st_mtime > SETTLED:
                yield path


def size_of(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.lstat().st_size for file in files)


@click.command("clean", epilog=options.example("tutti clean --dry-run", "tutti clean"))
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@options.output
def command(dry_run, out):
    """Remove what killed runs left behind: shared memory with a name, and temporary folders.

    Only yours, and only of processes that are no more.  Runs that end by themselves leave nothing.
    """
    rows = []
    for path in leftovers(Path("/dev/shm"), Path(tempfile.gettempdir())):
        rows.append({"path": str(path), "bytes": size_of(path), "removed": not dry_run})
        if not dry_run:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    if not rows:
        out.note("nothing to remove")
        return
    out.rows(rows, [Column("path", "path"), Column("bytes", "bytes", right=True), Column("removed", "removed")])
