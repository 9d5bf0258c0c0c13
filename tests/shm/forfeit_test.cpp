/// A member that forfeits its part of long calls touches none of the memory that it names, and leaves everything as it
/// has to be for the next call.
#include "blocks.hpp"

namespace tutti::shm::test {
namespace {

/// Memory that faults on access.
std::byte* nowhere() { return reinterpret_cast<std::byte*>(std::uintptr_t{64}); }

Ending make(ShmGroup& group, int kind, std::byte* in, std::byte* out, std::size_t bytes, const Borders& borders) {
  const std::size_t count = bytes / sizeof(Affine);
  const Reducer op = in == nowhere() ? Reducer{[](void*, const void*, const void*, void*, std::size_t) {}, nullptr,
                                               sizeof(Affine), false}
                                     : affine();
  switch (kind) {
    case 0:
      return group.bcast(out, bytes, 0, borders);
    case 1:
      return group.gather({group.me() == 0 ? out : in, bytes, nullptr, nullptr}, 0, Sizes::equal, borders);
    case 2:
      return group.scatter({group.me() == 0 ? in : out, bytes, nullptr, nullptr}, 0, Sizes::equal, borders);
    case 3:
      return group.allgather({out, bytes, nullptr, nullptr}, borders);
    case 4:
      return group.alltoall({in, bytes, nullptr, nullptr}, {out, bytes, nullptr, nullptr}, Sizes::equal, borders);
    case 5:
      return group.reduce(in, out, count, op, 0, borders);
    case 6:
      return group.allreduce(in, out, count, op, borders);
    case 7:
      return group.reduce_scatter(in, out, {count / static_cast<std::size_t>(group.size())}, op, borders);
    case 8:
      return group.scan(in, out, count, op);
    default:
      return group.exscan(in, out, count, op);
  }
}

int one_round(ShmGroup& group, int round, std::size_t bytes, const Borders& borders) {
  const auto room = bytes * static_cast<std::size_t>(group.size());
  std::vector<std::byte> in(room), out(room);
  const int kind = round % 10, lost = round / 10 % group.size();
  int bad = 0;
  if (group.me() == lost) {
    const Forfeit forfeited(group);
    make(group, kind, nowhere(), nowhere(), bytes, borders);
  } else {
    const Ending ending = make(group, kind, in.data(), out.data(), bytes, borders);
    const bool all = kind == 3 || kind == 4 || kind == 6;
    bad += all && bytes >= sizeof(Affine) && ending != Ending::failed;
    bad += (kind == 0 || kind == 2) && ending != (lost == 0 ? Ending::failed : Ending::whole);
    bad += (kind == 1 || kind == 5) && ending != (group.me() == 0 ? Ending::failed : Ending::whole);
  }
  Affine value = element(group.me(), 1, round);
  bad += group.allreduce(&value, &value, 1, affine()) != Ending::whole;
  return bad + (value != expected(group.size(), 1, round));
}

TEST_CASE("a member without memory forfeits calls of every kind") {
  for (const int size : {2, 3, 5, 8})
    for (const bool domains : {false, true}) {
      std::atomic<int> bad = 0;
      ShmGroupOptions options;
      options.size = size, options.cpus = size % 2 == 0 ? 2 : size, options.chunk = 1024, options.ring_chunk = 256;
      for (int member = 0; domains && member < size; ++member) options.domains.push_back(member % 2);
      crew(options, [&](ShmGroup& group) {
        group.agree_on_single_copy();
        for (const std::size_t bytes : {std::size_t{8}, std::size_t{200}, std::size_t{5000}, std::size_t{100'000}})
          for (const Borders& borders : {Borders{}, Borders{1000}, Borders{std::size_t(-1), 1000}})
            for (int round = 0; round < 10 * size; ++round) bad += one_round(group, round, bytes, borders);
      });
      CHECK_MESSAGE(bad == 0, "size " << size);
    }
}

}  // namespace
}  // namespace tutti::shm::test
