"""Machine files with intervals and pieces: how they are read, and what they make of a prediction."""

from __future__ import annotations

import pytest
from tutti.errors import UserError
from tutti.prediction import machines
from tutti.prediction.formulas import estimate
from tutti.prediction.predicting import by_simulator
from tutti.simulation import machine

FILE = """
nodes = 4
per_node = 1
reduce = "2GB/s"
[between]
latency = "2us"
send = "0.5us"
bandwidth = "1GB/s"
[interval]
"between.latency" = ["1us", "4us"]
"between.bandwidth" = ["0.5GB/s", "2GB/s"]
"reduce" = ["1GB/s", "4GB/s"]
[[piece]]
link = "between"
from = "1000"
latency = "10us"
bandwidth = "2GB/s"
[[piece]]
link = "between"
from = "0"
latency = "3us"
bandwidth = "1GB/s"
"""


@pytest.fixture
def described(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(FILE)
    return machine.load(str(file))


def test_intervals_and_pieces_are_read_as_the_core_names_them(described):
    assert described["interval"]["between.per_byte"] == pytest.approx([0.5e-9, 2e-9])
    assert described["interval"]["reduce_per_byte"] == pytest.approx([0.25e-9, 1e-9])
    assert [piece["from"] for piece in described["pieces"]["between"]] == [0, 1000]


def test_a_message_takes_what_its_piece_says(described):
    assert machines.message_time(described, "between", 500) == pytest.approx(3.5e-6)
    assert machines.message_time(described, "between", 2000) == pytest.approx(11e-6)
    assert by_simulator("bcast", "chain", described, 2000).seconds == pytest.approx(3 * 11e-6)
    assert estimate("bcast", "chain", described, 500).seconds == pytest.approx(3 * 3.5e-6)


def test_the_interval_is_that_of_the_parameters(described):
    plain = described | {"pieces": {}}
    found = estimate("bcast", "chain", plain, 1000)
    assert found.seconds == pytest.approx(3 * (3e-6 + 1e-6))
    assert found.high == pytest.approx(3 * (5e-6 + 2e-6))
    simulated = by_simulator("bcast", "chain", plain, 1000)
    assert simulated.low == pytest.approx(3 * (2e-6 + 0.5e-6))
    assert simulated.high == pytest.approx(3 * (5e-6 + 2e-6))


def test_a_field_that_is_set_was_not_measured(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(FILE)
    found = machine.load(str(file), ["between.latency=9us"])
    assert "between.latency" not in found["interval"]
    assert "between" not in found["pieces"]


def test_what_if_changes_pieces_too(described):
    faster = machines.scaled(described, ["bandwidth=10x", "latency=2x"])
    assert faster["between"]["per_byte"] == pytest.approx(0.1e-9)
    assert faster["pieces"]["between"][0]["per_byte"] == pytest.approx(0.1e-9)
    assert faster["pieces"]["between"][0]["latency"] == pytest.approx(5e-6)
    assert described["pieces"]["between"][0]["latency"] == pytest.approx(3e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[interval]\n"between.lat" = ["1us", "2us"]', "[interval] names between.lat, which is no field"),
        ('[interval]\n"between.latency" = "1us"', "interval.between.latency: write two values"),
        ('[interval]\n"between.latency" = ["1us", "x"]', "between.latency: 'x' is not a time"),
        ('[[piece]]\nlink = "between"', "a [[piece]] has no from"),
        ('[[piece]]\nlnk = "between"', "there is no field piece.lnk: did you mean link?"),
        (
            '[[piece]]\nlink = "far"\nfrom = "0"\nlatency = "1us"\nbandwidth = "1GB/s"',
            "'far' is none of between, within",
        ),
        ("piece = 3", "write [[piece]], one for each range of sizes"),
    ],
)
def test_bad_ones_are_one_sentence(tmp_path, text, said):
    file = tmp_path / "bad.toml"
    file.write_text(f"nodes = 2\nper_node = 1\n{text}\n" if text.startswith("piece") else f"{text}\n")
    with pytest.raises(UserError) as caught:
        machine.load(f"{file}@2x1")
    assert said in caught.value.message
