"""What a measurement needs of this machine, or a skip."""

import pytest
from tutti import paths
from tutti.bench.launch import library_of
from tutti.errors import UserError
from tutti.site import mpi


def an_mpi():
    """An MPI that can be measured here, or a skip."""
    try:
        chosen = mpi.find()
        library_of(chosen)
    except UserError as missing:
        pytest.skip(str(missing))
    if paths.bench_program(chosen.backend) is None:
        pytest.skip("tutti-bench is not built")
    return chosen
