"""tutti clean takes what dead processes left, and nothing else."""

import os
import subprocess

from tutti.site.clean import leftovers


def test_leftovers(tmp_path):
    shared, temporary = tmp_path / "shm", tmp_path / "tmp"
    dead = subprocess.Popen(["true"])
    dead.wait()
    old = [shared / f"tutti.{dead.pid}.0123456789abcdef", temporary / f"tutti-run-{dead.pid}-ab_9"]
    kept = [
        shared / f"tutti.{os.getpid()}.0123456789abcdef",
        shared / "other",
        temporary / f"tutti-run-{os.getpid()}-x",
    ]
    for path in (*old, *kept):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        os.utime(path, (0, 0))
    young = shared / f"tutti.{dead.pid}.fedcba9876543210"
    young.write_text("")
    assert list(leftovers(shared, temporary)) == old
