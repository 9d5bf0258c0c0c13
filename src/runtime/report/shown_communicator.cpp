#include "runtime/report/shown_communicator.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/collective.hpp"
#include "hang/entered.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

struct Origin {
  std::uint64_t identity;
  std::string name;
  bool is_complete;  ///< else the members make the difference: the parent's other ranks may not have made this call
};

/// Of communicators without a state.  The lock is never held across a call of the MPI underneath.
struct Origins {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Origin> by_key;
  std::map<std::uint64_t, std::uint64_t> alike;  ///< so many without an origin, or incomplete, by their members
};

Origins& origins() {
  static auto& all = *new Origins;
  return all;
}

constexpr std::uint64_t start = 0xcbf29ce484222325u, prime = 0x100000001b3u;  // FNV-1a

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) { return (hash ^ more) * prime ^ hash >> 29; }

/// Ranks in MPI_COMM_WORLD of the communicator's own group; empty in a program that uses sessions alone.
std::vector<int> members_of(MPI_Comm comm, int size) {
  int initialized = 0;
  if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return {};
  std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (comm == MPI_COMM_WORLD) return ranks;
  MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  pmpi.Comm_group(comm, &own);
  pmpi.Comm_group(MPI_COMM_WORLD, &world);
  const int code = pmpi.Group_translate_ranks(own, size, ranks.data(), world, found.data());
  pmpi.Group_free(&own);
  pmpi.Group_free(&world);
  return code == MPI_SUCCESS ? found : std::vector<int>{};
}

void list_members(hang::Communicator& entry, const std::vector<int>& ranks) {
  std::size_t i = 0;
  while (i < ranks.size() && entry.ranges < entry.range.size()) {
    const int stride = i + 1 < ranks.size() ? ranks[i + 1] - ranks[i] : 1;
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] - ranks[last] == stride) ++last;
    entry.range[entry.ranges++] = {ranks[i], static_cast<std::int32_t>(last - i + 1), stride};
    i = last + 1;
  }
  if (i < ranks.size() || ranks.empty()) entry.flags |= hang::Communicator::unlisted;
}

void put_origin(hang::Communicator& entry, std::string_view name) {
  const std::size_t length = std::min(name.size(), entry.origin.size() - 1);
  std::copy_n(name.data(), length, entry.origin.data());
}

void identify(hang::Communicator& entry, MPI_Comm comm, const std::vector<int>& ranks) {
  std::uint64_t members = mixed(start, static_cast<std::uint64_t>(entry.size));
  for (const int rank : ranks) members = mixed(members, static_cast<std::uint32_t>(rank));
  const std::lock_guard lock(origins().mutex);
  const auto found = origins().by_key.find(hang::bits(comm));
  if (found != origins().by_key.end() && !(entry.flags & hang::Communicator::inter)) {
    entry.identity = mixed(found->second.identity, members);
    put_origin(entry, found->second.name);
    if (!found->second.is_complete) entry.identity = mixed(entry.identity, origins().alike[entry.identity]++);
    return;
  }
  entry.identity = mixed(members, origins().alike[members]++);
  put_origin(entry, comm == MPI_COMM_WORLD ? "world" : "");
  if (comm != MPI_COMM_WORLD) entry.flags |= hang::Communicator::guessed;
}

void name_types() {
  const std::array<std::pair<MPI_Datatype, const char*>, 24> types = {{{MPI_CHAR, "MPI_CHAR"},
                                                                       {MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR"},
                                                                       {MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"},
                                                                       {MPI_BYTE, "MPI_BYTE"},
                                                                       {MPI_SHORT, "MPI_SHORT"},
                                                                       {MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"},
                                                                       {MPI_INT, "MPI_INT"},
                                                                       {MPI_UNSIGNED, "MPI_UNSIGNED"},
                                                                       {MPI_LONG, "MPI_LONG"},
                                                                       {MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG"},
                                                                       {MPI_LONG_LONG, "MPI_LONG_LONG"},
                                                                       {MPI_FLOAT, "MPI_FLOAT"},
                                                                       {MPI_DOUBLE, "MPI_DOUBLE"},
                                                                       {MPI_INT8_T, "MPI_INT8_T"},
                                                                       {MPI_INT32_T, "MPI_INT32_T"},
                                                                       {MPI_INT64_T, "MPI_INT64_T"},
                                                                       {MPI_UINT8_T, "MPI_UINT8_T"},
                                                                       {MPI_UINT32_T, "MPI_UINT32_T"},
                                                                       {MPI_UINT64_T, "MPI_UINT64_T"},
                                                                       {MPI_C_BOOL, "MPI_C_BOOL"},
                                                                       {MPI_INTEGER, "MPI_INTEGER"},
                                                                       {MPI_REAL, "MPI_REAL"},
                                                                       {MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION"},
                                                                       {MPI_2INT, "MPI_2INT"}}};
  for (const auto& [handle, name] : types) {
    int bytes = 0;
    if (handle != MPI_DATATYPE_NULL && pmpi.Type_size(handle, &bytes) == MPI_SUCCESS)
      hang::add_name(hang::Name::type, hang::bits(handle), name, static_cast<std::size_t>(bytes));
  }
}

void name_operators() {
  for (const PredefinedOperator& each : predefined_operators())
    hang::add_name(hang::Name::op, hang::bits(each.handle), each.name);
}

/// Once a process, when it is known that there is an MPI.
void introduce() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (std::size_t i = 0; i < collective_names.size(); ++i) {
      std::string name(collective_names[i]);
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      hang::add_name(hang::Name::call, i, name);
    }
    name_types();
    name_operators();
    int initialized = 0, rank = 0, size = 0;
    if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return;
    if (pmpi.Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && pmpi.Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS)
      hang::set_world(rank, size);
  });
}

}  // namespace

hang::Communicator& show(MPI_Comm comm, int size, bool inter) {
  if (!hang::calls_are_shown) return hang::nowhere();
  introduce();
  hang::Communicator& entry = hang::claim_communicator();
  if (&entry == &hang::nowhere()) return entry;
  entry.size = size, entry.key = hang::bits(comm);
  pmpi.Comm_rank(comm, &entry.rank);
  if (inter) entry.flags |= hang::Communicator::inter;
  const std::vector<int> ranks = members_of(comm, size);
  list_members(entry, ranks);
  identify(entry, comm, ranks);
  return entry;
}

void remember_origin(MPI_Comm made, hang::Communicator& parent, hang::Other how, std::string_view name) {
  const bool complete = how != hang::Other::comm_create_group;
  std::uint64_t identity = mixed(parent.identity, static_cast<std::uint64_t>(how));
  if (complete) identity = mixed(identity, ++parent.made_here);
  if (made == MPI_COMM_NULL || &parent == &hang::nowhere()) return;
  const std::lock_guard lock(origins().mutex);
  origins().by_key.insert_or_assign(hang::bits(made), Origin{identity, std::string(name), complete});
}

void forget_origin(MPI_Comm freed) {
  const std::lock_guard lock(origins().mutex);
  origins().by_key.erase(hang::bits(freed));
}

}  // namespace tutti::runtime
