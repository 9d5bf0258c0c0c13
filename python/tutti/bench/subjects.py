"""What can be measured: collectives in their three forms, patterns of messages, a copy; and how it is called."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from click.core import ParameterSource

from tutti import core
from tutti.errors import UserError, did_you_mean
from tutti.results import caches
from tutti.results.comparison import COLLECTIVES

USUAL = ("barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall")
PAIRS, COPY = "pairs", "memcpy"
ELEMENTS = ("byte", "int", "long", "float", "double", "strided", "2int", "float_int", "double_int")
OPERATORS = (
    "sum", "prod", "max", "min", "band", "bor", "bxor", "land", "lor", "lxor", "user", "ordered", "maxloc", "minloc",
)  # fmt: skip


def nonblocking() -> list[str]:
    return [f"i{name}" for name in COLLECTIVES]


def persistent() -> list[str]:
    return [f"{name}_init" for name in COLLECTIVES]


def patterns() -> list[str]:
    """Named patterns of messages; `pairs` for one pair between two nodes, two pairs, four and so on."""
    return [name for name in core.load().message_patterns() if not name.startswith(PAIRS)] + [PAIRS]


def groups() -> dict[str, list[str]]:
    """Words for several subjects at once."""
    return {
        "all": list(COLLECTIVES),
        "nonblocking": nonblocking(),
        "persistent": persistent(),
        "messages": patterns(),
    }


def is_message_pattern(name: str) -> bool:
    return name not in (*COLLECTIVES, *nonblocking(), *persistent(), COPY)


def has_no_size(name: str) -> bool:
    return caches.has_no_buffers(name)


def subjects_named(words: Sequence[str], files: Sequence[PatternFile] = ()) -> list[str]:
    """Checked names, each once; the usual six collectives for none, unless files are there.  Raises UserError."""
    own = [each.name for each in files]
    names: list[str] = []
    for word in ",".join(words).replace(",", " ").split() or own or USUAL:
        lower = word.lower()
        if word in own or lower == COPY or re.fullmatch(r"pairs-[1-9]\d*", lower):
            names.append(word if word in own else lower)
        elif lower in groups():
            names += groups()[lower]
        elif lower in COLLECTIVES or lower in nonblocking() or lower in persistent() or lower in patterns():
            names.append(lower)
        else:
            known = [*COLLECTIVES, *nonblocking(), *persistent(), *patterns(), COPY, *groups(), *own]
            hint = did_you_mean(lower, known)
            hint = hint or f" (there are {', '.join([*COLLECTIVES, *patterns(), COPY])}; ibcast and so on; bcast_init)"
            raise UserError(f"there is nothing called {word!r} to measure{hint}")
    return list(dict.fromkeys([*names, *own]))


def most_pairs(ranks: int, nodes: int) -> int:
    """Between two nodes, or the halves of one."""
    return ranks // nodes if nodes > 1 else ranks // 2


def expanded(names: Sequence[str], ranks: int, nodes: int) -> Iterator[str]:
    """pairs: 1, 2, 4 and so on, and as many as there can be."""
    for name in names:
        if name != PAIRS:
            yield name
            continue
        most, count = most_pairs(ranks, nodes), 1
        while count < most:
            yield f"{PAIRS}-{count}"
            count *= 2
        if most:
            yield f"{PAIRS}-{most}"


@dataclass(frozen=True)
class PatternFile:
    """A user's pattern of messages."""

    name: str
    file: str


def pattern_file(path: Path, ranks: Sequence[int]) -> PatternFile:
    """Called as the file is, without its ending.  Raises UserError where it is malformed, with file and line."""
    name = path.stem
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise UserError(f"--pattern {path}: call the file by letters, digits, '_', '-' and '.' alone")
    if name in {COPY, PAIRS, *(each for names in groups().values() for each in names)} or name.startswith("pairs-"):
        raise UserError(f"--pattern {path}: {name} is the name of something else: call the file otherwise")
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"--pattern {path}: cannot read it ({getattr(problem, 'strerror', None) or problem})") from None
    for count in ranks:
        try:
            core.load().check_message_pattern(text, str(path), count)
        except ValueError as problem:
            raise UserError(f"{problem}" + (f" (with -n {count})" if len(ranks) > 1 else "")) from None
    return PatternFile(name, str(path.absolute()))


@dataclass(frozen=True)
class Calls:
    """The options of tutti-bench of the same names."""

    root: str = "0"
    in_place: bool = False
    datatype: str | None = None
    operator: str = "sum"
    patterns: Sequence[PatternFile] = ()
    repetitions: int | None = None
    warm_ups: int | None = None
    on: str = ""  # ranks that measure, of more that are started: 0,4-7
    started: int | None = None  # how many, then

    def words(self) -> list[str]:
        """Only what is not as usual."""
        words = [word for each in self.patterns for word in ("--pattern", f"{each.name}={each.file}")]
        words += ["--in-place"] if self.in_place else []
        for option, value, usual in (
            ("--root", self.root, "0"),
            ("--datatype", self.datatype, None),
            ("--operator", self.operator, "sum"),
            ("--repetitions", self.repetitions, None),
            ("--warm-ups", self.warm_ups, None),
            ("--on", self.on, ""),
        ):
            words += [option, str(value)] if value != usual else []
        return words


def members_of(text: str) -> list[int]:
    """Ranks in the order given: 0,4-7,2.  Raises UserError."""
    try:
        return core.load().parse_ranks(text, "--on")
    except ValueError as problem:
        raise UserError(f"{problem} (write ranks and ranges of them: 0,4-7)") from None


def started_for(on: str, ranks: Sequence[int], said: bool) -> int:
    """Ranks to start so that those of --on are there; `said`: whether -n was given.  Raises UserError."""
    least = max(members_of(on)) + 1
    if not said:
        return least
    if len(ranks) > 1:
        raise UserError("--on is about one start: give -n one number of ranks, or leave it out")
    if ranks[0] < least:
        raise UserError(f"--on {on}: with -n {ranks[0]} there are ranks 0 to {ranks[0] - 1}")
    return ranks[0]


def options(command):
    """--pattern, --root, --in-place, --datatype, --operator, --repetitions, --warm-ups, --on: one Calls named `calls`.

    Inside those of -n, since a pattern is checked for its numbers of ranks.
    """

    @click.option(
        "--pattern",
        "files",
        metavar="FILE",
        multiple=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Measure a pattern of messages of your own: who sends to whom, in rounds (docs/measuring.md).",
    )
    @click.option(
        "--root",
        metavar="RANK",
        default="0",
        show_default=True,
        help="Root of rooted collectives: a rank, or `rotating`: another one in each repetition.",
    )
    @click.option("--in-place", is_flag=True, help="With MPI_IN_PLACE (all but barrier and bcast).")
    @click.option(
        "--datatype",
        type=click.Choice(ELEMENTS),
        help="What elements are: byte unless said otherwise, float where they are combined (float_int with their "
        "places); strided: four bytes and a gap of four.",
    )
    @click.option(
        "--operator",
        type=click.Choice(OPERATORS),
        default="sum",
        show_default=True,
        help="How they are combined; user: a sum made with MPI_Op_create, ordered: the same, not commutative; maxloc "
        "and minloc take 2int, float_int and double_int.",
    )
    @click.option(
        "-i",
        "--repetitions",
        metavar="N",
        type=click.IntRange(min=1),
        help="Exactly N repetitions of each case in each launch, however long they take.",
    )
    @click.option("-x", "--warm-ups", metavar="N", type=click.IntRange(min=0), help="Calls before them [default: 10].")
    @click.option(
        "--on",
        metavar="RANKS",
        default="",
        help="Only these of the ranks measure, in this order (0,4-7); the others are started, and rest.",
    )
    @functools.wraps(command)
    def with_calls(*args, ranks, files, root, in_place, datatype, operator, repetitions, warm_ups, on, **kwargs):
        started = None
        if on:
            said = click.get_current_context().get_parameter_source("ranks") != ParameterSource.DEFAULT
            started, ranks = started_for(on, ranks, said), [len(members_of(on))]
        if root != "rotating" and not root.isdigit():
            raise UserError(f"--root {root}: write a rank, or rotating")
        if root.isdigit() and int(root) >= min(ranks):
            raise UserError(f"--root {root}: there are {min(ranks)} ranks, 0 to {min(ranks) - 1}")
        own = tuple(pattern_file(path, ranks) for path in files)
        calls = Calls(root, in_place, datatype, operator, own, repetitions, warm_ups, on, started)
        return command(*args, ranks=ranks, calls=calls, **kwargs)

    return with_calls
