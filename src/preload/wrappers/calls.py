"""The one table of intercepted collectives: names and parameters of the blocking ones, as in the MPI standard.

From each follow its nonblocking form (`MPI_Iallreduce`: a request at the end) and the one that makes a persistent
request (`MPI_Allreduce_init`: an info and a request at the end).

A row is the collective and its parameters in order.  A parameter's name says its kind (`KINDS`) and where it goes in
`mpi::Operation` (`MEMBERS`); the argument that may be MPI_IN_PLACE is marked with `*`.  Displacements are called
`sdispls` or `rdispls` by the side they belong to, whatever the standard calls them.
"""

from __future__ import annotations

from dataclasses import dataclass

TABLE = """
Barrier               comm
Bcast                 buffer count datatype root comm
Gather                sendbuf* sendcount sendtype recvbuf recvcount recvtype root comm
Gatherv               sendbuf* sendcount sendtype recvbuf recvcounts rdispls recvtype root comm
Scatter               sendbuf sendcount sendtype recvbuf* recvcount recvtype root comm
Scatterv              sendbuf sendcounts sdispls sendtype recvbuf* recvcount recvtype root comm
Allgather             sendbuf* sendcount sendtype recvbuf recvcount recvtype comm
Allgatherv            sendbuf* sendcount sendtype recvbuf recvcounts rdispls recvtype comm
Alltoall              sendbuf* sendcount sendtype recvbuf recvcount recvtype comm
Alltoallv             sendbuf* sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm
Alltoallw             sendbuf* sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes comm
Reduce                sendbuf* recvbuf count datatype op root comm
Allreduce             sendbuf* recvbuf count datatype op comm
Reduce_scatter        sendbuf* recvbuf recvcounts datatype op comm
Reduce_scatter_block  sendbuf* recvbuf recvcount datatype op comm
Scan                  sendbuf* recvbuf count datatype op comm
Exscan                sendbuf* recvbuf count datatype op comm
"""

# Name -> declaration, with COUNT and DISPLACEMENT for the integer types that differ between MPI_X and MPI_X_c.
KINDS = {
    "buffer": "void* {}",
    "sendbuf": "const void* {}",
    "recvbuf": "void* {}",
    "sendtype": "MPI_Datatype {}",
    "recvtype": "MPI_Datatype {}",
    "datatype": "MPI_Datatype {}",
    "sendtypes": "const MPI_Datatype* {}",
    "recvtypes": "const MPI_Datatype* {}",
    "count": "COUNT {}",
    "sendcount": "COUNT {}",
    "recvcount": "COUNT {}",
    "sendcounts": "const COUNT* {}",
    "recvcounts": "const COUNT* {}",
    "sdispls": "const DISPLACEMENT* {}",
    "rdispls": "const DISPLACEMENT* {}",
    "op": "MPI_Op {}",
    "root": "int {}",
    "comm": "MPI_Comm {}",
    "info": "MPI_Info {}",
    "request": "MPI_Request* {}",
}

# Name -> members of mpi::Operation.  What no side owns (count and type of a reduction) stands on both.
MEMBERS = {
    "buffer": ["receive.buffer"],
    "sendbuf": ["send.buffer"],
    "recvbuf": ["receive.buffer"],
    "sendcount": ["send.count"],
    "recvcount": ["receive.count"],
    "sendcounts": ["send.counts"],
    "recvcounts": ["receive.counts"],
    "sdispls": ["send.displacements"],
    "rdispls": ["receive.displacements"],
    "sendtype": ["send.type"],
    "recvtype": ["receive.type"],
    "sendtypes": ["send.types"],
    "recvtypes": ["receive.types"],
    "count": ["send.count", "receive.count"],
    "datatype": ["send.type", "receive.type"],
    "op": ["op"],
    "root": ["root"],
    "comm": ["comm"],
}


@dataclass(frozen=True)
class Call:
    """One MPI function: `Allreduce`, int or large-count form."""

    collective: str
    parameters: tuple[str, ...]
    in_place: str | None  # the parameter that may be MPI_IN_PLACE
    large: bool
    form: str = "blocking"  # or nonblocking, persistent

    @property
    def name(self) -> str:
        stems = {"nonblocking": f"I{self.collective.lower()}", "persistent": f"{self.collective}_init"}
        stem = stems.get(self.form, self.collective)
        return f"MPI_{stem}_c" if self.large else f"MPI_{stem}"

    @property
    def wrapper(self) -> str:
        return f"serve_{self.name}"

    @property
    def narrow(self) -> str | None:
        """The large-count form made of the int form."""
        return f"narrow_{self.name}" if self.large else None

    @property
    def int_name(self) -> str:
        return self.name.removesuffix("_c")

    @property
    def declaration(self) -> str:
        """Parameters with their types."""
        count, displacement = ("MPI_Count", "MPI_Aint") if self.large else ("int", "int")
        declared = ", ".join(KINDS[parameter].format(parameter) for parameter in self.parameters)
        return declared.replace("COUNT", count).replace("DISPLACEMENT", displacement)

    def members(self, parameter: str) -> list[str]:
        if parameter in ("info", "request"):
            return []
        if "buffer" in self.parameters:  # bcast: the receive side alone
            return [member for member in MEMBERS[parameter] if not member.startswith("send.")]
        return MEMBERS[parameter]


FORMS = {"blocking": (), "nonblocking": ("request",), "persistent": ("info", "request")}


def calls(*forms: str) -> list[Call]:
    """Every intercepted collective of these forms (blocking where none is named), in both widths.

    Barrier has no counts, hence no large form.
    """
    found = []
    for form in forms or ("blocking",):
        for row in TABLE.strip().splitlines():
            collective, *words = row.split()
            parameters = tuple(word.rstrip("*") for word in words) + FORMS[form]
            in_place = next((word.rstrip("*") for word in words if word.endswith("*")), None)
            found.append(Call(collective, parameters, in_place, False, form))
            if any("count" in parameter for parameter in parameters):
                found.append(Call(collective, parameters, in_place, True, form))
    return found
