#include "runtime/datatype/types.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "runtime/datatype/known_types.hpp"
#include "runtime/datatype/named_types.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// Packs one element whose bytes tell their own positions: the type is dense and in order if they come out in order.
/// (Asking how the type was made would need calls that are errors for types made with large counts.)
/// Nothing where the MPI underneath refuses: such a type may be committed later.
std::optional<bool> packs_in_order(MPI_Datatype type, std::int64_t size, MPI_Comm comm) {
  constexpr std::int64_t largest = 64 * 1024;
  if (size > largest) return false;
  std::array<unsigned char, 1024> small;
  std::vector<unsigned char> large;
  const auto bytes = static_cast<std::size_t>(size);
  unsigned char* in = small.data();
  if (2 * bytes > small.size()) large.resize(2 * bytes), in = large.data();
  unsigned char* const out = in + bytes;
  for (int shift = 0; shift < (size > 256 ? 16 : 8); shift += 8) {
    for (std::size_t i = 0; i < bytes; ++i) in[i] = static_cast<unsigned char>(i >> shift);
    int position = 0;
    if (pmpi.Pack(in, 1, type, out, static_cast<int>(size), &position, quiet_comm(comm)) != MPI_SUCCESS)
      return std::nullopt;
    if (position != size || std::memcmp(in, out, bytes) != 0) return false;
  }
  return true;
}

}  // namespace

TypeInfo measure(MPI_Datatype type) {
  TypeInfo info;
  MPI_Count size = 0;
  MPI_Aint lower = 0, extent = 0;
  pmpi.Type_size_x(type, &size);
  pmpi.Type_get_extent(type, &lower, &extent);
  info.size = size, info.extent = extent;
  pmpi.Type_get_true_extent(type, &lower, &extent);
  info.true_lower = lower, info.true_extent = extent;
  return info;
}

bool is_committed(MPI_Datatype type) {
  const MPI_Comm self = own_self();
  if (self == MPI_COMM_NULL) return true;
  std::byte nothing{}, packed{};
  int position = 0;
  return pmpi.Pack(&nothing, 0, type, &packed, 1, &position, self) == MPI_SUCCESS &&
         pmpi.Bcast(&nothing, 0, type, 0, self) == MPI_SUCCESS;
}

std::int64_t plain_size(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return -1;
  const TypeInfo* const named = named_types::find(type);
  return named && named->flat ? named->size : -1;
}

std::int64_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;
  if (const TypeInfo* named = named_types::find(type)) return named->size;
  if (const TypeInfo* known = known_types::find(type)) return known->size;
  MPI_Count size = 0;
  pmpi.Type_size_x(type, &size);
  return size;
}

TypeInfo describe(MPI_Datatype type, MPI_Comm comm) {
  if (type == MPI_DATATYPE_NULL) {
    TypeInfo nothing;
    nothing.flat = true;
    return nothing;
  }
  if (const TypeInfo* named = named_types::find(type)) return *named;
  if (const TypeInfo* known = known_types::find(type)) return *known;
  TypeInfo info = measure(type);
  info.usable = is_committed(type);
  if (!info.usable) return info;  // it may be committed later
  const std::optional<bool> in_order =
      info.size > 0 && lies_packed(info) ? packs_in_order(type, info.size, comm) : info.size == 0;
  info.flat = in_order.value_or(false);
  info.usable = in_order.has_value();
  if (!info.usable) return info;
  info.predefined = named_types::is_named(type);
  if (info.predefined)
    named_types::learn(type, info);
  else
    known_types::keep(type, info);
  return info;
}

}  // namespace tutti::runtime
