"""Machines: files, names, layouts, changes; and what is said of those that cannot be."""

from __future__ import annotations

import pytest
from tutti.errors import UserError
from tutti.simulation import machine

FILE = """
nodes = 4
per_node = 2
[between]
latency = "2us"
bandwidth = "10GB/s"
rendezvous = "16K"
"""


def error(call) -> str:
    with pytest.raises(UserError) as caught:
        call()
    return caught.value.message


@pytest.mark.parametrize("name", machine.shipped())
def test_machines_that_ship_can_be_read(name):
    found = machine.load(name)
    assert found["name"] == name
    assert found["nodes"] * found["per_node"] > 1
    assert 0 < found["within"]["latency"] < found["between"]["latency"]


def test_a_layout_has_the_standard_network():
    found = machine.load("2048x32")
    assert (found["nodes"], found["per_node"]) == (2048, 32)
    assert found["between"] == machine.load(machine.STANDARD)["between"]


def test_a_file_and_another_layout(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(FILE)
    found = machine.load(f"{file}@16x8", ["between.latency=500ns", "cards=2", "network.sides=4,2,2"])
    assert (found["nodes"], found["per_node"], found["cards"]) == (16, 8, 2)
    assert found["between"]["latency"] == pytest.approx(500e-9)
    assert found["between"]["per_byte"] == pytest.approx(1e-10)
    assert found["between"]["rendezvous"] == 16384
    assert found["network"]["sides"] == [4, 2, 2]
    assert found["within"] == found["between"] | {"latency": pytest.approx(500e-9)}  # not said otherwise


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nodes = 4", "it has no per_node"),
        ("nodes = x", "invalid value"),
        ("nodes = 4\nper_nod = 2", "there is no field per_nod: did you mean per_node?"),
        ("[betwen]\nlatency = 1", "there is no table [betwen]: did you mean between?"),
        ('[between]\nlatency = "2 apples"', "between.latency: '2 apples' is not a time"),
        ('[between]\nbandwidth = "0GB/s"', "between.bandwidth: '0GB/s' is not a rate: it is above 0"),
        ('[network]\ntopology = "tree"', "network.topology: 'tree' is none of flat, fat_tree"),
        ("nodes = -1\nper_node = 2", "nodes: -1 is not a whole number"),
        ("nodes = true\nper_node = 2", "nodes: True is not a whole number"),
        ("nodes = 4000000000\nper_node = 2", "nodes: 4000000000 are too many"),
    ],
)
def test_bad_files_name_the_field(tmp_path, text, said):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    message = error(lambda: machine.load(str(file)))
    assert said in message
    assert "bad.toml" in message
    assert "\n" not in message


def test_what_is_no_machine(tmp_path):
    assert "did you mean cluster?" in error(lambda: machine.load("clutser"))
    assert "64x16" in error(lambda: machine.load("nonsense"))
    assert "no such file" in error(lambda: machine.load("/nowhere/x.toml"))
    assert "is not a layout" in error(lambda: machine.load("cluster@64"))
    assert "write FIELD=VALUE" in error(lambda: machine.load("8x1", ["latency"]))
    assert "there is no field between.latncy: did you mean latency?" in error(
        lambda: machine.load("8x1", ["between.latncy=1us"])
    )
