"""How many ranks a machine can mean: above, times are the scheduler's, and launchers crash.

A rank that shares its CPU with others gets it for some milliseconds in turn, and a collective waits for all of them.
That is worth measuring (a small machine's user tries a large job), up to a point.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from tutti.errors import UserError
from tutti.site import launch

FOR_EACH_CPU, ANYWHERE = 16, 64  # ranks that are started unasked: so many for each CPU, and on any machine
HOSTS = ("HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile")
HOSTS += (*launch.SCHEDULERS, "FLUX_URI", "COBALT_NODEFILE", "LOADL_HOSTFILE")

option = click.option(
    "--oversubscribe",
    is_flag=True,
    help=f"Start ranks on this machine however many there are [default: at most {FOR_EACH_CPU} for each CPU, "
    f"{ANYWHERE} anywhere].",
)


def most(cpus: int) -> int:
    return max(ANYWHERE, FOR_EACH_CPU * cpus)


def here(ranks: int, nodes: int | None, launcher: str) -> int | None:
    """Ranks of this machine, or of one like it; None where nobody here knows."""
    if launcher == "mpiexec" and not any(name in os.environ for name in HOSTS):
        return ranks  # no list of hosts: all of them start here, whatever -N says
    return -(-ranks // nodes) if nodes else None


def check(counts: Iterable[int], nodes: int | None, launcher: str, insisted: bool) -> None:
    """Raises UserError where one of the numbers of ranks is more than this machine can mean."""
    ranks = max(counts, default=0)
    on_one, cpus = here(ranks, nodes, launcher), launch.cpus()
    if insisted or on_one is None or on_one <= most(cpus):
        return
    where = f"{ranks} ranks, {on_one} on a node" if on_one != ranks else f"{ranks} ranks"
    raise UserError(
        f"{where}, and this machine has {cpus} CPU{'s' if cpus > 1 else ''}: at most {most(cpus)} are started here "
        f"({FOR_EACH_CPU} for each CPU, {ANYWHERE} anywhere), since with more the times are those of the kernel's "
        "scheduler, and launchers break down; --oversubscribe starts them all the same"
    )
