"""Short and long names of what messages carry, as a picture and its text say them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ONE_VECTOR = ("bcast", "reduce", "allreduce", "scan", "exscan")
BY_PAIR = ("alltoall", "alltoallv", "alltoallw")
ONE_SOURCE = ("bcast", "scatter", "scatterv")  # whose contribution it is goes without saying


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in their order, unbroken rises as ranges: 5–7,0,1."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    # Two neighbours read better as two numbers.
    return ",".join(
        str(first) if first == last else f"{first},{last}" if last == first + 1 else f"{first}–{last}"
        for first, last in runs
    )


@dataclass(frozen=True)
class Naming:
    """How the blocks of one collective's messages are named.  `cuts`: into how many parts the schedules cut a block."""

    collective: str
    cuts: tuple[int, ...]

    @classmethod
    def of(cls, collective: str, messages: Iterable) -> Naming:
        cuts = {piece.of for message in messages for piece in message.pieces if piece.of > 1}
        return cls(collective, tuple(sorted(cuts)))

    def parts(self, piece) -> str:
        text = ranges(range(piece.part, piece.part + piece.parts))
        return text if len(self.cuts) == 1 else f"{text}/{piece.of}"

    def short(self, pieces: Sequence) -> str:
        """What stands on an arrow; '' on a message of tokens."""
        if self.collective in ONE_VECTOR:
            if len(self.cuts) == 1 and all(piece.of > 1 for piece in pieces):
                return ranges(part for piece in pieces for part in range(piece.part, piece.part + piece.parts))
            return ",".join("m" if piece.of == 1 else self.parts(piece) for piece in pieces)
        if self.collective in BY_PAIR:
            return " ".join(f"{source}→{ranges(owners)}" for source, owners in by_source(pieces))
        if any(piece.of > 1 for piece in pieces):
            return " ".join(
                f"{piece.owner}.{self.parts(piece)}" if piece.of > 1 else f"{piece.owner}" for piece in pieces
            )
        return ranges(piece.owner for piece in pieces)

    def long(self, pieces: Sequence) -> str:
        """The same in words, with who contributed: part 2 of 4 from 0–3."""
        if not pieces:
            return "a token"
        words = []
        for piece in pieces:
            cut = f"part {ranges(range(piece.part, piece.part + piece.parts))} of {piece.of}" if piece.of > 1 else ""
            if self.collective in ONE_VECTOR:
                words.append(cut or "the vector")
            else:
                words.append(f"{cut} of block {piece.owner}" if cut else f"block {piece.owner}")
            if len(piece.ranks) > 1 or (self.collective not in ONE_SOURCE and piece.ranks != [piece.owner]):
                words[-1] += f" from {ranges(piece.ranks)}"
        return ", ".join(words)

    def colour(self, pieces: Sequence) -> int | None:
        """A number that tells blocks apart, and groups of as many blocks; None for a whole vector and for tokens."""
        if not pieces or (self.collective in ONE_VECTOR and pieces[0].of == 1):
            return None
        if self.collective in ONE_VECTOR:
            return pieces[0].part // sum(piece.parts for piece in pieces)
        if self.collective in BY_PAIR and len(pieces) > 1:
            return pieces[0].ranks[0]
        return pieces[0].owner // len({piece.owner for piece in pieces})

    def legend(self, messages: Iterable) -> str:
        """What the names on the arrows mean."""
        carried = [message.pieces for message in messages]
        if not any(carried):
            return "messages carry no data, only the news that the sender has come"
        if self.collective in ONE_VECTOR:
            whole = any(piece.of == 1 for pieces in carried for piece in pieces)
            cut = f"parts of the vector{f' (of {self.cuts[0]})' if len(self.cuts) == 1 else ''}" if self.cuts else ""
            return ", ".join(filter(None, ["m: the whole vector" if whole else "", f"numbers: {cut}" if cut else ""]))
        if self.collective in BY_PAIR:
            return "a→b: the block from a for b"
        means = "for whom the block is" if self.collective.startswith(("scatter", "reduce")) else "whose block it is"
        return f"numbers: {means}" + (f", and its part (of {self.cuts[0]})" if len(self.cuts) == 1 else "")


def by_source(pieces: Sequence) -> list[tuple[int, list[int]]]:
    """Blocks of an alltoall by who they are from, in order of appearance."""
    found: dict[int, list[int]] = {}
    for piece in pieces:
        found.setdefault(piece.ranks[0], []).append(piece.owner)
    return list(found.items())
