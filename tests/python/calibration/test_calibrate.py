"""tutti calibrate: other simulators' forms, a calibration with a runner that knows the machine, and misuses."""

from __future__ import annotations

import re
import xml.etree.ElementTree as tree

import pytest
from click.testing import CliRunner
from tutti.calibration import command_line, measuring
from tutti.output import Output
from tutti.simulation import machine


def calibrate(*words: str):
    return CliRunner().invoke(command_line.command, [*words])


def test_a_platform_of_simgrids_has_the_machines_times():
    done = calibrate("--from", "cluster@16x8", "--format", "simgrid")
    assert done.exit_code == 0, done.output
    root = tree.fromstring(done.output.partition('simgrid.dtd">')[2])
    (cluster,) = root.iter("cluster")
    assert cluster.get("radical") == "0-15"
    assert cluster.get("core") == "8"
    assert float(cluster.get("bw").removesuffix("Bps")) == pytest.approx(12.5e9)
    assert 2 * float(cluster.get("lat").removesuffix("s")) == pytest.approx(1e-6)
    settings = {prop.get("id"): prop.get("value") for prop in root.iter("prop")}
    assert settings["smpi/send-is-detached-thresh"] == "16384"
    assert float(settings["smpi/os"].split(":")[1]) == pytest.approx(0.3e-6)


def test_trees_and_tori_are_simgrids_own():
    tree_ = calibrate("--from", "fat-tree", "--format", "simgrid").output
    assert 'topology="FAT_TREE" topo_parameters="2;32,32;1,16;1,1"' in tree_
    refused = calibrate("--from", "dragonfly", "--format", "simgrid")
    assert refused.exit_code == 2
    assert "a dragonfly's groups are one link here" in refused.output


def test_loggopsims_options_are_nanoseconds(tmp_path):
    file = tmp_path / "options"
    done = calibrate("--from", "cluster@16x1", "--format", "loggopsim", "-o", str(file))
    assert done.exit_code == 0, done.output
    lines = file.read_text().splitlines()
    assert lines[1] == "-L 1000 -o 300 -g 100 -G 0.08 -O 0 -S 16384"
    assert lines[3] == "# -L 1000000 -o 300000 -g 100000 -G 80 -O 0 -S 16384"


class Known:
    """tutti-bench on a machine of o = 0.2, L = 0.6 us, 5 GB/s within a node; 1, 2 us, 10 GB/s, two cards between."""

    def __call__(self, layout, words, variables):
        for word in words:
            found = re.fullmatch(r"(pingpong|burst|memcpy|reduce|pairs-\d+):(\d+)", word)
            if found:
                name, size = found[1], int(found[2])
                seconds = self.seconds(layout, name, size)
                variant = "tutti" if variables else "native"
                yield {"event": "result", "variant": variant, "collective": name, "size": size,
                       "median_us": 1e6 * seconds}  # fmt: skip

    def seconds(self, layout, name, size):
        o, latency, rate = (0.2e-6, 0.6e-6, 5e9) if layout.nodes == 1 else (1e-6, 2e-6, 10e9)
        message = 2 * o + latency + size / rate
        if name == "pingpong":
            return 2 * message
        if name == "burst":
            return 2 * message + (measuring.BURST - 1) * o
        if name.startswith("pairs-"):
            return 2 * (2 * o + latency + size / rate * int(name.removeprefix("pairs-")) / 2)
        return size / 8e9 if name == "memcpy" else message + size / 4e9


def test_a_known_machine_is_found(monkeypatch):
    monkeypatch.setattr(measuring, "library_of", lambda chosen: "libmpi.so")
    monkeypatch.setattr(measuring, "bench_words", lambda chosen, library, **more: list(more["cases"]))
    bench = measuring.Bench(Known(), None, 0.01)
    found = command_line.Calibration(bench, Output(quiet=True), 2, 4, 3).run("here", "known")
    within, between = found.links["within"], found.links["between"]
    assert within.overhead.value == pytest.approx(0.2e-6)
    assert within.latency.value == pytest.approx(0.6e-6, rel=0.01)
    assert 1 / within.per_byte.value == pytest.approx(5e9, rel=0.01)
    assert between.gap.value == pytest.approx(1e-6)
    assert between.latency.value == pytest.approx(2e-6, rel=0.01)
    assert 1 / found.copy.value == pytest.approx(8e9)
    assert 1 / found.reduce.value == pytest.approx(4e9, rel=0.01)
    assert found.cards == 2
    assert len(within.pieces) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say where the machine is to be written: -o site.toml"),
        (["-o", "/nowhere/site.toml"], "-o /nowhere/site.toml: there is no folder /nowhere"),
        (["--from", "cluster"], "--from MACHINE and --format go together"),
        (["--format", "simgrid"], "--from MACHINE and --format go together"),
        (["--from", "clutser", "--format", "simgrid"], "clutser"),
    ],
)
def test_a_misuse_is_one_line(words, said):
    done = calibrate(*words)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_a_machine_file_that_ships_is_no_worse_for_it():
    assert machine.load("cluster")["interval"] == {}
