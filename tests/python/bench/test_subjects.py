"""What can be measured, by which names and with which options; patterns of messages of a user's own."""

import dataclasses

import pytest
from helpers.measurable import an_mpi
from tutti.bench import command_line as bench
from tutti.bench.familiar import log_sizes, message_sizes, rank_counts
from tutti.bench.plan import Plan
from tutti.bench.subjects import (
    USUAL,
    Calls,
    PatternFile,
    members_of,
    pattern_file,
    patterns,
    started_for,
    subjects_named,
)
from tutti.errors import UserError
from tutti.output import Output
from tutti.results import comparison, runs, sample_cells, samples
from tutti.results.comparison import COLLECTIVES

SIX_LINES = """# a halo of four ranks
0 -> 1
2 <-> 3 4K
round
1 -> 2
3 -> 0
"""


@pytest.fixture
def halo(tmp_path):
    file = tmp_path / "halo.txt"
    file.write_text(SIX_LINES)
    return file


def test_subjects_are_checked_and_each_is_named_once():
    assert subjects_named([]) == list(USUAL)
    assert subjects_named(["pingpong,IBCAST", "pingpong", "pairs-3", "memcpy"]) == [
        "pingpong", "ibcast", "pairs-3", "memcpy",
    ]  # fmt: skip
    assert subjects_named(["nonblocking"])[0] == "ibarrier"
    assert subjects_named(["persistent"])[-1] == "exscan_init"
    assert {"pingpong", "ring", "all_to_one", "pairs"} < set(subjects_named(["messages"]))
    with pytest.raises(UserError, match="did you mean pingpong"):
        subjects_named(["pingpon"])


def test_pairs_are_as_many_as_there_can_be():
    def cases(ranks, nodes):
        return Plan(["pairs", "ibarrier"], [8], [ranks], nodes=nodes).cases

    assert cases(8, 1) == ["pairs-1:8", "pairs-2:8", "pairs-4:8", "ibarrier"]
    assert cases(12, 2) == ["pairs-1:8", "pairs-2:8", "pairs-4:8", "pairs-6:8", "ibarrier"]
    plan = Plan(["pairs"], [8], [2, 4], launches=3)
    assert plan.total == 3 * (1 + 2) == sum(len(cases) for _, _, cases in plan.rounds())


def test_a_users_pattern_is_called_as_its_file_is(halo):
    own = pattern_file(halo, [4, 5])
    assert own == PatternFile("halo", str(halo))
    assert subjects_named([], [own]) == ["halo"]
    assert subjects_named(["bcast"], [own]) == ["bcast", "halo"]
    assert Calls(patterns=(own,)).words() == ["--pattern", f"halo={halo}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 -> 1\n0 to 1\n", "line 2: expected 'FROM -> TO'"),
        ("0 -> 1\nround\n0 -> 9\n", "line 3: expected ranks from 0 to 3, found 9"),
        ("0 -> 1 many\n", "line 1: expected a size in bytes"),
        ("", "line 1: expected a message"),
    ],
)
def test_a_malformed_pattern_gives_file_line_and_what_was_expected(tutti, tmp_path, text, said):
    file = tmp_path / "halo.txt"
    file.write_text(text)
    run = tutti("bench", "--pattern", file, "-n", "4")
    assert run.returncode == 2
    assert f"{file}, {said}" in run.stderr and "Traceback" not in run.stderr


def test_names_of_patterns_are_their_own(tmp_path):
    for name in ("bcast.txt", "pairs-2.txt", "ring.txt", "memcpy.txt", "a b.txt"):
        (tmp_path / name).write_text("0 -> 1")
        with pytest.raises(UserError, match="call the file"):
            pattern_file(tmp_path / name, [2])
    with pytest.raises(UserError, match="cannot read"):
        pattern_file(tmp_path / "none.txt", [2])


def test_sizes_and_ranks_as_imb_and_osu_have_them():
    assert message_sizes("8:64") == [8, 16, 32, 64]
    assert message_sizes("4") == [1, 2, 4]
    assert message_sizes("256K:") == [1 << 18, 1 << 19, 1 << 20]
    assert message_sizes("0:2") == [0, 1, 2]
    assert log_sizes("3:5") == [0, 8, 16, 32]
    assert log_sizes("1") == [0, 1, 2]
    assert rank_counts(2, 8) == [2, 4, 8]
    assert rank_counts(2, 6) == [2, 4, 6]
    for parse, text in ((message_sizes, "8:4"), (log_sizes, "5:3"), (log_sizes, "a")):
        with pytest.raises(ValueError, match="MIN:MAX"):
            parse(text)


def test_options_that_contradict_each_other_are_refused(tutti):
    for words, said in (
        (("-s", "8", "-m", "8:16"), "-m and -s both name sizes"),
        (("-npmin", "8", "-n", "4"), "-npmin 8 is more than -n 4"),
        (("-c", "--no-check"), "leave one out"),
        (("--root", "2"), "0 to 1"),
    ):
        run = tutti("bench", *words)
        assert run.returncode == 2 and said in run.stderr and "Traceback" not in run.stderr


def test_some_of_the_ranks_measure():
    assert members_of("0,4-6,2") == [0, 4, 5, 6, 2]
    assert started_for("1,3", [2], said=False) == 4 and started_for("1,3", [8], said=True) == 8
    for text, said in (("a", "not 'a'"), ("3-1", "not '1'"), ("0,0-2", "rank 0 is named twice"), ("", "not ''"),
                       ("0-99999999", "too many")):  # fmt: skip
        with pytest.raises(UserError, match=said):
            members_of(text)
    with pytest.raises(UserError, match="with -n 3 there are ranks 0 to 2"):
        started_for("1,3", [3], said=True)
    with pytest.raises(UserError, match="one number of ranks"):
        started_for("1", [2, 4], said=True)


def measured(folder, names, sizes=(8, 5000), ranks=(4,), **plan):
    """Results of one launch of native against itself, nothing of which failed."""
    plan = Plan(names, sizes, ranks, launches=1, seconds=0.01, null=True, **plan)
    run = bench.measure(bench.Bench(plan, an_mpi(), Output(quiet=True), folder))
    assert run.failures == []
    assert all(r["repetitions"] > 0 and r["wrong"] == 0 for r in run.results)
    assert len(run.results) == 2 * plan.total
    return run.results


def test_ranks_that_do_not_measure_rest(tmp_path):
    results = measured(tmp_path / "run", ["bcast", "pingpong"], ranks=(2,), calls=Calls(on="3,1", started=4))
    assert {result["ranks"] for result in results} == {2}
    (launch,) = runs.load(tmp_path / "run").environment["launches"]
    assert launch["ranks"] == 2 and "4" in launch["command"]
    assert len({*samples.read(tmp_path / "run", results)["rank"]}) == 2


def test_every_pattern_of_messages_runs_and_is_checked(tmp_path, halo, capsys):
    own = pattern_file(halo, [4])
    results = measured(tmp_path / "run", [*patterns(), "halo"], calls=Calls(patterns=(own,)))
    halos = {r["size"]: r for r in results if r["collective"] == "halo"}
    assert halos[8]["rounds"] == 2 and halos[8]["volume"] == 3 * 8 + 2 * 4096
    shown = capsys.readouterr().out
    assert "µs a round" in shown and "MB/s" in shown and "all_to_one" in shown
    cells = {cell.key.collective: cell for cell in comparison.cells(runs.load(tmp_path / "run").results)}
    ping = cells["pingpong"]
    assert ping.latency(ping.base_us) == ping.base_us / 2
    assert ping.bandwidth(ping.base_us) == pytest.approx(2 * ping.key.size / ping.base_us)


def test_nonblocking_collectives_run_and_tell_their_overlap(tmp_path):
    results = measured(tmp_path / "run", subjects_named(["nonblocking"]), sizes=[64], ranks=[2])
    assert {r["collective"] for r in results} == {f"i{name}" for name in COLLECTIVES}
    assert all(0 <= r["overlap_percent"] <= 100 and r["together_us"] >= r["compute_us"] for r in results)


def test_persistent_collectives_run_where_the_mpi_has_them(tmp_path):
    try:
        results = measured(tmp_path / "run", ["allreduce_init", "bcast_init", "barrier_init"], sizes=[64], ranks=[2])
    except UserError as missing:
        assert "this MPI library has no" in str(missing)
        pytest.skip(str(missing))
    assert len(results) == 6


@pytest.mark.parametrize(
    "calls",
    [
        {"in_place": True},
        {"root": "rotating"},
        {"root": "1", "in_place": True, "datatype": "double", "operator": "prod"},
        {"datatype": "int", "operator": "bxor"},
        {"datatype": "long", "operator": "ordered"},
        {"operator": "user"},
        {"operator": "minloc"},
        {"datatype": "double_int", "operator": "maxloc"},
        {"datatype": "2int", "operator": "maxloc", "in_place": True},
    ],
    ids=lambda calls: ",".join(f"{key}={value}" for key, value in calls.items()),
)
def test_collectives_are_right_however_they_are_called(tmp_path, calls):
    measured(
        tmp_path / "run", COLLECTIVES, sizes=[40], ranks=[2], calls=Calls(**calls, repetitions=4), caches=("warm",)
    )


def test_strided_elements_move_and_keep_their_gaps(tmp_path):
    moving = [name for name in COLLECTIVES if not any(word in name for word in ("reduce", "scan"))]
    measured(tmp_path / "run", moving, sizes=[40], ranks=[2], calls=Calls(datatype="strided", repetitions=4))


@pytest.mark.parametrize("states", [("cold", "warm"), ("fresh", "flushed")])
def test_repetitions_are_exactly_as_many_as_asked_for(tmp_path, states):
    calls = Calls(repetitions=7, warm_ups=3)
    results = measured(tmp_path / "run", ["allreduce", "pingpong", "memcpy"], ranks=[2], calls=calls, caches=states)
    samples = sample_cells.load_times(tmp_path / "run")
    for result in results:
        # Those for which a rank came late are counted, and left out.
        assert result["repetitions"] + (result["late"] if result["repetitions"] < 7 else 0) == 7
    assert all(len(times) <= 7 for times in samples.values())


def test_settings_of_a_run_say_how_it_called():
    plan = Plan(["bcast"], [8], [2], calls=Calls(root="rotating"))
    assert dataclasses.asdict(plan)["calls"]["root"] == "rotating"
