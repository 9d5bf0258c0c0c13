#include "runtime/datatype/packing.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "runtime/errors.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

constexpr std::int64_t int_max = std::numeric_limits<int>::max();

/// Elements that one MPI_Pack can take.
std::int64_t at_once(const TypeInfo& info, std::int64_t bytes) {
  if (info.size > int_max) throw std::bad_alloc();
  return std::clamp<std::int64_t>(bytes / std::max<std::int64_t>(info.size, 1), 1, int_max);
}

/// Elements as an argument of an MPI call.  Data at absolute addresses has a null pointer for a buffer, which libraries
/// reject in MPI_Pack: then the type is shifted so that it counts from a real address.
class Placed {
 public:
  Placed(const Typed& typed, const void* user, std::int64_t count)
      : start(at(user, 0)), count(static_cast<int>(count)), type(typed.type) {
    if (user) return;
    MPI_Aint shift = 0;
    require(pmpi.Get_address(&anchor_, &shift), "MPI_Get_address");
    shift = -shift;
    require(pmpi.Type_create_hindexed(1, &this->count, &shift, typed.type, &made_), "MPI_Type_create_hindexed");
    start = &anchor_, this->count = 1, type = made_;
    require(pmpi.Type_commit(&made_), "MPI_Type_commit");
  }
  ~Placed() {
    if (made_ != MPI_DATATYPE_NULL) pmpi.Type_free(&made_);
  }
  Placed(const Placed&) = delete;

  std::byte* start;
  int count;
  MPI_Datatype type;

 private:
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
  std::byte anchor_{};
};

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
    const Placed user(typed, at(from, done * info.extent), now);
    require(pmpi.Pack(user.start, user.count, user.type, into + done * info.size, static_cast<int>(now * info.size),
                      &position, quiet_comm(typed.comm)),
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
    const Placed user(typed, at(into, done * info.extent), now);
    require(pmpi.Unpack(from + done * info.size, static_cast<int>(now * info.size), &position, user.start, user.count,
                        user.type, quiet_comm(typed.comm)),
            "MPI_Unpack");
  }
}

}  // namespace tutti::runtime
