"""Reading the trees that MPICH chooses its algorithms by."""

GENERIC = {
    f"collective={name}": {
        "comm_type=intra": {f"algorithm=MPIR_{name.capitalize()}_intra_own": {}},
        "comm_type=inter": {},
    }
    for name in ("bcast", "allgather", "allreduce", "alltoall", "scan")
}


def walk(tree, facts):
    """The algorithm that a tree comes to: the first child whose test holds; the tests of these trees alone."""
    for key, below in tree.items():
        if key.startswith("algorithm="):
            return key.removeprefix("algorithm=")
        name, _, value = key.replace("<=", "=<=").partition("=")
        if value == "any":
            return walk(below, facts)
        if value.startswith("<="):
            if facts[name] <= int(value.removeprefix("<=")):
                return walk(below, facts)
        elif facts[name] == value or (value == "pow2" and facts[name] & (facts[name] - 1) == 0):
            return walk(below, facts)
    return None


def choice(tree, collective, ranks, size, total=None, hierarchy="parent"):
    facts = {
        "comm_size": ranks,
        "avg_msg_size": size,
        "total_msg_size": total or size * ranks,
        "comm_hierarchy": hierarchy,
        "is_commutative": "yes",
        "is_sendbuf_inplace": "no",
    }
    return walk(tree[f"collective={collective}"]["comm_type=intra"], facts).rpartition("_intra_")[2]
