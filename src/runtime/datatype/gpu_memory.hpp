#pragma once
/// Whether a buffer of this process may lie on a GPU: tutti accesses buffers as host memory.
#include <string>

namespace tutti::runtime {

/// Whether the MPI library accepts device pointers: by its own answer (MPIX_Query_cuda_support and the like), or by the
/// variable that turns this on (Intel, Cray, MVAPICH).  `handle`: its dlopen handle.  Called after MPI_Init.
bool takes_device_buffers(void* handle);

/// The GPU runtime that is loaded in this process ("libcuda.so.1"), or nothing.  About 2 us where objects were loaded
/// since the last question, else 0.1.
std::string gpu_runtime();

/// Whether both are so.  Of what is loaded now: a runtime that comes in after a communicator was agreed on is not seen.
bool device_buffers_possible();

}  // namespace tutti::runtime
