#include "mpi/packing.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "mpi/errors.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

constexpr std::int64_t int_max = std::numeric_limits<int>::max();

/// Elements that one MPI_Pack can take.
std::int64_t at_once(const TypeInfo& info, std::int64_t bytes) {
  if (info.size > int_max) throw std::bad_alloc();
  return std::clamp<std::int64_t>(bytes / std::max<std::int64_t>(info.size, 1), 1, int_max);
}

}  // namespace

void pack(const Typed& typed, const void* from, std::int64_t count, std::byte* into) {
  const TypeInfo& info = typed.info;
  if (count * info.size == 0) return;
  if (info.flat) {
    std::memcpy(into, at(from, 0), static_cast<std::size_t>(count * info.size));
    return;
  }
  for (std::int64_t done = 0, now = 0; done < count; done += now) {
    now = std::min(count - done, at_once(info, int_max));
    int position = 0;
    require(pmpi.Pack(at(from, done * info.extent), static_cast<int>(now), typed.type, into + done * info.size,
                      static_cast<int>(now * info.size), &position, typed.comm),
            "MPI_Pack");
  }
}

void unpack(const Typed& typed, const std::byte* from, std::int64_t count, void* into) {
  const TypeInfo& info = typed.info;
  if (count * info.size == 0) return;
  if (info.flat) {
    std::memcpy(at(into, 0), from, static_cast<std::size_t>(count * info.size));
    return;
  }
  for (std::int64_t done = 0, now = 0; done < count; done += now) {
    now = std::min(count - done, at_once(info, int_max));
    int position = 0;
    require(pmpi.Unpack(from + done * info.size, static_cast<int>(now * info.size), &position,
                        at(into, done * info.extent), static_cast<int>(now), typed.type, typed.comm),
            "MPI_Unpack");
  }
}

}  // namespace tutti::mpi
