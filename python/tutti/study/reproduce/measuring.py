"""What has to be measured for each chapter, on each network: it goes on from what a folder holds."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from tutti.bench.plan import Plan
from tutti.bench.run import Bench, take_turns
from tutti.bench.variants import Variant
from tutti.output import Output
from tutti.site.mpi import Mpi
from tutti.study.reproduce import changeovers, hamid, versions
from tutti.study.reproduce.networks import Network, Unavailable
from tutti.tuning.campaign import Campaign
from tutti.tuning.evidence import Store
from tutti.tuning.layout import Local

EVIDENCE = "changeovers.jsonl"


@dataclass
class Measuring:
    """One MPI.  `launches` and `seconds` are of the pictures' cases, `minutes` of each layout of the changeovers."""

    mpi: Mpi
    out: Output
    folder: Path
    launches: int
    seconds: float
    minutes: float
    missing: list[str] = field(default_factory=list)
    interrupted: bool = False

    def launcher(self, network: Network, own: str) -> str | None:
        """As --launcher has it; None, and said, where nothing can be measured.  `own`: the user's, for the user's."""
        try:
            return own if network.name == "own" else network.launcher(self.mpi)
        except Unavailable as why:
            self.missing.append(f"{network.title}: {why}")
            self.out.warn(f"left out: {self.missing[-1]}")
            return None

    def pictures(self, network: Network, launcher: str) -> Path | None:
        """Folder of a run that has results."""
        self.out.note(f"{self.mpi.title}, {network.title}: averages and distributions")
        place = self.folder / network.name
        plan = Plan(hamid.COLLECTIVES, hamid.SIZES, network.ranks, self.launches, self.seconds, nodes=network.nodes)
        bench = Bench(plan, self.mpi, self.out, place, launcher=launcher, nodes=network.nodes)
        bench.run()
        self.missing += bench.failures
        self.interrupted |= bench.interrupted
        return place if bench.results else None

    def versions(self, network: Network, own: str, earlier: Mpi) -> versions.Releases | None:
        """Both releases in turns; None where one has no results.  `own`: --launcher of the user's own network."""
        self.out.note(f"{earlier.title} and {self.mpi.title}, {network.title}: the releases beside each other")
        ranks = versions.ranks_for(network, len(os.sched_getaffinity(0)))
        plan = Plan(
            versions.COLLECTIVES, versions.SIZES, ranks, max(3, self.launches), self.seconds / 2, null=True,
            nodes=network.nodes,
        )  # fmt: skip
        benches = []
        for release in (earlier, self.mpi):
            how = own if network.name == "own" else network.launcher(release)
            place = self.folder / network.name / f"release-{release.version}"
            more = {"launcher": how, "nodes": network.nodes, "variant": Variant(release.title)}
            benches.append(Bench(plan, release, self.out, place, **more))
        take_turns(benches, self.out)
        self.missing += [failure for bench in benches for failure in bench.failures]
        self.interrupted |= any(bench.interrupted for bench in benches)
        return versions.Releases(network.title, *benches) if all(bench.results for bench in benches) else None

    def changeovers(self, network: Network, launcher: str) -> Store:
        """Evidence on each layout of the network."""
        store = Store(self.folder / network.name / EVIDENCE)
        runner = Local(self.mpi, launcher, on_message=self.out.detail)
        allowed = changeovers.allowed()
        try:
            for layout in changeovers.layouts(network.nodes):
                self.out.note(f"{self.mpi.title}, {network.title}: changeovers on {layout}")
                seconds = 60 * self.minutes
                campaign = Campaign(store, runner, self.mpi, layout, list(allowed), seconds, allowed=allowed)
                campaign.run()
                self.missing += dict.fromkeys(campaign.failures)
        except KeyboardInterrupt:
            self.interrupted = True
        return store
