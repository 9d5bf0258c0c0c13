"""Several "nodes" on one Linux machine, joined by a network of a chosen rate: docs/cluster.md.

from cluster import Cluster
with Cluster(nodes=4, rate="1gbit", buffers="deep") as c:
    result = c.run("mpich", ranks=16, placement="cyclic", program=["./app"], preload="libtutti.so")
"""

from cluster.errors import CANNOT, ClusterError
from cluster.life import Cluster

__all__ = ["CANNOT", "Cluster", "ClusterError"]
