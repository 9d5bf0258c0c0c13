"""tutti settings: every variable, its value and where it came from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import click

from tutti import core, options
from tutti.output import Column


def rows(settings, environment: Mapping[str, str], warnings: Sequence[str]) -> list[dict[str, str]]:
    """One row a variable of the manual: what counts, and whether the environment said so."""
    found = []
    for entry in core.load().settings_manual():
        name = entry.variable
        ignored = any(warning.startswith(f"{name}=") for warning in warnings)
        origin = (
            "default; the environment's is ignored"
            if ignored
            else "environment"
            if environment.get(name)
            else "default"
        )
        value = {"value": settings.value(name), "origin": origin, "default": entry.standard}
        found.append({"variable": name, **value, "help": entry.help, "example": entry.example})
    return found


@click.command("settings", epilog=options.example("tutti settings", "TUTTI_ALLREDUCE=ring tutti settings --json"))
@options.profile
@options.output
def command(profile, out):
    """Print every variable, its value and where it came from; warn of what cannot be used.

    These are the values that a program started from this shell would see.
    """
    environment = dict(os.environ) | ({"TUTTI_PROFILE": profile} if profile else {})
    settings, warnings = core.read_settings(profile)
    columns = [Column("variable", "variable"), Column("value", "value"), Column("origin", "from")]
    out.rows(rows(settings, environment, warnings), [*columns, Column("help", "what it does")])
    for warning in warnings:
        out.warn(warning)
