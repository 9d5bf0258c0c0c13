"""Which headers of the tree a source includes, told by the text: `core/step.hpp` is any that lies so in some folder."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


class Includes:
    """Of one tree's headers; files are read once."""

    def __init__(self, headers: Iterable[Path]):
        self.places: dict[str, list[Path]] = collections.defaultdict(list)
        for header in headers:
            for length in range(1, len(header.parts)):
                self.places["/".join(header.parts[-length:])].append(header)
        self.known: dict[Path, set[Path]] = {}

    def direct(self, path: Path) -> set[Path]:
        if path not in self.known:
            names = INCLUDE.findall(path.read_text(errors="replace"))
            self.known[path] = {header for name in names for header in self.places.get(name, ())}
        return self.known[path]

    def all(self, path: Path) -> set[Path]:
        """Directly, or by another header."""
        found, ahead = set(), [path]
        while ahead:
            ahead += (new := self.direct(ahead.pop()) - found)
            found |= new
        return found
