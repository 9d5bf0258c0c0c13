"""Processors that do not sleep while something is measured.

A processor without work sleeps, deeper the longer, and takes its time to come back.  A virtual one is given away by its
host meanwhile, and comes back elsewhere: between the two of a small machine a flag took 20, 55 or 260 ns, another one
each second.  The kernel keeps processors awake as long as somebody holds /dev/cpu_dma_latency open with a 0 in it (PM
quality of service); who may write there is the system's choice, usually root alone.
"""

from __future__ import annotations

import contextlib
import functools
import struct
from collections.abc import Iterator
from pathlib import Path

import click

from tutti.errors import UserError

DEVICE = Path("/dev/cpu_dma_latency")
ANY = 2_000_000_000  # microseconds, the kernel's word for "no demand"


@contextlib.contextmanager
def kept() -> Iterator[bool]:
    """All processors of this machine stay awake meanwhile; False where the kernel does not take the demand."""
    with contextlib.ExitStack() as stack:
        try:
            demand = stack.enter_context(DEVICE.open("wb", buffering=0))
            demand.write(struct.pack("i", 0))
        except OSError:
            yield False
        else:
            yield True


def demanded() -> bool | None:
    """Whether processors are being kept awake now, by whomever; None where nobody may know."""
    try:
        with DEVICE.open("rb", buffering=0) as device:
            microseconds = struct.unpack("i", device.read(4))[0]
    except (OSError, struct.error):
        return None
    return microseconds < ANY


def idle_driver() -> str | None:
    """What of the kernel puts processors to sleep here."""
    try:
        return Path("/sys/devices/system/cpu/cpuidle/current_driver").read_text().strip()
    except OSError:
        return None


def option(command):
    """--awake, for a command that measures."""

    @click.option(
        "--awake",
        is_flag=True,
        help=f"Keep this machine's processors from sleeping meanwhile (needs the right to write {DEVICE}).",
    )
    @functools.wraps(command)
    def while_awake(*args, awake, **kwargs):
        if not awake:
            return command(*args, **kwargs)
        with kept() as awake_now:
            if not awake_now:
                raise UserError(f"--awake: {DEVICE} cannot be written: run as root, have it allowed, or leave it out")
            return command(*args, **kwargs)

    return while_awake
