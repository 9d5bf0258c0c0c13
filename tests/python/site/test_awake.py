"""Keeping processors awake while something is measured."""

import struct

import click
import pytest
from click.testing import CliRunner
from tutti.errors import UserError
from tutti.site import awake, machine


@pytest.fixture
def device(tmp_path, monkeypatch):
    file = tmp_path / "cpu_dma_latency"
    file.write_bytes(struct.pack("i", awake.ANY))
    monkeypatch.setattr(awake, "DEVICE", file)
    return file


def test_a_demand_of_no_latency_is_made(device):
    assert awake.demanded() is False
    with awake.kept() as done:
        assert done
        assert struct.unpack("i", device.read_bytes()) == (0,)
        assert awake.demanded() is True


def test_without_the_right_to_it_nothing_is_claimed(tmp_path, monkeypatch):
    monkeypatch.setattr(awake, "DEVICE", tmp_path / "none" / "cpu_dma_latency")
    with awake.kept() as done:
        assert not done
    assert awake.demanded() is None


def test_a_command_with_the_option_runs_inside_or_says_why_not(device, monkeypatch):
    @click.command()
    @awake.option
    def measure():
        click.echo(awake.demanded())

    assert CliRunner().invoke(measure, ["--awake"]).output == "True\n"
    device.write_bytes(struct.pack("i", awake.ANY))
    assert CliRunner().invoke(measure, []).output == "False\n"
    monkeypatch.setattr(awake, "DEVICE", device.parent / "none" / "cpu_dma_latency")
    failed = CliRunner().invoke(measure, ["--awake"], standalone_mode=False)
    assert isinstance(failed.exception, UserError) and "--awake" in str(failed.exception)


def test_the_doctor_says_what_idle_processors_do(device, monkeypatch):
    monkeypatch.setattr(machine, "read", lambda path: "flags : fpu")
    assert machine.sleeping().value.startswith("sleep (idle driver") and not machine.sleeping().advice
    monkeypatch.setattr(machine, "read", lambda path: "flags : fpu hypervisor")
    asleep = machine.sleeping()
    assert (asleep.state, asleep.value[:15]) == ("note", "sleep (virtual,") and "--awake" in asleep.advice
    with awake.kept():
        assert machine.sleeping().value == "kept awake"
