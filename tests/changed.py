"""What of the tree changed lately: since the branch left `origin/main`, or else in the day before the last commit.

`TEST_SINCE=COMMIT` says since when instead.  Checks whose outcome follows from some files alone run whole where
one of these changed, and take turns otherwise (tests/README.md).  Where more than a tenth of src/ changed, or it is
not known what did, all of them take turns: `make test` stays short, and `make test-all` is for such a branch.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from includes import Includes

VARIABLE = "TEST_SINCE"
ROOT = Path(__file__).resolve().parents[1]
DAY = 86400  # seconds
TENTH = 10


def git(*words: str, tree: Path = ROOT) -> str:
    """Its output; empty where it fails."""
    done = subprocess.run(["git", *words], cwd=tree, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def since(tree: Path = ROOT) -> str:
    """The commit to compare with; empty where there is none, as in a history of one day."""
    if said := os.environ.get(VARIABLE, ""):
        return said
    head, left = git("rev-parse", "HEAD", tree=tree), git("merge-base", "HEAD", "origin/main", tree=tree)
    if left and left != head:
        return left
    last = git("log", "-1", "--format=%ct", tree=tree)
    return git("log", "-1", "--format=%H", f"--before={int(last) - DAY}", tree=tree) if last else ""


def files(tree: Path = ROOT) -> set[str] | None:
    """Names of what was added or changed, committed or not; None where that is not known: all may have."""
    base = since(tree)
    if not base or not git("rev-parse", "--verify", f"{base}^{{commit}}", tree=tree):
        return None
    told = git("diff", "--name-only", base, tree=tree), git("ls-files", "-o", "--exclude-standard", tree=tree)
    return {name for names in told for name in names.splitlines()}


def few(tree: Path = ROOT) -> set[str] | None:
    """The same, where it is few: None after a big change as well."""
    names = files(tree)
    sources = len(git("ls-files", "-co", "--exclude-standard", "src", tree=tree).splitlines())
    if names is None or TENTH * sum(name.startswith("src/") for name in names) > sources:
        return None
    return names


def under(*places: str, tree: Path = ROOT) -> bool:
    """Whether few files changed, and among them one of these folders, or one of these files."""
    names = few(tree) or ()
    return any(name == place or name.startswith(f"{place}/") for name in names for place in places)


def sources(names: set[str], candidates: Iterable[Path], includes: Includes, tree: Path = ROOT) -> list[Path]:
    """Those of the candidates that changed, and for each header that did one that includes it: its own source, which
    bears its name, else the first."""
    changed, files = {tree / name for name in names}, sorted(candidates)
    found = {path for path in files if path in changed}
    for header in changed - found:
        users = [path for path in files if header in includes.direct(path)]
        found.update(sorted(users, key=lambda path: path.stem != header.stem)[:1])
    return sorted(found)
