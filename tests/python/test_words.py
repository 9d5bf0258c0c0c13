"""Docs and comments use the field's words: a retired word fails, and the message has the better one.  The terms that
are tutti's own stand in docs/glossary.md.  A comment that names a source file names one that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A retired word as a regular expression, without case, and what to write instead.
RETIRED = {
    r"flag's way": "one-way core-to-core latency",
    r"(past|through) the caches": "non-temporal stores; cached stores",
    r"\bdesks?\b": "mailbox",
    r"\bseats?\b": "the CPU where a member ran last",
    r"\bcrowd(s|ed|ing)?\b": "oversubscribed, oversubscription",
    r"\bpok(e|es|ed|ing)\b": "a progress call",
    r"\bpulses?\b": "progress throttle",
    r"\bflavou?rs?\b": "backend (of an ABI)",
    r"\bplausible\b": "valid",
    r"ha(s|ve) (its|their) say": "is sampled too",
    r"\b(is|are) through\b": "is complete",
    r"giv(e|es|en|ing) (it|the (cpu|processor)) away": "yield",
    r"\b(hangs?|hung) on\b": "depends on; is attached to",
    r"(look|looks|looked|looking) at the clock|(ask|asks|asked) the clock": "measures, times",
    r"(?<!context.)switch(es)? between processes": "context switch",
    r"\b(one|another)'s lesson\b|\ba lesson\b": "measurements, trials",
    r"whoever carries": "the executor",
}

MARKED = re.compile(r"//[/!]?<?(.*)|/\*(.*)|^ \* (.*)")
HASH = re.compile(r"(?:^|\s)#(.*)")
SOURCE = re.compile(r"\b([a-z][a-z_0-9]*(?:/[a-z_0-9]+)*\.(?:hpp|cpp))\b")


def comments(path: Path) -> str:
    """What stands in a source's comments, a line each, so that line numbers stay."""
    mark = HASH if path.suffix == ".py" else MARKED
    lines = []
    for line in path.read_text().splitlines():
        found = mark.search(line)
        lines.append(next((text for text in found.groups() if text is not None), "") if found else "")
    return "\n".join(lines)


def sources(*folders: str) -> list[Path]:
    kinds = (".hpp", ".cpp", ".h", ".c", ".S", ".py")
    every = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    return sorted(path for path in every if path != Path(__file__).resolve())


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sources("src", "tests", "tools", "python/tutti", "python/bindings", "fuzz")


def retired_in(text: str, word: re.Pattern[str]) -> list[str]:
    """Where it stands, as "line N: the line"; a phrase may be broken over two lines."""
    joined = re.sub(r"\n[ ]*", "\n", text)
    hits = word.finditer(joined)
    return [f"line {joined.count(chr(10), 0, hit.start()) + 1}: {hit.group(0)}" for hit in hits]


@pytest.mark.parametrize("retired", RETIRED)
def test_no_retired_word(retired):
    word = re.compile(retired.replace(" ", r"\s+"), re.IGNORECASE)
    texts = {path: path.read_text() for path in PAGES} | {path: comments(path) for path in SOURCES}
    found = {str(path.relative_to(ROOT)): hits for path, text in texts.items() if (hits := retired_in(text, word))}
    assert not found, f"better: {RETIRED[retired]}"


def test_a_retired_word_is_found_where_it_is():
    text = comments(ROOT / "src/shm/sync/slots.hpp") + "\ngives the\nCPU away"
    word = re.compile(r"giv(e|es|en|ing) (it|the (cpu|processor)) away".replace(" ", r"\s+"), re.IGNORECASE)
    assert retired_in(text, word) == [f"line {text.count(chr(10))}: gives the\nCPU away"]


def test_files_that_comments_name_exist():
    names = {str(path.relative_to(ROOT)) for path in sources("src", "tests", "fuzz", "tools", "python/bindings")}
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources("src", "python/bindings")
        for name in SOURCE.findall(comments(path))
        if not any(known == name or known.endswith("/" + name) for known in names)
    ]
    assert not missing
