"""Numbers of ranks that no machine of this size can mean are refused, unless the user insists."""

import pytest
from tutti.errors import UserError
from tutti.site import crowding, launch


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    """Of 8 CPUs, without a batch system."""
    monkeypatch.setattr(launch, "cpus", lambda: 8)
    for name in crowding.HOSTS:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("ranks", "nodes", "launcher"),
    [
        (128, None, "mpiexec"),  # 16 for each CPU
        (4096, None, "srun"),  # Slurm knows its nodes
        (4096, 64, "srun"),
        (4096, None, "mpirun -np {ranks} --hostfile hosts {env:-x}"),
    ],
)
def test_what_a_machine_can_mean_is_started(ranks, nodes, launcher):
    crowding.check([2, ranks], nodes, launcher, insisted=False)


@pytest.mark.parametrize(
    ("ranks", "nodes", "launcher", "said"),
    [
        (129, None, "mpiexec", r"^129 ranks, and this machine has 8 CPUs: at most 128 .* --oversubscribe"),
        (99999, 2, "srun", "99999 ranks, 50000 on a node,"),
        (1024, 512, "mpiexec", "1024 ranks, and"),  # no list of hosts: all of them start here
    ],
)
def test_more_is_refused_with_the_option_that_insists(ranks, nodes, launcher, said):
    with pytest.raises(UserError, match=said):
        crowding.check([ranks], nodes, launcher, insisted=False)
    crowding.check([ranks], nodes, launcher, insisted=True)


def test_a_list_of_hosts_means_other_machines(monkeypatch):
    monkeypatch.setenv("HYDRA_HOST_FILE", "hosts")
    crowding.check([99999], None, "mpiexec", insisted=False)
    crowding.check([1024], 512, "mpiexec", insisted=False)


def test_a_small_machine_may_have_its_small_crowd(monkeypatch):
    monkeypatch.setattr(launch, "cpus", lambda: 1)
    crowding.check([64], None, "mpiexec", insisted=False)
    with pytest.raises(UserError, match="1 CPU:"):
        crowding.check([65], None, "mpiexec", insisted=False)


@pytest.mark.parametrize(
    "words",
    [
        ("bench", "-n", 99999),
        ("bench", "-n", 99999, "--imbalance", 0.1),
        ("bench", "-n", 99999, "--clock-check", 1),
        ("bench", "bcast", "--on", "0,99998"),
        ("bench", "bcast", "--variant", "a:on=0-1", "--variant", "b:on=0-99998"),
        ("tune", "-n", 99999, "-o", "x.toml"),
        ("tune", "--node", "-n", "2,99999", "-o", "x.toml"),
        ("reproduce", "hamid", "-n", "2,99999"),
    ],
)
def test_every_command_that_starts_ranks_refuses_in_one_line(tutti, fake_mpi, words, tmp_path):
    mpi = fake_mpi().prefix
    result = tutti(*words, "--mpi", mpi)
    assert result.returncode == 2
    assert result.stderr.startswith("tutti: 99999 ranks") or "--on" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (mpi / "words").exists()
