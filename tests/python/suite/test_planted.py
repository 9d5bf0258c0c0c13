"""Each planted mistake still finds its place: the mistakes themselves take turns, and are made in minutes."""

import importlib

import pytest
from planting import plant
from tally import ROOT

LISTS = {
    "faults": ("tests/shm", "src/shm"),
    "planted_faults": ("tests/faults", "src"),
    "planted_request_faults": ("tests/mpi", "src/runtime/requests"),
}


@pytest.mark.parametrize("module", LISTS)
def test_places(module, monkeypatch, tmp_path):
    lists, sources = LISTS[module]
    monkeypatch.syspath_prepend(ROOT / lists)
    faults = importlib.import_module(module).FAULTS
    assert faults
    for fault in faults:
        copy = tmp_path / fault.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text((ROOT / sources / fault.file).read_text())
        assert plant(fault, tmp_path) == "", fault.name
