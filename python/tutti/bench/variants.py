"""Several ways to start the same cases, in turns: --variant NAME:ENV=…,bind=…,mpi=…, and --algorithms."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from tutti import core
from tutti.bench.run import Bench
from tutti.bench.subjects import members_of, started_for
from tutti.bench.table import case_text, microseconds, times
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.results import comparison, statistics
from tutti.results.comparison import COLLECTIVES
from tutti.site.mpi import Mpi

NODE = "node"


@dataclass(frozen=True)
class Variant:
    """How ranks are started: their variables, the launcher's binding, another MPI, ranks on each node."""

    name: str
    variables: Mapping[str, str] = field(default_factory=dict)
    bind: str | None = None
    mpi: str | None = None
    per_node: int | None = None
    on: str = ""  # ranks that measure
    collectives: Sequence[str] | None = None  # that it is about; all where nothing is said

    def launching(self, chosen: Mpi, launcher: str) -> list[str]:
        """Words of the launcher about the binding."""
        if not self.bind:
            return []
        if launcher == "srun":
            return [f"--cpu-bind={self.bind}"]
        if launcher != "mpiexec":
            raise UserError(f"--variant {self.name}: bind= is nothing that tutti can say to a --launcher of your own")
        if chosen.name == "openmpi":
            return ["--oversubscribe", "--bind-to", self.bind]
        return ["-bind-to", self.bind]


def parse_variant(text: str) -> Variant:
    """NAME:WORD=VALUE,…  A value may have commas where no WORD= follows.  Raises ValueError."""
    name, colon, rest = text.partition(":")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name) or not colon:
        raise ValueError(f"{text!r}: write NAME:VARIABLE=VALUE,bind=core,mpi=PATH,ppn=2,on=0,4-7, any of them")
    variables: dict[str, str] = {}
    own: dict[str, Any] = {}
    for item in re.split(r",(?=[A-Za-z_]\w*=)", rest) if rest else []:
        word, equals, value = item.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_]\w*", word):
            raise ValueError(f"{text!r}: {item!r} is not VARIABLE=VALUE")
        if word in ("bind", "mpi", "on"):
            own[word] = value
        elif word == "ppn":
            if not re.fullmatch(r"[1-9]\d*", value):
                raise ValueError(f"{text!r}: ppn is a number of ranks on each node")
            own["per_node"] = int(value)
        else:
            variables[word] = value
    return Variant(name, variables, **own)


def of_algorithms(names: str, collectives: Sequence[str]) -> list[Variant]:
    """One for each algorithm named (or `all`): of every collective that has it.  Raises UserError."""
    having: dict[str, list[str]] = {}
    for entry in [*core.load().catalogue()]:
        if entry.collective in collectives and entry.name not in having.setdefault(entry.collective, []):
            having[entry.collective].append(entry.name)
    known = list(dict.fromkeys(name for found in having.values() for name in found))
    chosen = [*known, NODE] if names == "all" else re.split(r",(?![^(]*\))", names)
    variants = []
    for spec in chosen:
        word = spec.strip()
        about = [name for name in collectives if name in COLLECTIVES and takes(word, name)]
        if about:
            settings = {f"TUTTI_{name.upper()}": word for name in about}
            variants.append(Variant(re.sub(r"[^A-Za-z0-9_.-]+", "-", word).strip("-"), settings, collectives=about))
        elif names != "all":
            algorithm = word.partition("(")[0]
            if algorithm != NODE:  # which no catalogue lists
                core.check_algorithm(algorithm, collectives[0] if len(collectives) == 1 else None)
            raise UserError(
                f"--algorithms: none of {', '.join(collectives)} takes {word!r}{why_not(word, collectives)}"
            )
    if not variants:
        raise UserError(f"--algorithms: there are none for {', '.join(collectives)}")
    return variants


def refusal(spec: str, collective: str) -> str:
    """Why that collective does not take it, or nothing."""
    try:
        core.load().parse_spec(spec, collective)
    except core.load().SpecError as problem:
        return str(problem)
    return ""


def takes(spec: str, collective: str) -> bool:
    return not refusal(spec, collective)


def why_not(spec: str, collectives: Sequence[str]) -> str:
    """The first refusal, to be appended."""
    return next((f": {refusal(spec, name)}" for name in collectives if name in COLLECTIVES), "")


class VariantType(click.ParamType):
    name = "VARIANT"

    def convert(self, value, param, ctx):
        try:
            return value if isinstance(value, Variant) else parse_variant(value)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


def options(command):
    """--variant and --algorithms: the command gets `variants`, and `algorithms`, a text or None."""

    @click.option(
        "--variant",
        "variants",
        metavar="NAME:WORDS",
        multiple=True,
        type=VariantType(),
        help="A way to start the ranks: variables (TUTTI_BCAST=ring), bind=core, mpi=PATH, ppn=2, on=0,4-7 (as "
        "--on), with commas; give two or more, launches take turns.",
    )
    @click.option(
        "--algorithms",
        metavar="SPECS",
        help="Serve the calls with each of these, in turns: a list, or all of the catalogue.",
    )
    @functools.wraps(command)
    def with_variants(*args, variants, algorithms, **kwargs):
        names = [each.name for each in variants]
        if len(set(names)) < len(names):
            raise UserError(f"--variant: two are called {next(name for name in names if names.count(name) > 1)}")
        if variants and algorithms:
            raise UserError("--variant and --algorithms are both about how calls are served: leave one out")
        return command(*args, variants=variants, algorithms=algorithms, **kwargs)

    return with_variants


def columns(first: str, late: bool = False) -> list[Column]:
    """`late`: where ranks come one after the other."""
    left = [Column("avoidable_us", "avoidable", right=True, text=microseconds)]
    return [
        Column("case", "case"),
        Column("ranks", "ranks", right=True),
        Column("variant", "variant"),
        Column("calls", "calls"),
        Column("time_us", "µs", right=True, text=microseconds),
        Column("ratio", f"{first}/this", right=True, text=times),
        Column("bounds", "95 % interval", right=True),
        Column("verdict", "verdict"),
        *(left if late else []),
        Column("choice", "served by"),
    ]


def rows(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Each case's times by variant; the ratio to the first variant that has it, over the launches."""
    table: dict[tuple, dict[str, dict[int, Mapping[str, Any]]]] = {}
    for name, of_variant in results.items():
        for result in filter(comparison.usable, of_variant):
            key = comparison.key_of(result), result["variant"]
            table.setdefault(key, {}).setdefault(name, {})[result["launch"]] = result
    found = []
    for (key, calls), by_variant in sorted(table.items(), key=lambda item: item[0]):
        first = next(iter(by_variant.values()))
        case = {"collective": key.collective, "size": key.size, "arrival": key.arrival, "cache": key.cache}
        for name, launches in by_variant.items():
            ratio = None if launches is first else comparison.ratio_of(first, launches)
            bounds = ratio and (ratio.interval.low, ratio.interval.high)
            found.append(
                case
                | {
                    "case": case_text(case),
                    "ranks": key.ranks,
                    "variant": name,
                    "calls": calls,
                    "time_us": comparison.time_of(list(launches.values())),
                    "avoidable_us": comparison.middle_of(list(launches.values()), "avoidable_us"),
                    "ratio": ratio and ratio.value,
                    "bounds": f"{times(bounds[0])} .. {times(bounds[1])}" if bounds else "",
                    "verdict": statistics.verdict(ratio.interval) if ratio else "",
                    "choice": next((r["choice"] for r in launches.values() if r.get("choice")), ""),
                }
            )
    return found


def print_comparison(benches: Sequence[Bench], out: Output) -> None:
    """Native calls and tutti's, each beside the same calls of the first variant."""
    results = {bench.variant.name: bench.results for bench in benches}
    first = benches[0].variant.name
    found = rows(results)
    late = any(row["avoidable_us"] is not None for row in found)
    out.rows(found, columns(first, late), title=f"variants, beside {first}")


def narrowed(plan, variant: Variant):
    """The plan of a variant that is about some of the collectives, or some of the ranks.  Raises UserError."""
    if variant.collectives is not None:
        plan = dataclasses.replace(plan, collectives=variant.collectives)
    if variant.on:
        started = started_for(variant.on, plan.ranks, said=True)
        calls = dataclasses.replace(plan.calls, on=variant.on, started=started)
        plan = dataclasses.replace(plan, ranks=[len(members_of(variant.on))], calls=calls)
    return plan
