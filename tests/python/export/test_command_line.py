"""tutti export as a user meets it: the file, what it cannot say, and statuses."""

import json

from helpers.profiles import parse_classic


def test_the_command_writes_tells_and_fails_clearly(profile, tutti, tmp_path):
    file = tmp_path / "out" / "tuned.rules"
    done = tutti("export", "openmpi", str(profile()), "-o", str(file))
    assert done.returncode == 2 and "there is no folder" in done.stderr
    file.parent.mkdir()
    done = tutti("export", "openmpi", str(profile()), "-o", str(file))
    assert done.returncode == 0 and parse_classic(file.read_text())
    assert "coll/tuned knows no nodes" in done.stderr and "2 left out" in done.stderr
    done = tutti("export", "intel", str(profile()), "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["outcome"] for row in rows} <= {"exported", "approximated", "left out"}
    assert tutti("export", "openmpi", str(profile()), "--mpi-version", "new").returncode == 2
    assert tutti("export", "openmpi", str(tmp_path / "none.toml")).returncode == 2
