"""settings and doctor: what counts here, where it came from, and what is wrong."""

import json

import pytest
from tutti import core
from tutti.site import doctor, machine


def rows(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_variable_of_the_manual_is_there(tutti):
    found = rows(tutti("settings", "--json"))
    assert [row["variable"] for row in found] == [entry.variable for entry in core.load().settings_manual()]
    assert {row["origin"] for row in found} == {"default"}
    assert all(row["help"] and row["example"] for row in found)


def test_where_a_value_came_from(tutti):
    result = tutti("settings", "--json", TUTTI_WINDOW="8", TUTTI_ALLREDUCE="rign", TUTTI_BCAT="binomial")
    found = {row["variable"]: (row["value"], row["origin"]) for row in rows(result)}
    assert found["TUTTI_WINDOW"] == ("8", "environment")
    assert found["TUTTI_ALLREDUCE"] == ("", "default; the environment's is ignored")
    assert "tutti: warning: TUTTI_ALLREDUCE=rign is ignored" in result.stderr
    assert "tutti: warning: unknown variable TUTTI_BCAT is ignored; did you mean 'TUTTI_BCAST'?" in result.stderr
    assert result.returncode == 0


def test_the_doctor_names_what_it_tried(tutti):
    found = rows(tutti("doctor", "--no-probe", "--json"))
    names = {(row["topic"], row["name"]) for row in found}
    assert {("machine", name) for name in ("CPUs", "domains", "memfd", "/dev/shm", "process_vm_readv")} <= names
    assert {("served", name) for name in core.load().collectives()} <= names
    assert ("installation", "libtutti.so") in names
    assert all(row["state"] == "good" or row["advice"] or row["name"] == "TUTTI" for row in found)


def test_the_doctor_finds_a_bad_setting(tutti):
    result = tutti("doctor", "--no-probe", TUTTI_WINDOW="many")
    assert result.returncode == 1
    assert "TUTTI_WINDOW=many" in result.stdout
    assert result.stdout.rstrip().endswith("wrong")


def test_the_doctor_says_when_there_is_no_such_mpi(tutti):
    result = tutti("doctor", "--mpi", "mpcih")
    assert (result.returncode, result.stderr) == (2, "tutti: --mpi mpcih: there is no such MPI: did you mean mpich?\n")


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ([(-1, "node")], "node"),
        ([(1, "node"), (2, "node"), (1024, "native")], "node to 2, then native"),
        ([(1, "a"), (2048, "b"), (4096, "a")], "a to 1, then b to 2K, then a"),
    ],
)
def test_stretches(choices, text):
    assert doctor.stretches(choices) == text


def test_reading_a_siblings_memory_is_tried_and_not_guessed():
    assert machine.reads_other_process() == "" or machine.single_copy().state == "note"


def test_headroom_is_that_of_the_tightest_ancestor(monkeypatch):
    files = {
        "/proc/self/cgroup": "0::/job/step",
        "/sys/fs/cgroup/job/step/memory.max": "max",
        "/sys/fs/cgroup/job/step/memory.current": "10",
        "/sys/fs/cgroup/job/memory.max": "1000",
        "/sys/fs/cgroup/job/memory.current": "400",
    }
    monkeypatch.setattr(machine, "read", files.get)
    assert machine.cgroup_headroom() == 600
