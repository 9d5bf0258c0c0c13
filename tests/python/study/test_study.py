"""list, verify and explain: what the library knows, as a table and as JSON."""

import json
from types import SimpleNamespace

import pytest
from tutti import core
from tutti.errors import UserError
from tutti.output import Output
from tutti.study import explain, verify


def objects(result):
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def listed(result):
    """The algorithms of a list; behind them stand the node engine's variants."""
    return [row for row in objects(result) if "algorithm" in row]


def test_list_has_the_whole_catalogue(tutti):
    rows = listed(tutti("list", "--json"))
    assert [(row["collective"], row["algorithm"]) for row in rows] == [
        (entry.collective, entry.name) for entry in core.load().catalogue()
    ]
    assert all(row["cost"] and row["source"] for row in rows)


def test_every_entry_has_every_field(tutti):
    for row in listed(tutti("list", "--json")):
        assert row["constraints"].keys() == {
            "commutative",
            "power_of_two",
            "even",
            "regular",
            "least_ranks",
            "least_count",
            "by_arrival",
            "one_ported",
        }
        for parameter in row["parameters"]:
            assert parameter["least"] <= parameter["standard"] <= parameter["most"]
            assert parameter["kind"] in ("integer", "segment")
        assert isinstance(row["mpich_1_2_4"], bool)
        assert (row["ranks"], row["size"]) == (8, 1024)
        if not row["obstacle"]:
            for what in ("rounds", "moved", "reduced"):
                assert row[what] >= row[f"{what}_bound"], row


def test_list_has_the_variants_of_the_node_engine(tutti):
    rows = [row for row in objects(tutti("list", "--json")) if "variant" in row]
    assert rows == core.load().variants()
    assert {row["collective"] for row in rows} == set(core.load().collectives())
    assert all(row["cost"] and row["what"] and row["when"] for row in rows)
    assert all(row["because"] for row in rows if row["when"] != "never")
    table = tutti("list", "allreduce").stdout
    mine = [row for row in rows if row["collective"] == "allreduce"]
    assert all(row["variant"] in table and row["cost"] in table for row in mine)


def test_no_schedule_beats_the_lower_bound(tutti):
    for ranks in (2, 5, 6, 7):
        for row in listed(tutti("list", "--json", "-n", ranks, "-s", 420)):
            if not row["obstacle"]:
                assert all(row[what] >= row[f"{what}_bound"] for what in ("rounds", "moved", "reduced")), row


def test_what_mpich_1_2_4_did_is_marked(tutti):
    marked = {(row["collective"], row["algorithm"]) for row in listed(tutti("list", "--json")) if row["mpich_1_2_4"]}
    assert {("bcast", "binomial"), ("allgather", "ring"), ("gather", "linear"), ("scatter", "linear")} <= marked
    assert ("allgather", "recursive_doubling") not in marked


def test_the_table_has_what_json_has(tutti):
    table = tutti("list", "allreduce").stdout
    for row in listed(tutti("list", "allreduce", "--json")):
        assert all(row[key] in table for key in ("algorithm", "cost", "source"))
        assert all(need in table for need in row["needs"])
    counted = tutti("list", "allreduce", "-n", 64).stdout
    for row in listed(tutti("list", "allreduce", "-n", 64, "--json")):
        (line,) = (line for line in counted.splitlines() if line.split()[1:2] == [row["algorithm"]])
        columns = ("rounds", "rounds_bound", "moved", "moved_bound", "reduced", "reduced_bound", "messages")
        assert [str(row[key]) for key in columns] == [word for word in line.split() if word.isdigit()][: len(columns)]


def test_list_counts_schedules(tutti):
    rows = listed(tutti("list", "allreduce", "-n", 8, "-s", "1K,8K", "--json"))
    ring = [row for row in rows if row["algorithm"] == "ring"]
    assert [(row["size"], row["rounds"], row["moved"], row["reduced"]) for row in ring] == [
        (1024, 14, 2 * 7 * 128, 7 * 128),
        (8192, 14, 2 * 7 * 1024, 7 * 1024),
    ]


def test_more_ports_need_fewer_rounds(tutti):
    def linear(*more):
        rows = listed(tutti("list", "gather", "-n", 13, "--json", *more))
        return next((row["rounds"], row["rounds_bound"]) for row in rows if row["algorithm"] == "linear")

    assert linear() == (12, 4)
    assert linear("--ports", 3) == (4, 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "allreduec"], "tutti: there is no collective 'allreduec': did you mean allreduce?"),
        (["explain", "bcsat"], "tutti: there is no collective 'bcsat': did you mean bcast?"),
        (["verify", "--algorithm", "rign"], "tutti: there is no algorithm 'rign': did you mean ring?"),
        (
            ["verify", "bcast", "--algorithm", "brcuk"],
            "tutti: there is no algorithm 'brcuk' for bcast (tutti list bcast)",
        ),
    ],
)
def test_misspelt_names(tutti, words, said):
    result = tutti(*words)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", said + "\n")


def test_mpi_spelling_is_understood(tutti):
    assert tutti("list", "MPI_Allreduce").stdout == tutti("list", "allreduce").stdout


def test_verify_says_how_many_schedules_it_proved(tutti):
    (facts,) = objects(tutti("verify", "allreduce", "-n", "1:5,8", "--json"))
    assert facts["right"]
    assert facts["proved"] > 0
    told = tutti("verify", "allreduce", "-n", "1:5,8", "--threads", 1).stdout
    assert f"{facts['proved']} schedules of {facts['algorithms']} algorithms proved" in told


def test_groups_are_proved_listed_and_explained(tutti):
    (facts,) = objects(tutti("verify", "scan", "--algorithm", "groups", "-n", "1:5", "--json"))
    assert facts["right"]
    assert facts["proved"] > 100
    assert "groups(G, outer=X, inner=Y): X is recursive_doubling, linear" in tutti("list", "scan").stderr
    assert "groups" not in tutti("list", "gatherv").stderr
    (row,) = objects(tutti("explain", "bcast", "-n", 16, "-s", "64K", "--json", TUTTI_BCAST="groups(4, chain)"))
    assert (row["choice"], row["kind"], row["reason"]) == ("groups(4, chain)", "flat", "TUTTI_BCAST")
    (row,) = objects(tutti("explain", "bcast", "-n", 3, "-s", "64K", "--json", TUTTI_BCAST="groups(4, chain)"))
    assert row["excluded"] == ["groups(4, chain): 3 ranks do not make 4 groups"]
    (row,) = objects(tutti("explain", "bcast", "-N", 4, "--ppn", 2, "-s", "8", "--json", TUTTI_BCAST="node(chain)"))
    assert (row["choice"], row["kind"]) == ("node(chain)", "hierarchy")


def test_a_fault_is_printed_and_status_1(capsys):
    fault = "rank 3, step 2: a message never arrives"
    survey = SimpleNamespace(proved=17, subject="allreduce ring, 5 ranks", fault=fault)
    assert verify.conclude(Output(), 3, survey, 0.1) == 1
    said = capsys.readouterr().out
    assert "wrong: allreduce ring, 5 ranks" in said
    assert "a message never arrives" in said
    assert verify.conclude(Output(json=True), 3, survey, 0.1) == 1
    assert json.loads(capsys.readouterr().out)["right"] is False


def test_explain_follows_rule_setting_and_profile(tutti, tmp_path):
    words = ("explain", "allreduce", "-n", 8, "-s", "8", "--json")
    assert objects(tutti(*words))[0]["choice"] == "node"
    forced = objects(tutti(*words, TUTTI_ALLREDUCE="ring"))[0]
    assert (forced["choice"], forced["reason"]) == ("ring", "TUTTI_ALLREDUCE")
    profile = tmp_path / "mine.toml"
    profile.write_text('schema = 1\n[[rule]]\ncollective = "allreduce"\nuse = "rabenseifner"\n')
    by_rule = objects(tutti(*words, "--profile", profile))[0]
    assert by_rule["choice"] == "rabenseifner"
    assert "mine.toml" in by_rule["reason"]


def variants_of(result):
    return [row["variant"] for row in objects(result)]


def test_explain_names_the_variant_of_the_node_engine(tutti):
    words = ("explain", "allreduce", "-n", 8, "-s", "8,1K,64K", "--json")
    assert variants_of(tutti(*words)) == ["line", "slots", "striped"]
    assert variants_of(tutti(*words, TUTTI_ALLREDUCE="node(variant=slots)")) == ["slots"] * 3
    assert variants_of(tutti(*words, TUTTI_ALLREDUCE="ring")) == ["", "", ""]
    assert variants_of(tutti(*words, TUTTI_NODE_DOMAINS="2")) == ["tree", "tree", "striped"]
    assert variants_of(tutti("explain", "gatherv", "-n", 8, "-s", 8, "--json")) == [""]  # by each block
    assert "striped" in tutti("explain", "allreduce", "-n", 8, "-s", "64K").stdout


def test_explain_says_why_a_variant_does_not_serve(tutti):
    words = ("explain", "allreduce", "-n", 8, "-s", "8", "--json")
    (row,) = objects(tutti(*words, TUTTI_ALLREDUCE="node(variant=tree)"))
    assert (row["choice"], row["variant"]) == ("node(variant=tree)", "line")
    assert row["excluded"] == ["the variant of node(variant=tree): the ranks are in one domain"]
    (row,) = objects(tutti(*words, TUTTI_ALLREDUCE="node(variant=one_copy)"))
    assert (row["choice"], row["variant"]) == ("node", "line")
    assert row["excluded"] == ["node(variant=one_copy): the variant is of 2 ranks"]


def test_a_misspelt_variant_is_a_warning(tutti):
    result = tutti("explain", "allreduce", "-n", 8, "-s", "8", "--json", TUTTI_ALLREDUCE="node(variant=stripde)")
    assert objects(result)[0]["choice"] == "node"
    assert "did you mean 'striped'" in result.stderr


def test_explain_says_what_was_passed_over(tutti):
    result = tutti("explain", "allreduce", "-n", 8, "-s", "1M", "--non-commutative", TUTTI_ALLREDUCE="ring")
    assert result.returncode == 0
    assert "passed over:" in result.stdout
    assert "ring" in result.stdout.split("passed over:")[1]


def test_an_unusable_setting_is_a_warning_and_no_more(tutti):
    result = tutti("explain", "allreduce", "-n", 8, "-s", "8", "--json", TUTTI_ALLREDUCE="rign")
    assert objects(result)[0]["choice"] == "node"
    assert "TUTTI_ALLREDUCE=rign is ignored" in result.stderr
    assert "did you mean 'ring'" in result.stderr


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((8, None, None), (8, 1, 8)),
        ((None, 4, 8), (32, 4, 8)),
        ((10, 4, None), (10, 4, 3)),
        ((10, None, 4), (10, 3, 4)),
        ((None, None, 6), (6, 1, 6)),
    ],
)
def test_placement(given, expected):
    assert explain.placement(*given) == expected


@pytest.mark.parametrize("given", [(9, 2, 4), (2, 3, None)])
def test_a_placement_that_does_not_fit(given):
    with pytest.raises(UserError, match="do not fit"):
        explain.placement(*given)
