"""tools/*.py: that each can be loaded, and what groups_picture makes of a sweep."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.mark.parametrize("tool", sorted(TOOLS.glob("*.py")), ids=lambda path: path.stem)
def test_each_can_be_asked_for_help(tool):
    """No suite runs most of them to the end: what they include may have moved since."""
    told = subprocess.run([sys.executable, tool, "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stderr


def row(spec, seconds):
    """As `tools/smpi.py sweep --json` writes it, of a chain of 16 ranks with 50 us between them."""
    call = {"collective": "bcast", "bytes": 16384, "ranks": 16, "latency": 50e-6, "bandwidth": 125e6}
    return json.dumps(call | {"choice": spec, "median": seconds})


def test_groups_picture_names_the_best_number_of_groups(tmp_path):
    rows = [row("chain", 0.003), row("groups(2, chain)", 0.002), row("groups(4, chain)", 0.001)]
    (tmp_path / "chain.jsonl").write_text("\n".join(rows))
    command = [sys.executable, TOOLS / "groups_picture.py", tmp_path / "chain.jsonl", "-o", tmp_path / "chain.svg"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    # (16 - 1) hops as it is, (4 - 1) + (4 - 1) in four groups: 2.5 times less
    assert "| 16 | 16K | `chain` | 3.00 ms | 4 | 1.00 ms | 3.00 | 4 | 2.50 |" in told.stdout
    assert "least at G = 4, 3.00× faster" in (tmp_path / "chain.svg").read_text()
