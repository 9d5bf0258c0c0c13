"""Variants: how they are written, and launches of several in turns."""

import json
import re

import pytest
from helpers.measurable import an_mpi
from tutti import paths
from tutti.bench.variants import Variant, columns, of_algorithms, parse_variant, rows
from tutti.errors import UserError
from tutti.results import runs
from tutti.site.mpi import Mpi


def test_a_variant_has_variables_and_words_of_its_own():
    assert parse_variant("a:") == Variant("a")
    found = parse_variant("two.1:TUTTI_BCAST=groups(4, chain),bind=core,mpi=openmpi,ppn=2,X=")
    assert found == Variant("two.1", {"TUTTI_BCAST": "groups(4, chain)", "X": ""}, "core", "openmpi", 2)
    for text in ("a", ":X=1", "a b:X=1", "a:X", "a:ppn=0", "a:=1"):
        with pytest.raises(ValueError, match="'"):
            parse_variant(text)


def test_a_binding_is_said_as_the_launcher_has_it(tmp_path):
    bound = Variant("a", bind="core")
    assert bound.launching(Mpi("mpich", "", tmp_path, ""), "mpiexec") == ["-bind-to", "core"]
    assert bound.launching(Mpi("openmpi", "", tmp_path, ""), "mpiexec") == ["--oversubscribe", "--bind-to", "core"]
    assert bound.launching(Mpi("mpich", "", tmp_path, ""), "srun") == ["--cpu-bind=core"]
    with pytest.raises(UserError, match="bind="):
        bound.launching(Mpi("mpich", "", tmp_path, ""), "start {env:-x}")


def test_algorithms_are_variants_of_the_collectives_that_have_them():
    every = {each.name: each for each in of_algorithms("all", ["bcast", "allreduce"])}
    assert {"ring", "binomial", "node"} <= every.keys()
    assert every["node"].variables == {"TUTTI_BCAST": "node", "TUTTI_ALLREDUCE": "node"}
    assert "bcast" not in of_algorithms("rabenseifner", ["bcast", "allreduce"])[0].collectives
    assert [v.name for v in of_algorithms("ring,groups(2, ring)", ["allreduce"])] == ["ring", "groups-2-ring"]
    with pytest.raises(UserError, match="did you mean ring"):
        of_algorithms("rin", ["allreduce"])


def result(launch, median, variant="tutti"):
    return {"launch": launch, "ranks": 2, "collective": "bcast", "size": 8, "variant": variant, "repetitions": 9,
            "median_us": median, "choice": "node" if variant == "tutti" else ""}  # fmt: skip


def test_variants_stand_beside_the_first_one():
    table = rows({"a": [result(1, 2.0), result(2, 2.2)], "b": [result(1, 1.0), result(2, 1.1)]})
    assert [row["variant"] for row in table] == ["a", "b"]
    assert table[0]["ratio"] is None and table[1]["ratio"] == pytest.approx(2)
    assert table[1]["verdict"] == "faster" and table[1]["choice"] == "node"


def test_variants_of_ranks_that_come_late_show_what_they_leave():
    late = {"arrival": "random 1ms", "avoidable_us": 7.0}
    together, apart = rows({"a": [result(1, 2.0)]}), rows({"a": [result(1, 2.0) | late]})
    assert (together[0]["avoidable_us"], apart[0]["avoidable_us"]) == (None, 7.0)
    assert [column.key for column in columns("a", late=True)][-2:] == ["avoidable_us", "choice"]


def test_launches_of_variants_take_turns(tutti, tmp_path):
    an_mpi()
    try:
        paths.library()
    except UserError as missing:
        pytest.skip(str(missing))
    done = tutti("bench", "barrier", "allreduce", "-n", "2", "-s", "8", "--algorithms", "ring,node", "--launches", "2",
                 "--seconds", "0.02", "--json", "-o", tmp_path / "run")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    served = {(row["variant"], row["collective"]): row["choice"] for row in found if row.get("calls") == "tutti"}
    assert served["ring", "allreduce"] == "ring" and served["node", "barrier"] == "node"
    assert ("ring", "barrier") not in served
    for name in ("ring", "node"):
        run = runs.load(tmp_path / "run" / name)
        assert {r["launch"] for r in run.results} == {1, 2}
        assert run.environment["settings"]["variant"]["name"] == name


@pytest.mark.parametrize(
    ("collective", "spec", "said"),
    [
        ("alltoall", "node(copy=clok)", "did you mean 'clock'"),
        ("alltoall", "node(copi=clock)", "unknown parameter 'copi' of node"),
        ("allgather", "ring(x=1)", "'ring' takes no parameters"),
        ("allgather", "rong", "no algorithm 'rong'"),
    ],
)
def test_an_algorithm_is_refused_with_the_reason(collective, spec, said):
    with pytest.raises(UserError, match=re.escape(said)):
        of_algorithms(spec, [collective])
