"""tutti bench: plans, launches that end well or badly, and a real measurement where the build is there."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from helpers.measurable import an_mpi
from tutti import paths
from tutti.bench import command_line as bench
from tutti.bench.launch import Launch, LaunchFailed, Refused, as_event, library_of
from tutti.bench.plan import Plan, collectives_named
from tutti.demo import plan_for, rank_counts
from tutti.errors import UserError
from tutti.output import Output
from tutti.results import comparison, runs
from tutti.results.comparison import COLLECTIVES
from tutti.site import launch, mpi


def test_collectives_are_checked_and_each_is_named_once():
    assert collectives_named([]) == ["barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"]
    assert collectives_named(["scan", "bcast,scan"]) == ["scan", "bcast"]
    assert collectives_named(["all"]) == list(COLLECTIVES)
    with pytest.raises(UserError, match="did you mean allreduce"):
        collectives_named(["alreduce"])


def test_a_plan_has_every_case_in_every_launch_in_changing_order():
    plan = Plan(["barrier", "bcast", "reduce"], [8, 1024, 65536], [2, 4], launches=3)
    assert plan.cases[:3] == ["barrier", "bcast:8", "bcast:1024"]
    rounds = list(plan.rounds())
    assert [(number, ranks) for number, ranks, _ in rounds] == [(n, r) for n in (1, 2, 3) for r in (2, 4)]
    assert all(sorted(cases) == sorted(plan.cases) for _, _, cases in rounds)
    assert len({tuple(cases) for _, _, cases in rounds}) > 1
    assert plan.total == sum(len(cases) for _, _, cases in rounds)
    assert list(plan.rounds()) == rounds  # the seed makes it repeatable


@pytest.mark.parametrize("cpus", [1, 2, 4, 16, 96])
def test_the_demo_has_few_ranks_and_more_than_cpus_within_its_time(cpus):
    counts = rank_counts(cpus)
    assert counts[0] == 2 and counts[-1] > cpus
    assert plan_for(cpus).total * plan_for(cpus).seconds <= 40


def script(text):
    return [sys.executable, "-c", textwrap.dedent(text)]


def start(text, patience=20.0):
    said = []
    return Launch(script(text), os.environ, said.append, patience), said


def test_a_launch_gives_events_and_passes_on_what_else_is_said():
    launch, said = start("""
        import sys
        print('{"event": "start", "size": 8}'); print("{ no event"); print("a warning", file=sys.stderr)
        print('{"event": "end", "wrong": 0}')
    """)
    assert [event["event"] for event in launch] == ["start", "end"]
    assert sorted(said) == ["a warning", "{ no event"]


def test_a_launch_that_ends_badly_says_why():
    launch, _ = start("import sys; print('{\"event\": \"start\"}'); sys.exit('no memory')")
    with pytest.raises(LaunchFailed, match="status 1: no memory"):
        list(launch)


def test_a_launch_that_is_refused_gives_the_reason_alone():
    launch, _ = start("import sys; print('tutti-bench: no such thing', file=sys.stderr); sys.exit(2)")
    with pytest.raises(Refused, match=r"^no such thing$"):
        list(launch)


def test_a_launch_that_hangs_is_ended():
    launch, _ = start("import time; time.sleep(600)", patience=1.0)
    begin = time.monotonic()
    with pytest.raises(LaunchFailed, match="hang"):
        list(launch)
    assert time.monotonic() - begin < 15


def test_a_launch_that_cannot_start_is_not_tried_again(tmp_path, monkeypatch, capsys):
    tried = tmp_path / "tried"
    program = f"import sys; print(1, file=open({str(tried)!r}, 'a')); sys.exit('no more processes')"
    monkeypatch.setattr("tutti.bench.run.bench_command", lambda *_, **__: script(program))
    plan = Plan(["bcast"], [8], [2, 4], launches=5, seconds=0.01)
    measured = bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run")
    measured.run()
    assert len(tried.read_text().splitlines()) == 2  # one for each number of ranks
    assert [failure.endswith("ranks are not started again") for failure in measured.failures] == [True, True]
    assert "status 1: no more processes" in measured.failures[0]
    assert bench.conclude(measured) == 1


def test_lines_that_are_no_events():
    for line in ("", "text", "{", "[1]", '{"a": 1}'):
        assert as_event(line) is None


def test_a_library_is_found_beside_its_launcher(tmp_path):
    for folder, file in (("bin", "mpiexec"), ("lib", "libmpi.so.40")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).touch()
    chosen = mpi.Mpi("openmpi", "5", tmp_path / "bin" / "mpiexec", "named by --mpi", tmp_path)
    assert library_of(chosen) == tmp_path / "lib" / "libmpi.so.40"
    with pytest.raises(UserError, match="--mpi PREFIX"):
        library_of(mpi.Mpi("mpich", "5", tmp_path / "bin" / "mpiexec", "named by --mpi", tmp_path))


def test_a_null_test_measures_every_collective_and_saves_it(tmp_path, capsys):
    plan = Plan(list(COLLECTIVES), [4, 5000], [3], launches=2, seconds=0.01, null=True)
    measured = bench.measure(bench.Bench(plan, an_mpi(), Output(json=True, quiet=True), tmp_path / "run"))
    assert measured.failures == []
    run = runs.load(tmp_path / "run")
    cases = {(r["collective"], r["size"], r["variant"]) for r in run.results}
    assert len(cases) == 2 * (1 + 2 * (len(COLLECTIVES) - 1))
    assert all(r["repetitions"] > 0 and r["wrong"] == 0 for r in run.results)
    assert [entry["launch"] for entry in run.environment["launches"]] == [1, 2]
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum("verdict" in row for row in rows) == len(plan.cases)


def test_native_beside_tutti_says_what_served_the_calls(tmp_path):
    plan = Plan(["barrier", "allreduce"], [8], [2], launches=2, seconds=0.05)
    chosen = an_mpi()
    try:
        paths.library()
    except UserError as missing:
        pytest.skip(str(missing))
    measured = bench.measure(bench.Bench(plan, chosen, Output(quiet=True), tmp_path / "run"))
    assert measured.failures == []
    served = {r["collective"]: r["choice"] for r in measured.results if r["variant"] == "tutti"}
    assert served.keys() == {"barrier", "allreduce"} and all(served.values())


def test_the_bound_stands_beside_what_the_node_engine_served(tmp_path, capsys):
    try:
        paths.library()
    except UserError as missing:
        pytest.skip(str(missing))
    ranks = [1, 2, 5]
    plan = Plan(["barrier", "bcast", "allreduce"], [8, 4096], ranks, launches=1, seconds=0.05, bound=True, spec="node")
    measured = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert measured.failures == []
    table = comparison.cells(runs.load(tmp_path / "run").results)
    assert all((cell.bound_us is None) == (cell.key.ranks == 1) for cell in table)
    assert all(cell.times_bound > 0.3 for cell in table if cell.key.ranks == 2)
    assert "x bound" in capsys.readouterr().out
    (both,) = {json.dumps(r["bound"]) for r in measured.results if (r["ranks"], r["collective"]) == (2, "barrier")}
    assert json.loads(both)["flags"] == 1


def test_the_bound_is_about_one_node(tutti):
    done = tutti("bench", "--bound", "-N", "2")
    assert done.returncode == 2 and "--bound is about one node" in done.stderr


def test_two_ranks_know_the_size_of_what_they_send_each_other(tmp_path):
    chosen = an_mpi()
    rules = [("native", 'size = "1K:"'), ("node", "")]
    profile = "schema = 1\n" + "".join(
        f'[[rule]]\ncollective = "{name}"\nuse = "{use}"\nranks = "2"\n{size}\n'
        for name in ("alltoallv", "alltoallw") for use, size in rules
    )  # fmt: skip
    (tmp_path / "two.toml").write_text(profile)
    plan = Plan(["alltoallv", "alltoallw"], [64, 4096], [2], launches=1, seconds=0.02)
    run = bench.Bench(plan, chosen, Output(quiet=True), tmp_path / "run", profile=str(tmp_path / "two.toml"))
    served = {(r["collective"], r["size"]): r["choice"] for r in bench.measure(run).results if r["variant"] == "tutti"}
    assert served == {(name, size): "node" if size == 64 else "native"
                      for name in ("alltoallv", "alltoallw") for size in (64, 4096)}  # fmt: skip


def test_a_slowdown_that_was_put_in_is_found(tmp_path, monkeypatch):
    chosen = an_mpi()
    monkeypatch.setenv("TUTTI_BENCH_SLOWER", "bcast:0.5")
    plan = Plan(["bcast", "reduce"], [65536], [2], launches=3, seconds=0.1, null=True)
    measured = bench.measure(bench.Bench(plan, chosen, Output(quiet=True), tmp_path / "run"))
    ratios = {cell.key.collective: cell.ratio.value for cell in comparison.cells(measured.results)}
    assert ratios["bcast"] < 0.8 < ratios["reduce"]


FAULTY = """
#define _GNU_SOURCE
#include <dlfcn.h>
const char* tutti_version(void) { return "faulty"; }
/* Handles are int or pointers: both fit a long in a register. */
int MPI_Allreduce(const void* in, void* out, long count, long type, long op, long comm) {
  int (*next)(const void*, void*, long, long, long, long) = dlsym(RTLD_DEFAULT, "PMPI_Allreduce");
  const int error = next(in, out, count, type, op, comm);
  ((char*)out)[0] ^= 1;
  return error;
}
"""


def test_a_wrong_result_is_noticed_and_ends_with_status_1(tmp_path, monkeypatch, capsys):
    compiler = shutil.which("cc") or shutil.which("gcc") or pytest.skip("there is no C compiler")
    chosen = an_mpi()
    (tmp_path / "faulty.c").write_text(FAULTY)
    faulty = tmp_path / "faulty.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", faulty, tmp_path / "faulty.c", "-ldl"], check=True)
    monkeypatch.setattr("tutti.site.launch.preload", lambda: str(faulty))
    monkeypatch.setattr(paths, "library", lambda: faulty)
    plan = Plan(["allreduce", "barrier"], [64], [2], launches=1, seconds=0.02)
    measured = bench.measure(bench.Bench(plan, chosen, Output(quiet=True), tmp_path / "run"))
    assert bench.conclude(measured) == 1
    assert "allreduce 64 at 2 ranks: tutti gave a wrong result" in measured.failures[0]
    wrong = {(r["collective"], r["variant"]): r["wrong"] for r in measured.results}
    assert wrong["allreduce", "tutti"] > 0
    assert wrong["allreduce", "native"] == wrong["barrier", "tutti"] == wrong["barrier", "native"] == 0
    assert " wrong " in capsys.readouterr().out


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    an_mpi()
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tutti", "bench", "barrier", "bcast", "-n", "2", "--null", "-o", str(folder),
               "--seconds", "0.2", "--launches", "200"]  # fmt: skip
    # A shell's background job, as CI may be, ignores the interrupt, and so would what it starts.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    finally:
        signal.signal(signal.SIGINT, ours)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not finished_results(folder):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "interrupted" in errors and "Traceback" not in errors
    assert "native/again" in out
    assert runs.load(folder).results


def finished_results(folder: Path) -> int:
    file = folder / runs.RESULTS
    return len(file.read_text().splitlines()) if file.exists() else 0


def test_a_budget_ends_the_launches_but_not_the_first(tmp_path):
    plan = Plan(["barrier"], [8], [2, 3], launches=50, seconds=0.01, null=True, budget=0.001)
    measured = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), tmp_path / "run"))
    assert {(r["launch"], r["ranks"]) for r in measured.results} == {(1, 2), (1, 3)}


def test_ranks_that_are_measured_have_a_core_each_where_there_are_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "cores", lambda: 2)
    for name in launch.SCHEDULERS:
        monkeypatch.delenv(name, raising=False)
    mpich = mpi.Mpi("mpich", "5", tmp_path / "bin" / "mpiexec", "named by --mpi", tmp_path)

    def words(ranks, **options):
        return launch.Job(mpich, ranks, **options).command(["true"])

    assert words(2, bound=True)[1:3] == ["-bind-to", "core"]
    assert "-bind-to" not in words(3, bound=True)  # not enough
    assert "-bind-to" not in words(1, bound=True)
    assert "-bind-to" not in words(2)  # a program of the user's own
    assert "-bind-to" not in words(2, bound=True, extra=["-hosts", "a"])
