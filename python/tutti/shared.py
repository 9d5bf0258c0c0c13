"""Results of collectives in memory that the ranks of a node share, as NumPy arrays on mpi4py communicators.

    table = tutti.shared.bcast(comm, array if comm.rank == 0 else None)

One copy a node instead of one a rank; for data that all ranks read.  Collective over an intracommunicator.  Arrays may
only be read, or, with copy_on_write=True, be written too: pages that a rank writes become its own.  The memory goes
with the last array that refers to it, on each rank when it likes (docs/shared-results.md).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import weakref
from typing import NamedTuple

from tutti import paths

KINDS = ("none", "shared", "copy on write", "private")


class Kind(NamedTuple):
    """What an array lies in: a word of KINDS, and why where it is private."""

    word: str
    reason: str


class _Call(ctypes.Structure):
    """struct tutti_shared_call of tutti/tutti.h."""

    _fields_ = [
        ("bytes", ctypes.c_uint32),
        ("handle_bytes", ctypes.c_uint32),
        ("collective", ctypes.c_char_p),
        ("comm", ctypes.c_void_p),
        ("op", ctypes.c_void_p),
        ("send_buffer", ctypes.c_void_p),
        ("send_count", ctypes.c_int64),
        ("send_type", ctypes.c_void_p),
        ("receive_count", ctypes.c_int64),
        ("receive_counts", ctypes.POINTER(ctypes.c_int64)),
        ("receive_type", ctypes.c_void_p),
        ("root", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    ]


def _need(name: str):
    try:
        return __import__(name, fromlist=["MPI"])
    except ImportError as missing:
        raise ImportError(f"tutti.shared needs {name.split('.')[0]}: pip install {name.split('.')[0]}") from missing


def _mpi():
    return _need("mpi4py.MPI")


def _numpy():
    return _need("numpy")


@functools.lru_cache
def _library() -> ctypes.CDLL:
    """The preloaded library, else the package's; either finds the MPI that mpi4py has loaded."""
    everywhere = ctypes.CDLL(None)
    library = everywhere if hasattr(everywhere, "tutti_shared") else ctypes.CDLL(str(paths.library()))
    library.tutti_shared.argtypes = [ctypes.POINTER(_Call), ctypes.POINTER(ctypes.c_void_p)]
    library.tutti_free.argtypes = [ctypes.c_void_p]
    library.tutti_result_kind.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)]
    return library


class _Side(NamedTuple):
    """Elements of an MPI datatype, at an array (or none)."""

    array: object
    count: int
    type: object
    counts: tuple[int, ...] | None = None


def _address(handle) -> int:
    return _mpi()._addressof(handle)


def _call(collective: str, comm, send: _Side, receive: _Side, copy_on_write: bool, root: int = 0, op=None) -> int:
    """Where the result begins, or 0 where there is none.  Raises MPI.Exception."""
    mpi = _mpi()
    counts = (ctypes.c_int64 * len(receive.counts))(*receive.counts) if receive.counts is not None else None
    call = _Call(
        bytes=ctypes.sizeof(_Call),
        handle_bytes=mpi._sizeof(mpi.Comm),
        collective=collective.encode(),
        comm=_address(comm),
        op=None if op is None else _address(op),
        send_buffer=None if send.array is None else send.array.ctypes.data,
        send_count=send.count,
        send_type=_address(send.type),
        receive_count=receive.count,
        receive_counts=counts,
        receive_type=_address(receive.type),
        root=root,
        flags=int(copy_on_write),
    )
    result = ctypes.c_void_p()
    code = _library().tutti_shared(ctypes.byref(call), ctypes.byref(result))
    if code != mpi.SUCCESS:
        raise mpi.Exception(code)
    return result.value or 0


_live: dict[int, weakref.finalize] = {}


def _release(address: int) -> None:
    _live.pop(address, None)
    _library().tutti_free(address)


def _array(address: int, shape: tuple[int, ...], dtype, writable: bool):
    """An array on the result at that address, which is freed with the last array that refers to it."""
    numpy = _numpy()
    if not address:
        empty = numpy.empty(shape, dtype)
        empty.flags.writeable = writable
        return empty
    memory = (ctypes.c_char * (math.prod(shape) * dtype.itemsize)).from_address(address)
    _live[address] = weakref.finalize(memory, _release, address)
    _live[address].atexit = False  # arrays may be read until the process ends
    view = memoryview(memory) if writable else memoryview(memory).toreadonly()
    return numpy.frombuffer(view, dtype).reshape(shape)


def _plain(array):
    """As a row of bytes that MPI can send."""
    array = _numpy().asarray(array, order="C")
    if array.dtype.hasobject:
        raise TypeError("tutti.shared takes arrays of numbers or bytes, not of Python objects")
    return array


def _bytes(array, count: int | None = None) -> _Side:
    return _Side(array, array.nbytes if count is None else count, _mpi().BYTE)


def _described(comm, array, root: int) -> tuple[tuple[int, ...], object]:
    """Shape and type of the root's array on all ranks; what is wrong with it is raised on all."""
    problem = told = None
    if comm.rank == root:
        try:
            if array is None:
                raise TypeError("tutti.shared.bcast needs an array at the root")
            plain = _plain(array)
            told = (plain.shape, plain.dtype)
        except TypeError as error:
            problem = error
    told, problem = comm.bcast((told, problem), root)
    if problem is not None:
        raise problem
    return told


def _inside(comm) -> None:
    mpi = _mpi()
    if comm == mpi.COMM_NULL or comm.Is_inter():
        raise mpi.Exception(mpi.ERR_COMM)


def bcast(comm, array, root: int = 0, copy_on_write: bool = False):
    """The root's array on all ranks; `array` counts at the root alone."""
    _inside(comm)
    if not 0 <= root < comm.size:
        raise _mpi().Exception(_mpi().ERR_ROOT)
    shape, dtype = _described(comm, array, root)
    mine = _plain(array) if comm.rank == root else None
    side = _Side(mine, math.prod(shape) * dtype.itemsize, _mpi().BYTE)
    address = _call("bcast", comm, side, side._replace(array=None), copy_on_write, root)
    return _array(address, shape, dtype, copy_on_write)


def allgather(comm, array, copy_on_write: bool = False):
    """All ranks' arrays, of one shape and type, one after the other along a new first axis."""
    _inside(comm)
    mine = _plain(array)
    address = _call("allgather", comm, _bytes(mine), _bytes(mine), copy_on_write)
    return _array(address, (comm.size, *mine.shape), mine.dtype, copy_on_write)


def allgatherv(comm, array, copy_on_write: bool = False):
    """All ranks' arrays one after the other along their first axis, in which their lengths may differ."""
    _inside(comm)
    mine = _numpy().atleast_1d(_plain(array))
    lengths = comm.allgather(len(mine))
    each = math.prod(mine.shape[1:]) * mine.dtype.itemsize
    receive = _Side(None, 0, _mpi().BYTE, tuple(length * each for length in lengths))
    address = _call("allgatherv", comm, _bytes(mine), receive, copy_on_write)
    return _array(address, (sum(lengths), *mine.shape[1:]), mine.dtype, copy_on_write)


def gather(comm, array, root: int = 0, copy_on_write: bool = False):
    """As allgather, at the root; None elsewhere."""
    _inside(comm)
    mine = _plain(array)
    address = _call("gather", comm, _bytes(mine), _bytes(mine), copy_on_write, root)
    return _array(address, (comm.size, *mine.shape), mine.dtype, copy_on_write) if comm.rank == root else None


def alltoall(comm, array, copy_on_write: bool = False):
    """Row r of the array goes to rank r; rows of the result are by source."""
    _inside(comm)
    mine = _plain(array)
    if mine.ndim == 0 or len(mine) != comm.size:
        raise ValueError(f"tutti.shared.alltoall needs a row for each of the {comm.size} ranks, not shape {mine.shape}")
    row = mine.nbytes // comm.size
    address = _call("alltoall", comm, _bytes(mine, row), _bytes(mine, row), copy_on_write)
    return _array(address, mine.shape, mine.dtype, copy_on_write)


def allreduce(comm, array, op=None, copy_on_write: bool = False):
    """All ranks' arrays combined by an MPI operator (MPI.SUM), element by element."""
    _inside(comm)
    mpi, mine = _mpi(), _plain(array)
    known = mpi._typedict.get(mine.dtype.char) if mine.dtype.isnative else None
    if known is None:
        raise TypeError(f"no MPI datatype for NumPy's {mine.dtype}")
    side = _Side(mine, mine.size, known)
    address = _call("allreduce", comm, side, side._replace(array=None), copy_on_write, op=op or mpi.SUM)
    return _array(address, mine.shape, mine.dtype, copy_on_write)


def _start(array) -> int:
    return array.__array_interface__["data"][0]


def kind(array) -> Kind:
    """What a result lies in: Kind("shared", "")."""
    reason = ctypes.c_char_p()
    number = _library().tutti_result_kind(_start(array), ctypes.byref(reason))
    return Kind(KINDS[number], (reason.value or b"").decode())


def free(array) -> None:
    """Gives the memory back now.  No array that refers to it may be used afterwards: that is a fault, as in C."""
    if finalizer := _live.get(_start(array)):
        finalizer()
    elif array.size:
        raise ValueError("not a result of tutti.shared, or freed already")


@contextlib.contextmanager
def released(array):
    """`with released(bcast(comm, array)) as table:` frees the memory at the end of the block."""
    try:
        yield array
    finally:
        free(array)
