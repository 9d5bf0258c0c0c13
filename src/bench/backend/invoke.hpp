#pragma once
/// From a collective's name to the call: one line for each collective, for all its forms, so that the timed loop
/// contains no decisions.
#include <mpi.h>

#include <vector>

#include "bench/backend/buffers.hpp"
#include "bench/backend/functions.hpp"
#include "core/collective.hpp"

namespace tutti::bench {

struct Arguments {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_SUM;
  int root = 0;
  int count = 0;                           ///< elements: the vector's, or one block's
  std::vector<int> counts, displacements;  ///< v-forms, reduce_scatter; in elements
  std::vector<int> byte_displacements;     ///< alltoallw
  std::vector<MPI_Datatype> types;         ///< alltoallw
};

/// How a collective is called: with the pointers to its forms, and the arguments that all of them have.
struct Blocking {
  template <typename Forms, typename... Given>
  void operator()(const Forms& forms, Given... given) const {
    forms.blocking(given...);
  }
};
struct Nonblocking {
  MPI_Request* request;
  template <typename Forms, typename... Given>
  void operator()(const Forms& forms, Given... given) const {
    forms.nonblocking(given..., request);
  }
};
struct Persistent {
  MPI_Request* request;
  template <typename Forms, typename... Given>
  void operator()(const Forms& forms, Given... given) const {
    forms.persistent(given..., MPI_INFO_NULL, request);
  }
};

template <typename Way>
using Invoke = void (*)(const Functions&, const Arguments&, Buffers, Way);
template <typename Way>
Invoke<Way> invoker(Collective which);

/// Whether the library has that form of the collective.
bool has(const Functions& mpi, Collective which, Manner manner);

}  // namespace tutti::bench
