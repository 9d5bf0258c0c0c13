"""tutti run: what reaches the ranks, what is said, and which status comes back."""

import json
import sys

import pytest

SERVED = json.dumps({"calls": 12, "node": 5, "flat": 1, "hierarchy": 3, "reason": ""})
UNSERVED = json.dumps({"calls": 9, "node": 0, "flat": 0, "reason": "TUTTI=off"})


def test_ranks_get_the_library_and_the_launcher_does_not(tutti, fake_mpi):
    mpi = fake_mpi("mpich", SERVED)
    result = tutti("run", "-n", 3, "--mpi", mpi.prefix, "true", "--its", "-n")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    words = mpi.words
    assert words[0:2] == ["-genv", "LD_PRELOAD"]
    assert words[2].endswith("/libtutti.so")
    assert words[-5:] == ["-n", "3", "true", "--its", "-n"]


def test_open_mpi_has_words_of_its_own(tutti, fake_mpi):
    mpi = fake_mpi("openmpi", SERVED)
    result = tutti("run", "-n", 300, "--mpi", mpi.prefix, "true", TUTTI_ALLREDUCE="ring")
    assert result.returncode == 0
    assert "--oversubscribe" in mpi.words
    assert any(word.startswith("LD_PRELOAD=") for word in mpi.words)
    assert mpi.words[mpi.words.index("TUTTI_ALLREDUCE") - 1] == "-x"


def test_ranks_per_node(tutti, fake_mpi):
    mpi = fake_mpi("mpich", SERVED)
    assert tutti("run", "-N", 4, "--ppn", 8, "--mpi", mpi.prefix, "true").returncode == 0
    assert mpi.words[mpi.words.index("-ppn") + 1] == "8"
    assert mpi.words[mpi.words.index("-n") + 1] == "32"


def test_the_launchers_own_options_come_after_dashes(tutti, fake_mpi):
    mpi = fake_mpi("mpich", SERVED)
    result = tutti("run", "-n", 2, "--mpi", mpi.prefix, "--", "--hostfile", "hosts", "true")
    assert result.returncode == 0, result.stderr
    assert mpi.words[-3:] == ["--hostfile", "hosts", "true"]


def test_the_status_is_the_programs(tutti, fake_mpi):
    mpi = fake_mpi("mpich", SERVED)
    assert tutti("run", "--mpi", mpi.prefix, "sh", "-c", "exit 7").returncode == 7


def test_a_profile_reaches_the_ranks_by_its_absolute_path(tutti, fake_mpi, tmp_path):
    mpi = fake_mpi("mpich", SERVED)
    (tmp_path / "p.toml").write_text("")
    assert tutti("run", "--mpi", mpi.prefix, "--profile", tmp_path / "p.toml", "true").returncode == 0
    assert mpi.words[mpi.words.index("TUTTI_PROFILE") + 1] == str(tmp_path / "p.toml")
    missing = tutti("run", "--mpi", mpi.prefix, "--profile", tmp_path / "no.toml", "true")
    assert (missing.returncode, missing.stderr) == (2, f"tutti: there is no profile {tmp_path / 'no.toml'}\n")


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ("", "tutti: the program did not call MPI_Finalize through tutti"),
        (UNSERVED, "tutti: no collective was served (rank 0 made 9 calls): TUTTI=off"),
        (
            json.dumps({"calls": 0, "node": 0, "flat": 0, "reason": ""}),
            "tutti: no collective was served: rank 0 called none",
        ),
        ("no JSON", "tutti: the program did not call MPI_Finalize through tutti"),
    ],
)
def test_at_exit_it_says_when_nothing_was_served(tutti, fake_mpi, report, said):
    mpi = fake_mpi("mpich", report)
    result = tutti("run", "--mpi", mpi.prefix, "true")
    assert result.returncode == 0
    assert result.stderr.startswith(said)
    assert tutti("run", "-q", "--mpi", mpi.prefix, "true").stderr == ""


def test_a_summary_on_request(tutti, fake_mpi):
    result = tutti("run", "-v", "--mpi", fake_mpi("mpich", SERVED).prefix, "true")
    inside = "12 collective calls: 5 by the node engine, 1 by tutti's schedules, 3 in nodes and between them"
    assert f"{inside}, 3 by the MPI itself" in result.stderr


def test_what_cannot_start_is_said_in_one_line(tutti, fake_mpi, tmp_path):
    mpi = fake_mpi().prefix
    (tmp_path / "text").write_text("")
    for program, status, said in [
        ("./no-such-app", 127, "there is no program ./no-such-app: give the path"),
        (str(tmp_path / "text"), 2, "is not executable: chmod +x"),
        (str(tmp_path), 2, "is a folder, not a program"),
    ]:
        result = tutti("run", "--mpi", mpi, program)
        assert result.returncode == status
        assert said in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_misspelt_or_missing_mpi_is_said_in_one_line(tutti, tmp_path):
    result = tutti("run", "--mpi", "opnmpi", "true")
    assert (result.returncode, result.stderr) == (
        2,
        "tutti: --mpi opnmpi: there is no such MPI: did you mean openmpi?\n",
    )
    result = tutti("run", "--mpi", tmp_path, "true")
    assert result.returncode == 2
    assert "there is no bin/mpiexec in that folder" in result.stderr


def test_without_srun_it_says_so(tutti, tmp_path):
    result = tutti("run", "--launcher", "srun", sys.executable, path=str(tmp_path))
    assert (result.returncode, result.stderr) == (
        2,
        "tutti: there is no srun on PATH: leave --launcher out, or run this where Slurm is\n",
    )
