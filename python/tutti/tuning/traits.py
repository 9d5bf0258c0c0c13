"""What candidates have in common: the parts of a spec that say something about its time."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from tutti import core


def family_and_options(parts: Mapping) -> tuple[tuple[str, ...], dict[str, str]]:
    """Algorithms from the outside in, and every parameter with its value."""
    names, options = (parts["name"],), {f"{parts['name']}.{key}": str(value) for key, value in parts["options"].items()}
    for inside in parts["arguments"]:
        more, of = family_and_options(inside)
        names, options = names + more, options | of
    return names, options


def family(collective: str, spec: str) -> tuple[str, ...]:
    """Algorithms from the outside in."""
    return family_and_options(core.load().spec_parts(spec, collective))[0]


def tree(names: Sequence[str]) -> str:
    """Who sends to whom, wherever, and in whatever order children are received from."""
    return names[-1].removesuffix("_by_arrival").removesuffix("_in_order")


def kind(spec: str) -> str:
    """Flat, in groups, or by nodes."""
    name = spec.partition("(")[0]
    return name if name in ("node", "groups") else "flat"


@functools.lru_cache(maxsize=1 << 14)
def traits(collective: str, spec: str) -> dict[str, object]:
    """By name; `manner` is senders and pieces, and "any" is common to all."""
    names, options = family_and_options(core.load().spec_parts(spec, collective))
    manner = tuple(sorted((key, value) for key, value in options.items() if key.startswith("node.")))
    return {"any": "", "kind": kind(spec), "tree": tree(names), "manner": manner, "spec": spec}
