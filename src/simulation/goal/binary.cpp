#include "simulation/goal/binary.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tutti::simulation {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t cookie = 4223;
constexpr std::uint64_t head = 4 + 1 + 1, spoilt = 2342;  // LogGOPSim marks a file that it has used up
constexpr std::uint64_t operation_bytes = 39;
constexpr std::uint32_t most_ranks = std::uint32_t{1} << 24;

template <class Number>
void put(std::string& to, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  to.append(bytes, sizeof(Number));
}

/// Reads numbers, one after the other, and never beyond the end.
class Numbers {
 public:
  Numbers(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  template <class Number>
  Number next() {
    need(sizeof(Number));
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof(Number));
    at_ += sizeof(Number);
    return number;
  }
  std::uint64_t left() const { return bytes_.size() - at_; }
  void need(std::uint64_t bytes) const {
    if (bytes > left()) fail("the file was cut short");
  }
  [[noreturn]] void fail(const std::string& why) const { throw GoalError(where_ + why); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string where_;
};

struct Dependents {
  std::uint32_t ends = 0, first_end = 0, starts = 0, first_start = 0;
};

Operation operation(Numbers& numbers, std::size_t place, int ranks) {
  const auto fail = [&](const std::string& why) {
    numbers.fail("operation " + std::to_string(place + 1) + ": " + why);
  };
  Operation one;
  const auto kind = numbers.next<std::uint8_t>();
  if (kind < 1 || kind > 3) fail("its kind is " + std::to_string(kind) + ", neither send (1), recv (2) nor calc (3)");
  one.kind = static_cast<Operation::Kind>(kind);
  one.peer = numbers.next<std::uint32_t>(), one.size = numbers.next<std::uint64_t>();
  one.tag = numbers.next<std::uint32_t>();
  one.cpu = numbers.next<std::uint8_t>(), one.nic = numbers.next<std::uint8_t>();
  if (one.kind == Operation::Kind::calc) one.peer = 0, one.tag = 0, one.nic = 0;
  const bool message = one.kind != Operation::Kind::calc,
             from_any = one.kind == Operation::Kind::receive && one.peer == any;
  if (message && !from_any && one.peer >= static_cast<std::uint32_t>(ranks))
    fail("there is no rank " + std::to_string(one.peer) + " among " + std::to_string(ranks));
  if (one.kind == Operation::Kind::send && one.tag == any) fail("a send has a tag");
  return one;
}

/// Adds the dependencies of one list.
void add(std::vector<Dependency>& all, std::span<const std::uint32_t> list, std::uint32_t on, bool start,
         std::size_t operations, const Numbers& numbers) {
  for (const std::uint32_t of : list) {
    if (of >= operations)
      numbers.fail("operation " + std::to_string(on + 1) + ": operation " + std::to_string(std::uint64_t{of} + 1) +
                   " waits for it, and there are " + std::to_string(operations));
    all.push_back({of, on, start});
  }
}

Program program(Numbers numbers, int ranks) {
  const auto count = numbers.next<std::uint32_t>(), roots = numbers.next<std::uint32_t>();
  numbers.need(std::uint64_t{roots} * 4 + count * operation_bytes);
  std::vector<std::uint32_t> begins;
  for (std::uint32_t i = 0; i < roots; ++i) begins.push_back(numbers.next<std::uint32_t>());
  Program made;
  std::vector<std::uint32_t> waits;
  std::vector<Dependents> lists;
  for (std::uint32_t i = 0; i < count; ++i) {
    waits.push_back(numbers.next<std::uint32_t>());
    made.operations.push_back(operation(numbers, i, ranks));
    auto& list = lists.emplace_back();
    list.ends = numbers.next<std::uint32_t>(), list.first_end = numbers.next<std::uint32_t>();
    list.starts = numbers.next<std::uint32_t>(), list.first_start = numbers.next<std::uint32_t>();
  }
  std::vector<std::uint32_t> dependents;
  for (std::uint64_t left = numbers.left() / 4; left > 0; --left) dependents.push_back(numbers.next<std::uint32_t>());
  std::vector<Dependency> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Dependents& list = lists[i];
    const auto part = [&](std::uint32_t first, std::uint32_t length) {
      if (length > 0 && std::uint64_t{first} + length > dependents.size())
        numbers.fail("operation " + std::to_string(i + 1) + ": the file was cut short, what waits for it is missing");
      return length == 0 ? std::span<const std::uint32_t>()
                         : std::span<const std::uint32_t>(dependents).subspan(first, length);
    };
    // Lists may not be named twice: a small file would become a large program.
    if (all.size() + list.ends + list.starts > dependents.size())
      numbers.fail("operation " + std::to_string(i + 1) + ": more wait for it than the file has");
    add(all, part(list.first_end, list.ends), i, false, count, numbers);
    add(all, part(list.first_start, list.starts), i, true, count, numbers);
  }
  made.depend(std::move(all));
  const std::vector<std::uint32_t> needed = made.needed();
  for (std::uint32_t i = 0; i < count; ++i)
    if (waits[i] != needed[i])
      numbers.fail("operation " + std::to_string(i + 1) + ": it waits for " + std::to_string(waits[i]) +
                   " others, and is named by " + std::to_string(needed[i]));
  if (roots != static_cast<std::uint32_t>(std::ranges::count(needed, 0U)) ||
      std::ranges::any_of(begins, [&](std::uint32_t root) { return root >= count || needed[root] > 0; }))
    numbers.fail("the list of operations that wait for nothing is wrong");
  return made;
}

}  // namespace

bool is_binary_goal(std::string_view file) {
  if (file.size() < 8) return false;
  std::uint64_t begin = 0;
  std::memcpy(&begin, file.data(), 8);
  return begin == cookie || begin == spoilt;
}

std::vector<Program> read_binary_goal(std::string_view file) {
  Numbers numbers(file, "");
  if (numbers.next<std::uint64_t>() == spoilt)
    numbers.fail("LogGOPSim has used this file up (--save-mem): make it anew");
  const auto ranks = numbers.next<std::uint32_t>();
  numbers.next<std::uint16_t>();
  if (ranks < 1 || ranks > most_ranks)
    numbers.fail("a program has from 1 to 16777216 ranks, and not " + std::to_string(ranks));
  numbers.need(std::uint64_t{ranks} * 16);
  const std::string_view counted = file.substr(8);
  std::vector<Program> all;
  std::uint64_t before = head + std::uint64_t{ranks} * 16;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto begin = numbers.next<std::uint64_t>(), end = numbers.next<std::uint64_t>();
    const std::string where = "rank " + std::to_string(rank) + ", ";
    if (begin < before || end < begin || end > counted.size())
      numbers.fail("rank " + std::to_string(rank) + ": its part is from byte " + std::to_string(begin) + " to " +
                   std::to_string(end) + ", which cannot be: the file was cut short or is broken");
    before = end;
    all.push_back(program({counted.substr(begin, end - begin), where}, static_cast<int>(ranks)));
  }
  return all;
}

std::uint64_t binary_heading(int ranks) { return 8 + head + static_cast<std::uint64_t>(ranks) * 16; }

std::string binary_heading(const GoalSize& size) {
  std::string made;
  put(made, cookie);
  put(made, static_cast<std::uint32_t>(size.ranks.size()));
  put(made, size.cpu), put(made, size.nic);
  std::uint64_t at = head + size.ranks.size() * 16;
  for (const std::uint64_t bytes : size.ranks) {
    put(made, at), put(made, at + bytes);
    at += bytes;
  }
  return made;
}

std::uint64_t binary_size(const Program& program) {
  const std::vector<std::uint32_t> needed = program.needed();
  const auto roots = static_cast<std::uint64_t>(std::ranges::count(needed, 0U));
  return 8 + 4 * roots + operation_bytes * needed.size() + 4 * program.dependencies();
}

std::string binary_of(const Program& program) {
  const std::vector<std::uint32_t> needed = program.needed();
  const auto count = static_cast<std::uint32_t>(needed.size());
  std::string made, dependents;
  put(made, count), put(made, static_cast<std::uint32_t>(std::ranges::count(needed, 0U)));
  for (std::uint32_t i = 0; i < count; ++i)
    if (needed[i] == 0) put(made, i);
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Operation& one = program.operations[i];
    put(made, needed[i]), put(made, static_cast<std::uint8_t>(one.kind));
    put(made, one.peer), put(made, one.size), put(made, one.tag), put(made, one.cpu), put(made, one.nic);
    for (const auto& list : {program.after_end(i), program.after_start(i)}) {
      put(made, static_cast<std::uint32_t>(list.size())), put(made, first);
      first += static_cast<std::uint32_t>(list.size());
      for (const std::uint32_t of : list) put(dependents, of);
    }
  }
  return made + dependents;
}

}  // namespace tutti::simulation
