"""What the caches hold of a call's buffers when it begins: a state, in which each case is measured.

cold      nothing: other buffers each time, more of them than the caches hold, with other contents
warm      what the same call on the same buffers with the same contents has left there, as in a program's loop
fresh     the same buffers, just written anew
flushed   the same ones, written anew, and then driven out of all caches

A barrier has no buffers, and so no state: it is measured once, and counts in every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tutti.errors import did_you_mean

COLD = "cold"
STATES = (COLD, "warm", "fresh", "flushed")
USUAL = (COLD, "warm")  # what users' programs meet, and between which the faster ways differ
OLD = {"rotating": COLD}  # names of before
WITHOUT_BUFFERS = ("barrier", "ibarrier", "barrier_init")


def has_no_buffers(subject: str) -> bool:
    return subject in WITHOUT_BUFFERS


def parse(text: str) -> tuple[str, ...]:
    """A list of states, each once.  Raises ValueError."""
    found = []
    for word in (word.strip().lower() for word in text.split(",")):
        if OLD.get(word, word) not in STATES:
            hint = did_you_mean(word, STATES) or f" (there are {', '.join(STATES)})"
            raise ValueError(f"there is no state of caches {word!r}{hint}")
        found.append(OLD.get(word, word))
    return tuple(dict.fromkeys(found))


def with_states(cases: Iterable[str], states: Sequence[str]) -> list[str]:
    """Each case in each state, as tutti-bench reads it: bcast:8%warm@last_late:2x; cold goes without saying."""
    found = []
    for case in cases:
        call, at, arrival = case.partition("@")
        if has_no_buffers(call):
            found.append(case)
        else:
            found += [case if state == COLD else f"{call}%{state}{at}{arrival}" for state in states]
    return found


def of(result: Mapping[str, Any]) -> str:
    """The state of a result; cold where it does not say, '' where there are no buffers."""
    if has_no_buffers(result["collective"]):
        return ""
    said = result.get("cache") or COLD
    return OLD.get(said, said)


def of_settings(settings: Mapping[str, Any]) -> list[str]:
    """The states that a run was asked for; of earlier runs, which had one for all cases, that one."""
    said = settings.get("caches") or [settings.get("cache") or COLD]
    return [OLD.get(state, state) for state in said]


def said_by_all(results: Iterable[dict[str, Any]], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results that say it themselves, also those of runs that said it once for all."""
    usual = of_settings(settings)[0]
    return [row | {"cache": state} if (state := of({"cache": usual} | row)) else row for row in results]


def ordered(states: Iterable[str]) -> list[str]:
    """Each once, as STATES has them; without '', which counts in all."""
    found = set(states)
    return [state for state in STATES if state in found]


def together(verdicts: Mapping[str, str]) -> str:
    """One verdict on a case from that in each state: the worst of wrong and slower, else faster; and in which states,
    where not in all of them: `slower (warm)`."""
    known = {state: word for state, word in verdicts.items() if word}
    for word in ("wrong", "slower", "faster"):
        where = [state for state, said in known.items() if said == word]
        if where:
            return word if len(where) == len(known) else f"{word} ({', '.join(where)})"
    return "same" if known else ""
