#pragma once
/// One rank's call by a table of functions.
#include <type_traits>
#include <vector>

#include "arguments.hpp"
#include "functions.hpp"

namespace tutti::fuzz {

/// The list itself where it is of ints: a request may look at it until it is complete.
template <class To>
decltype(auto) as(const std::vector<int>& from) {
  if constexpr (std::is_same_v<To, int>)
    return (from);
  else
    return std::vector<To>(from.begin(), from.end());
}

template <class Count, class Place, class... More>
int make_by(const Functions<Count, Place, More...>& f, const Arguments& a,
            More... more) {  // NOLINT(readability-function-size)
  using enum Collective;
  const Side &s = a.send, &r = a.receive;
  const auto &sc = as<Count>(s.counts), &rc = as<Count>(r.counts);
  const auto &sd = as<Place>(s.places), &rd = as<Place>(r.places);
  switch (a.collective) {
    case barrier:
      return f.Barrier(a.comm, more...);
    case bcast:
      return f.Bcast(r.buffer, r.count, r.type, a.root, a.comm, more...);
    case gather:
      return f.Gather(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.root, a.comm, more...);
    case gatherv:
      return f.Gatherv(s.buffer, s.count, s.type, r.buffer, rc.data(), rd.data(), r.type, a.root, a.comm, more...);
    case scatter:
      return f.Scatter(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.root, a.comm, more...);
    case scatterv:
      return f.Scatterv(s.buffer, sc.data(), sd.data(), s.type, r.buffer, r.count, r.type, a.root, a.comm, more...);
    case allgather:
      return f.Allgather(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.comm, more...);
    case allgatherv:
      return f.Allgatherv(s.buffer, s.count, s.type, r.buffer, rc.data(), rd.data(), r.type, a.comm, more...);
    case alltoall:
      return f.Alltoall(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.comm, more...);
    case alltoallv:
      return f.Alltoallv(s.buffer, sc.data(), sd.data(), s.type, r.buffer, rc.data(), rd.data(), r.type, a.comm,
                         more...);
    case alltoallw:
      return f.Alltoallw(s.buffer, sc.data(), sd.data(), s.types.data(), r.buffer, rc.data(), rd.data(), r.types.data(),
                         a.comm, more...);
    case reduce:
      return f.Reduce(s.buffer, r.buffer, r.count, r.type, a.op, a.root, a.comm, more...);
    case allreduce:
      return f.Allreduce(s.buffer, r.buffer, r.count, r.type, a.op, a.comm, more...);
    case reduce_scatter:
      return f.Reduce_scatter(s.buffer, r.buffer, rc.data(), r.type, a.op, a.comm, more...);
    case reduce_scatter_block:
      return f.Reduce_scatter_block(s.buffer, r.buffer, r.count, r.type, a.op, a.comm, more...);
    case scan:
      return f.Scan(s.buffer, r.buffer, r.count, r.type, a.op, a.comm, more...);
    case exscan:
      return f.Exscan(s.buffer, r.buffer, r.count, r.type, a.op, a.comm, more...);
  }
  return MPI_ERR_OTHER;
}

}  // namespace tutti::fuzz
