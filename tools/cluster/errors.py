"""What a user of the emulated cluster can do something about: one sentence and an exit status."""

from __future__ import annotations

USAGE = 2
CANNOT = 77  # this machine or this user cannot have such a cluster: what tests skip on
LATE = 124  # a program that did not end in time, as timeout(1) says it


class ClusterError(Exception):
    """`message` says what is wrong and what to do about it."""

    def __init__(self, message: str, status: int = USAGE):
        super().__init__(message)
        self.status = status
