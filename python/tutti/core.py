"""tutti._core, the parts in C++ that need no MPI, with errors as this command says them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from tutti.errors import UserError, did_you_mean


def load() -> ModuleType:
    """The compiled module.  Raises UserError where this installation lacks it."""
    try:
        from tutti import _core
    except ImportError as error:
        raise UserError(f"tutti._core is not in this installation ({error}): build it with `make build`") from error
    return _core


def check_collective(name: str | None) -> str | None:
    """A collective's name as MPI has it, lower case, without the prefix.  Raises UserError naming the nearest."""
    if name is None:
        return None
    known = load().collectives()
    word = name.lower().removeprefix("mpi_")
    if word not in known:
        raise UserError(f"there is no collective {name!r}{did_you_mean(word, known) or ': ' + ', '.join(known)}")
    return word


def check_algorithm(name: str, collective: str | None) -> None:
    """Raises UserError where the catalogue has no such algorithm (for that collective); groups are composed of some."""
    known = sorted({a.name for a in load().catalogue() if collective in (None, a.collective)})
    known += ["groups"] if any(collective in (None, row["collective"]) for row in load().composed()) else []
    if name not in known:
        where = f" for {collective}" if collective else ""
        hint = did_you_mean(name, known) or f" (tutti list {collective or ''}".rstrip() + ")"
        raise UserError(f"there is no algorithm {name!r}{where}{hint}")


def read_settings(profile: str | None = None, environment: Mapping[str, str] = os.environ) -> tuple[Any, list[str]]:
    """Settings of the environment, with --profile before TUTTI_PROFILE, and the sentences about unusable ones."""
    variables = {name: value for name, value in environment.items() if name == "TUTTI" or name.startswith("TUTTI_")}
    if profile:
        if not Path(profile).is_file():
            raise UserError(f"there is no profile {profile}")
        variables["TUTTI_PROFILE"] = str(Path(profile).absolute())
    return load().read_settings(variables)
