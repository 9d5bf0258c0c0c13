#include "operators.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

namespace tutti::fuzz {
namespace {

bool complex(const Datatype& type) { return type.predefined && (type.basic == Basic::c32 || type.basic == Basic::c64); }
bool truth(const Datatype& type) {
  return type.predefined && (type.basic == Basic::boolean || type.basic == Basic::logical);
}
bool located(const Datatype& type) {
  return type.predefined && (type.basic == Basic::pair_int || type.basic == Basic::pair_double_int);
}
bool arithmetic(const Datatype& type) {
  return type.predefined && !complex(type) && !truth(type) && !located(type) && type.name != "byte";
}
bool summed(const Datatype& type) { return arithmetic(type) || complex(type); }
bool integral(const Datatype& type) { return arithmetic(type) && type.basic != Basic::f32 && type.basic != Basic::f64; }
bool logical(const Datatype& type) { return integral(type) || truth(type); }
bool bitwise(const Datatype& type) { return integral(type) || type.name == "byte"; }

bool of_ints(const Datatype& type) { return type.basic == Basic::i32; }
/// Elements that an affine map can be read from.
bool of_int_pairs(const Datatype& type) { return of_ints(type) && type.basics == 2; }

/// Visits the ints of `count` elements of `type` through its packed form.
template <class Combine>
void through_packing(const void* in, void* inout, int count, MPI_Datatype type, Combine combine) {
  int size;
  PMPI_Type_size(type, &size);
  const std::size_t bytes = static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
  if (bytes == 0) return;
  std::vector<std::uint32_t> left(bytes / 4), right(bytes / 4);
  int position = 0;
  PMPI_Pack(in, count, type, left.data(), static_cast<int>(bytes), &position, MPI_COMM_SELF);
  position = 0;
  PMPI_Pack(inout, count, type, right.data(), static_cast<int>(bytes), &position, MPI_COMM_SELF);
  combine(left, right);
  position = 0;
  PMPI_Unpack(right.data(), static_cast<int>(bytes), &position, inout, count, type, MPI_COMM_SELF);
}

/// The plain sum modulo 2^32: associative and commutative.
void wrapping_sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  through_packing(in, inout, *count, *type, [](const auto& left, auto& right) {
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = left[i] + right[i];
  });
}

/// Composition of affine maps x -> a x + b on pairs (a, b), modulo 2^32: associative, not commutative.
void affine(void* in, void* inout, int* count, MPI_Datatype* type) {
  through_packing(in, inout, *count, *type, [](const auto& left, auto& right) {
    for (std::size_t i = 0; i + 1 < right.size(); i += 2) {
      right[i + 1] = left[i] * right[i + 1] + left[i + 1];
      right[i] = left[i] * right[i];
    }
  });
}

MPI_Op created(MPI_User_function* function, bool commutes) {
  MPI_Op op;
  PMPI_Op_create(function, commutes ? 1 : 0, &op);
  return op;
}

bool asked(MPI_Op op, MPI_Datatype type) {
  alignas(16) std::byte from[64]{}, to[64]{};
  return PMPI_Reduce_local(from, to, 1, type, op) == MPI_SUCCESS;
}

}  // namespace

bool goes(const Operator& op, const Datatype& type) {
  if (!op.takes(type)) return false;
  if (op.user || &type < datatypes().data() + plain_datatypes) return true;
  static std::map<std::pair<const Operator*, const Datatype*>, bool> answers;
  const auto [answer, is_new] = answers.try_emplace({&op, &type});
  if (is_new) answer->second = asked(op.handle, type.handle);
  return answer->second;
}

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = {
      {"sum", MPI_SUM, false, summed},
      {"prod", MPI_PROD, false, integral},
      {"min", MPI_MIN, false, arithmetic},
      {"max", MPI_MAX, false, arithmetic},
      {"land", MPI_LAND, false, logical},
      {"lor", MPI_LOR, false, logical},
      {"band", MPI_BAND, false, bitwise},
      {"bxor", MPI_BXOR, false, bitwise},
      {"minloc", MPI_MINLOC, false, located},
      {"maxloc", MPI_MAXLOC, false, located},
      {"user_sum", created(wrapping_sum, true), true, of_ints},
      {"user_affine", created(affine, false), true, of_int_pairs},
  };
  return all;
}

}  // namespace tutti::fuzz
