"""Performance guidelines: which there are, and that they are found violated where they are, and nowhere else."""

import random

import pytest
from tutti.errors import UserError
from tutti.results import guidelines

SIZES, RANKS, LAUNCHES = [8, 1024, 65536], 4, 5


def results(wanted, slower=None, noise=0.02, seed=1):
    """Times of a library that keeps every guideline; `slower`: factors by collective."""
    dice, lines = random.Random(seed), []
    for launch in range(1, LAUNCHES + 1):
        for variant in ("tutti", "native"):
            for collective, size in guidelines.cases(wanted):
                vector = {"barrier", "bcast", "reduce", "allreduce", "scan", "reduce_scatter"}
                total = size if collective in vector else RANKS * size
                passes = {"barrier": 1, "allreduce": 2, "alltoallv": 2, "alltoallw": 2.1, "allgatherv": 2}
                passes |= {"gatherv": 1.5, "scatterv": 1.5, "allgather": 1.5, "alltoall": 1.9, "reduce_scatter": 1.8}
                passes |= {"reduce_scatter_block": 1.7}
                time = passes.get(collective, 1) * (2 + total / 1000) * dice.lognormvariate(0, noise)
                if variant == "tutti":
                    time *= (slower or {}).get(collective, 1)
                lines.append(
                    {"launch": launch, "ranks": RANKS, "variant": variant, "collective": collective, "size": size}
                    | {"median_us": time, "choice": "ring"}
                )
    return lines


WANTED = guidelines.guidelines(guidelines.covered(), SIZES, RANKS)


def test_sizes_of_both_sides():
    names = {each.name for each in guidelines.guidelines(["bcast", "allgather"], [1000], 3)}
    assert "bcast(1000) <= scatter(334) + allgather(334)" in names
    assert "allgather(1000) <= allreduce(3000)" in names
    assert "allgather(1000) <= gather(1000) + bcast(3000)" in names


def test_sizes_against_each_other():
    names = {each.name for each in guidelines.guidelines(["scan"], [8, 64, 65536], 4)}
    assert names == {"scan(8) <= scan(64)", "scan(64) <= 8 scan(8)", "scan(64) <= scan(64K)"}
    assert guidelines.guidelines(["barrier"], SIZES, 4)[0].name == "barrier <= allreduce(8)"


def test_every_row_of_the_table_is_about_collectives_that_can_be_measured():
    from tutti.results.comparison import COLLECTIVES

    assert {name for name, _ in guidelines.cases(WANTED)} <= set(COLLECTIVES)


@pytest.mark.parametrize("seed", range(5))
def test_a_clean_library_violates_nothing(seed):
    findings = guidelines.check(WANTED, results(WANTED, seed=seed, noise=0.05))
    assert len(findings) == 2 * len(WANTED)
    assert not [finding.guideline.name for finding in findings if finding.violated]


def test_noise_alone_is_not_reported():
    """What is the same in truth, measured badly: some ratio is far above 1 in each of these, by chance."""
    for seed in range(20):
        dice = random.Random(seed)
        lines = [
            {"launch": launch, "ranks": 2, "variant": "native", "collective": name, "size": size}
            | {"median_us": dice.lognormvariate(3, 0.3)}
            for launch in range(1, LAUNCHES + 1)
            for name, size in guidelines.cases(guidelines.guidelines(guidelines.covered(), SIZES, 2))
        ]
        wanted = [
            guidelines.guideline(2, ((a, size),), ((b, size),))
            for a, b in (("gather", "gatherv"), ("scatter", "scatterv"), ("alltoall", "alltoallv"))
            for size in SIZES
        ]
        findings = guidelines.check(wanted, lines)
        assert len(findings) == len(wanted)
        assert not any(finding.violated for finding in findings)


def test_a_slow_collective_is_found_in_its_variant_alone():
    findings = guidelines.check(WANTED, results(WANTED, {"allreduce": 4.0}))
    violated = [finding for finding in findings if finding.violated]
    assert {finding.variant for finding in violated} == {"tutti"}
    names = {finding.guideline.name for finding in violated}
    assert "allreduce(64K) <= reduce(64K) + bcast(64K)" in names
    assert all("allreduce" in name for name in names)
    worst = next(one for one in violated if one.guideline.name.startswith("allreduce(64K) <= reduce(64K)"))
    assert worst.ratio.value == pytest.approx(4, rel=0.1)
    assert worst.row()["choice"] == "ring"


def test_a_difference_that_is_sure_and_small_is_no_violation():
    lines = [
        {"launch": launch, "ranks": 2, "variant": "native", "collective": name, "size": 8, "median_us": time}
        for launch in range(1, 9)
        for name, time in (("gather", 1.08 + 1e-4 * launch), ("gatherv", 1.0))
    ]
    (found,) = guidelines.check([guidelines.guideline(2, (("gather", 8),), (("gatherv", 8),))], lines)
    assert found.ratio.interval.low > 1.07
    assert not found.violated


def test_each_state_of_caches_is_tested_by_itself():
    cold = results(WANTED)
    warm = [line | {"cache": "warm"} for line in results(WANTED, {"allreduce": 4.0}) if line["collective"] != "barrier"]
    findings = guidelines.check(WANTED, cold + warm)
    assert len(findings) == 2 * 2 * len(WANTED)  # the barrier counts in both
    assert {finding.cache for finding in findings if finding.violated} == {"warm"}


def test_holm_stops_at_the_first_that_is_not_significant():
    assert guidelines.holm([0.04, 0.001, 0.03]) == [False, True, False]
    assert guidelines.holm([0.01, 0.001, 0.03]) == [True, True, True]


def test_one_launch_is_refused():
    with pytest.raises(UserError, match="several launches"):
        guidelines.check(WANTED, [line for line in results(WANTED) if line["launch"] == 1])


def test_the_command_refuses_too_few_launches(tutti, fake_mpi):
    result = tutti("bench", "--guidelines", "--launches", 2, "--mpi", fake_mpi("mpich").prefix)
    assert result.returncode == 2
    assert "--guidelines needs 3 launches or more" in result.stderr
