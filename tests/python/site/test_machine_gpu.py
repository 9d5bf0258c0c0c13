"""What doctor and explain say where there is a GPU."""

import pytest
from click.testing import CliRunner
from tutti.site import machine
from tutti.study import explain


@pytest.fixture
def gpu(tmp_path, monkeypatch):
    device = tmp_path / "nvidiactl"
    device.touch()
    monkeypatch.setattr(machine, "GPU_DEVICES", (str(device),))
    return str(device)


def test_nothing_is_said_where_there_is_none(monkeypatch):
    monkeypatch.setattr(machine, "GPU_DEVICES", ())
    assert list(machine.gpus()) == []


def test_a_gpu_is_named_with_the_way_out(gpu, monkeypatch):
    monkeypatch.delenv("TUTTI_GPU", raising=False)
    (finding,) = machine.gpus()
    assert (finding.value, finding.state) == (gpu, "note")
    assert "TUTTI_GPU=host" in finding.advice


def test_with_the_promise_of_host_memory_there_is_no_advice(gpu, monkeypatch):
    monkeypatch.setenv("TUTTI_GPU", "host")
    (finding,) = machine.gpus()
    assert (finding.state, finding.advice) == ("good", "")


def test_explain_says_so(gpu):
    result = CliRunner().invoke(explain.command, ["allreduce", "-n", "4"])
    assert result.exit_code == 0
    assert "TUTTI_GPU=host" in result.output
