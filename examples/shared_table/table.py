"""One table for all ranks of a node, as a NumPy array.

mpiexec -n 4 python table.py
"""

import numpy as np
import tutti.shared
from mpi4py import MPI

comm = MPI.COMM_WORLD
squares = np.arange(1 << 20, dtype=float) ** 2 if comm.rank == 0 else None
table = tutti.shared.bcast(comm, squares)
print(f"rank {comm.rank}: 1000 squared is {table[1000]:.0f}; {tutti.shared.kind(table).word}")
assert table[1000] == 1e6 and not table.flags.writeable

# What each rank found, once on each node, freed at the end of the block.
with tutti.shared.released(tutti.shared.allgather(comm, np.full(3, comm.rank))) as found:
    assert found.shape == (comm.size, 3) and (found[:, 0] == np.arange(comm.size)).all()
