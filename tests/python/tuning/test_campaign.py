"""tutti tune: what is measured next, in a whole campaign over made-up launches."""

import math
import random
from pathlib import Path

from tutti import core
from tutti.export import command_line as export
from tutti.tuning import campaign as campaigns
from tutti.tuning import candidates, deciding, exploring, traits
from tutti.tuning.campaign import Campaign, between, profile_for
from tutti.tuning.evidence import Cell, Gain, Store
from tutti.tuning.general import cells_of
from tutti.tuning.layout import Layout, Timed
from tutti.tuning.model import Model
from tutti.tuning.surrogate import Surrogate

FOUR, EIGHT = Layout(16, 4, 4), Layout(8)


class Machine:
    """Times by a rule of our own, with noise: flat wins short broadcasts, a pipeline long ones."""

    def __init__(self, seed=1, fails=()):
        self.random, self.fails, self.launches = random.Random(seed), fails, []

    def time(self, spec, size):
        base = {"native": 60, "flat": 20, "binomial": 40}.get(spec, 90)
        per_byte = {"native": 0.01, "flat": 0.05}.get(spec, 0.002 if spec.startswith("pipelined_chain") else 0.02)
        return (base + per_byte * size) * math.exp(self.random.gauss(0, 0.02))

    def __call__(self, runner, chosen, layout, cases, profile, seconds):
        rules, warnings = core.load().profile_rules(Path(profile).read_text(), "p")
        assert warnings == []
        self.launches.append(rules)
        for case in cases:
            call, _, state = case.partition("%")
            name, _, size = call.partition(":")
            size, self.state = int(size or 0), state or "cold"
            use = next(r["use"] for r in rules if r["collective"] == name and r["size"] in (None, (size, size)))
            if use in self.fails:
                raise campaigns.LaunchFailed("it ended with status 1")
            common = {"collective": name, "size": size, "ranks": layout.ranks, "repetitions": 9, "wrong": 0}
            common |= {"cache": self.state}
            yield Timed(common | {"variant": "tutti", "choice": use, "median_us": self.time(use, size)}, 0.01)
            yield Timed(common | {"variant": "native", "choice": "", "median_us": self.time("native", size)}, 0.01)


def campaign(tmp_path, monkeypatch, machine, sizes=(64, 4096, 65536), layout=EIGHT, **more):
    monkeypatch.setattr(campaigns, "measure", machine)
    store = Store(tmp_path / "evidence.jsonl")
    return Campaign(store, None, None, layout, cells_of(["bcast"], sizes), 20.0, **more)


def test_a_campaign_finds_the_best_and_divides_where_the_choice_changes(tmp_path, monkeypatch):
    machine = Machine()
    one = campaign(tmp_path, monkeypatch, machine)
    one.run()
    row = deciding.row_of("bcast", one.known())
    by_size = {chosen.cell.size: chosen.spec for chosen in row}
    assert by_size[64] == "flat" and by_size[65536].startswith("pipelined_chain")
    assert len(by_size) > 3 and any(size & (size - 1) for size in by_size)
    pruned = {key for rules in machine.launches for key in [(r["use"], r["size"]) for r in rules]}
    assert len(pruned) < sum(len(candidates.candidates("bcast", Layout(8), size)) for size in by_size)


def test_what_is_slower_with_warm_buffers_is_not_chosen(tmp_path, monkeypatch):
    class Warm(Machine):
        def time(self, spec, size):
            return super().time(spec, size) * (10 if spec == "flat" and self.state == "warm" else 1)

    one = campaign(tmp_path, monkeypatch, Warm(), sizes=(64,), states=("cold", "warm"))
    one.run()
    assert deciding.row_of("bcast", one.known())[0].spec == "binomial"
    assert {sample.cache for sample in one.store.samples} == {"cold", "warm"}
    assert one.known()[Cell("bcast", 64)]["flat"].slower_in == "warm"


def test_a_candidate_that_fails_in_one_state_is_given_up_alone(tmp_path, monkeypatch):
    class Breaking(Machine):
        def time(self, spec, size):
            if spec == "flat" and self.state == "warm":
                raise campaigns.LaunchFailed("it ended with status 1")
            return super().time(spec, size)

    one = campaign(tmp_path, monkeypatch, Breaking(), sizes=(64, 128), states=("cold", "warm"))
    one.run()
    specs = {chosen.cell.size: chosen.spec for chosen in deciding.row_of("bcast", one.known())}
    assert one.failures and {specs[64], specs[128]} == {"binomial"}


def test_ranks_that_do_not_start_end_the_campaign(tmp_path, monkeypatch):
    tried = []

    def machine(*words):
        tried.append(words)
        raise campaigns.NeverStarted("the launcher ended (SIGSEGV) before its ranks")
        yield

    one = campaign(tmp_path, monkeypatch, machine)
    one.run()
    assert (len(tried), one.hopeless) == (1, True)
    assert one.failures == [f"{EIGHT}: the launcher ended (SIGSEGV) before its ranks"]


def test_what_cannot_gain_enough_is_not_measured_again():
    one = exploring.Exploring(Surrogate(Model(FOUR)), FOUR, looks=1)
    gains = {"flat": Gain(0.0, 0.01, 3, 1.0, 1.0), "chain": Gain(0.0, 0.02, 3, 1.0, 1.0)}
    found = one.promising(Cell("bcast", 8), ["flat", "chain"], gains)
    assert found == ["chain"]  # up to 0.039: a gain of 3 % is not ruled out


def test_leaders_are_measured_until_they_are_well_known():
    one = Campaign.__new__(Campaign)
    flat, chain = Gain(0.30, 0.05, 6, 1.0, 1.0), Gain(0.28, 0.10, 2, 1.0, 1.0)
    behind, sure = Gain(0.2, 0.1, 2, 1.0, 1.0), Gain(0.30, 0.01, 6, 1.0, 1.0)
    assert one.next_of(["flat", "chain", "binomial"], {"flat": flat, "chain": chain}) == "binomial"
    assert one.next_of(["flat", "chain"], {"flat": flat, "chain": chain}) == "chain"  # 0.28 and half of 0.10
    assert one.next_of(["flat", "chain"], {"flat": flat, "chain": behind}) == "flat"
    assert one.next_of(["flat", "chain"], {"flat": sure, "chain": behind}) == "chain"


def test_what_may_be_faster_is_measured_until_that_is_settled():
    assert campaigns.well_known(Gain(0.30, 0.01, 6, 1.0, 1.0))
    assert not campaigns.well_known(Gain(0.04, 0.02, 16, 1.0, 1.0))  # two errors above native, and perhaps 6 %
    assert campaigns.well_known(Gain(0.04, 0.02, 30, 1.0, 1.0))
    assert campaigns.well_known(Gain(0.005, 0.02, 6, 1.0, 1.0))  # whatever it is, it is not much


def test_launches_carry_their_cases_in_different_orders(tmp_path, monkeypatch):
    machine = Machine()
    one = campaign(tmp_path, monkeypatch, machine)
    cells = {Cell("bcast", 8 << i): "flat" for i in range(12)}
    orders = []
    for one.launches in (1, 2):
        orders.append(list(one.shuffled(cells)))
    assert orders[0] != orders[1] and set(orders[0]) == set(orders[1]) == set(cells)


def test_the_first_measurements_are_of_all_kinds_then_of_least_waiting_then_of_few_messages_and_of_few_bytes():
    cell = Cell("bcast", 1 << 20)
    found = exploring.first(cell, FOUR, candidates.candidates("bcast", FOUR, cell.size))
    assert {traits.kind(spec) for spec in found[:3]} == {"flat", "groups", "node"}
    assert found[3] == "node(flat)"  # the root sends to three nodes, none of which waits for another
    assert "node(pipelined_chain(segment=8K))" in found[:10] and "node(binomial)" in found[:10]
    families = [traits.family("bcast", spec) for spec in found]
    assert len(families) == len(set(families))


def test_parameters_are_found_that_the_model_cannot_tell_apart(tmp_path, monkeypatch):
    """Eight ranks on four nodes: the best is the leader's algorithm with other senders and pieces."""

    class Hierarchy(Machine):
        def time(self, spec, size):
            factor = {"native": 3.0, "node(ring, overlap=512K, senders=2)": 1.0}.get(spec, 2.0 if "ring" in spec else 9)
            return 1000 * factor * math.exp(self.random.gauss(0, 0.02))

    monkeypatch.setattr(campaigns, "measure", Hierarchy())
    cells = cells_of(["allreduce"], [1 << 20])
    one = Campaign(Store(tmp_path / "evidence.jsonl"), None, None, Layout(8, 4, 2), cells, 20.0)
    one.run()
    assert deciding.row_of("allreduce", one.known())[0].spec == "node(ring, overlap=512K, senders=2)"


def test_only_what_another_librarys_rules_can_say_exactly():
    says = {spec for spec in candidates.candidates("bcast", FOUR, 1 << 20)
            if export.expressible("openmpi", "bcast", spec, FOUR)}  # fmt: skip
    assert {"pipelined_chain(segment=32K)", "binomial", "node(native)"} <= says
    assert not any(spec.startswith(("groups", "node(pipelined")) or "senders" in spec for spec in says)
    assert export.expressible("mpich", "bcast", "node(binomial)", FOUR)
    assert not export.expressible("intel", "bcast", "node(native)", FOUR)


def test_what_is_known_is_not_measured_again(tmp_path, monkeypatch):
    campaign(tmp_path, monkeypatch, Machine()).run()
    again = Machine()
    campaign(tmp_path, monkeypatch, again).run(refining=False, widening=False)
    assert len(again.launches) <= 2


def test_a_candidate_that_ends_badly_is_given_up(tmp_path, monkeypatch):
    one = campaign(tmp_path, monkeypatch, Machine(fails=("flat",)), sizes=(64,))
    one.run()
    assert one.failures and deciding.row_of("bcast", one.known())[0].spec == "binomial"


def test_a_launch_has_one_rule_a_size_and_sizes_between_are_no_powers_of_two():
    text = profile_for({Cell("bcast", 8): "flat", Cell("barrier", 0): "linear"})
    assert core.load().check_profile(text) == [] and text.count("[[rule]]") == 2
    assert between(4096, 32768) & (between(4096, 32768) - 1) and 64 < between(64, 512) < 512
    assert between(8, 12) in (9, 10, 11)
