"""The ranks of a job among the processes of this machine, and where each of them is."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time

import pytest
from tutti.errors import UserError
from tutti.hang import finding, stack
from tutti.hang.objects import Objects

SCRIPT = """#!/bin/sh
for rank in 0 1; do PMI_RANK=$rank PMI_SIZE=2 MPI_LOCALNRANKS=2 SLURM_JOB_ID={job} sleep 60 & done
wait
"""


def below_when(pid, sleeping):
    """The process and its descendants, once so many of them are `sleep`: until then they are copies of a shell."""
    for _ in range(400):
        found = finding.Processes().below(pid)
        if sum(finding.program(each.number) == "sleep" for each in found) == sleeping:
            return found
        time.sleep(0.05)
    raise AssertionError("they do not begin")


def end(started):
    """Parents first: a shell whose children have ended ends by itself."""
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.number, 9)


@pytest.fixture
def launcher(tmp_path):
    """A launcher's process, whose ranks sleep."""
    program = tmp_path / "mpiexec"
    program.write_text(SCRIPT.format(job=f"{os.getpid()}7"))
    program.chmod(0o755)
    with subprocess.Popen([program]) as process:
        below_when(process.pid, 2)
        yield process.pid
        end(finding.Processes().below(process.pid))


def test_a_launcher_has_its_ranks(launcher):
    found = finding.find([str(launcher)])
    assert [(each.rank, each.size, each.here) for each in found] == [(0, 2, 2), (1, 2, 2)]


def test_a_rank_has_its_siblings(launcher):
    one = finding.find([str(launcher)])[1]
    assert [each.rank for each in finding.find([str(one.pid)])] == [0, 1]


def test_who_started_the_launcher_has_its_ranks(launcher):
    children = {each.number for each in finding.Processes().below(os.getpid())}
    assert launcher in children
    assert {each.rank for each in finding.members(finding.Processes(), finding.Processes().below(os.getpid()))} == {
        0,
        1,
    }


def test_a_launcher_above_another_program_is_not_the_job_s(tmp_path):
    outer, inner = tmp_path / "srun", tmp_path / "mpiexec"
    inner.write_text(SCRIPT.format(job=1))
    outer.write_text(f"#!/bin/sh\nsh -c '{inner} & {inner} & wait'\n")
    for program in (outer, inner):
        program.chmod(0o755)
    with subprocess.Popen([outer]) as process:
        below = below_when(process.pid, 4)
        first, second = (each.number for each in below if finding.program(each.number) == "mpiexec")
        found = {launcher: {each.pid for each in finding.find([str(launcher)])} for launcher in (first, second)}
        end(below)
    assert len(found[first]) == len(found[second]) == 2
    assert not found[first] & found[second]


def test_a_scheduler_s_job_has_its_ranks(launcher):
    assert [each.rank for each in finding.find([f"{os.getpid()}7"])] == [0, 1]


def test_no_job_of_that_number():
    with pytest.raises(UserError, match="neither a launcher, nor a rank, nor a job"):
        finding.find(["999999999"])
    with pytest.raises(UserError, match="neither a launcher, nor a rank, nor a job"):
        finding.find([str(os.getpid())])


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("MPI_Recv", "MPI_Recv"),
        ("PMPI_Wait", "MPI_Wait"),
        ("mpi_waitall_", "MPI_Waitall"),
        ("mpi_recv__", "MPI_Recv"),
        ("MPI_RECV", "MPI_Recv"),
        ("MPI_Recv_f08", "MPI_Recv"),
        ("MPI_Comm_split", "MPI_Comm_split"),
    ],
)
def test_functions_of_mpi_by_their_names_in_c(symbol, name):
    assert stack.is_mpi(symbol)
    assert stack.plain(symbol) == name


def place_of(code, settled):
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            for _ in range(100):
                time.sleep(0.05)
                where = stack.look(Objects(process.pid), process.pid)
                if where.kind in settled:
                    break
            return where
        finally:
            process.kill()


def test_a_process_that_sleeps():
    assert place_of("import time; time.sleep(60)", ("asleep",)).kind == "asleep"


def test_a_process_that_computes_goes_on_afterwards():
    code = "import sys\nwhile True: sum(range(1000))"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            time.sleep(0.5)
            kinds = {stack.look(Objects(process.pid), process.pid).kind for _ in range(5)}
            state = finding.Processes().by_number[process.pid].state
            assert kinds == {"program"}
            assert state not in "Tt"  # not stopped
            assert process.poll() is None
        finally:
            process.kill()


def test_a_process_that_waits_for_input():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        try:
            for _ in range(200):
                time.sleep(0.05)
                where = stack.look(Objects(process.pid), process.pid)
                if where.function == "read" and finding.program(process.pid) == "cat":
                    break
            assert (where.kind, where.function) == ("program", "read")
        finally:
            process.kill()


def test_a_process_that_is_gone():
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert stack.look(Objects(process.pid), process.pid).kind == "unknown"
