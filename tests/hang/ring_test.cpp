/// The ring of a thread's last calls, as a reader sees it.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "hang/entered.hpp"

using namespace tutti::hang;

namespace {

Ring& own_ring() { return ring_of_thread ? *ring_of_thread : claim_ring(); }

const Record& newest() { return own_ring().records[(own_ring().next - 1) % most_records]; }

Facts facts_of(int number) {
  Facts facts{&facts, nullptr};
  facts.count = number, facts.type = 7, facts.op = 9, facts.root = number % 3;
  return facts;
}

/// The descriptor that others find in /proc.
std::string shown_path() {
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(each, ignored).string().find("memfd:tutti-calls") != std::string::npos)
      return each.path();
  }
  return "";
}

}  // namespace

TEST_CASE("a call is inside until it is left, and has its communicator's next number") {
  Communicator& communicator = claim_communicator();
  const Facts facts = facts_of(5);
  {
    const Entered entered(communicator, 12, facts);
    const Record& record = newest();
    CHECK(record.progress == 1);
    CHECK(record.stamp == own_ring().next);
    CHECK(record.sequence == 1);
    CHECK(record.communicator == communicator.index);
    CHECK(record.code == 12);
    CHECK(record.count == 5);
    CHECK(record.type == 7);
    CHECK(record.op == 9);
    CHECK(record.root == 2);
    CHECK(record.site == reinterpret_cast<std::uint64_t>(facts.site));
  }
  CHECK(newest().progress == 0);
  { const Entered entered(communicator, 12, facts); }
  CHECK(newest().sequence == 2);
  CHECK(communicator.entered == 2);
  release(communicator);
}

TEST_CASE("a call without a number counts on no communicator") {
  const std::uint64_t before = own_ring().next;
  { const Entered entered(static_cast<std::uint8_t>(Other::finalize), Facts{nullptr, nullptr}); }
  CHECK(own_ring().next == before + 1);
  CHECK(newest().sequence == 0);
  CHECK(newest().communicator == most_communicators);
}

TEST_CASE("the ring keeps the last 64 calls") {
  Communicator& communicator = claim_communicator();
  for (int i = 0; i < 200; ++i) const Entered entered(communicator, 0, facts_of(i));
  const Ring& ring = own_ring();
  for (std::uint64_t back = 0; back < most_records; ++back) {
    const Record& record = ring.records[(ring.next - 1 - back) % most_records];
    CHECK(record.stamp == ring.next - back);
    CHECK(record.sequence == 200 - back);
    CHECK(record.count == static_cast<std::int64_t>(199 - back));
  }
  release(communicator);
}

TEST_CASE("a call that is made from within another one leaves that one inside") {
  Communicator& communicator = claim_communicator();
  {
    const Entered outer(communicator, 1, facts_of(0));
    { const Entered inner(communicator, 2, facts_of(0)); }
    const Ring& ring = own_ring();
    CHECK(ring.records[(ring.next - 1) % most_records].progress == 0);
    CHECK(ring.records[(ring.next - 2) % most_records].progress == 1);
  }
  release(communicator);
}

TEST_CASE("each thread has a ring, and one that has ended leaves its own to another") {
  const Ring* const mine = &own_ring();
  const Ring* first = nullptr;
  std::thread([&] { first = &own_ring(); }).join();
  CHECK(first != mine);
  for (int i = 0; i < 20; ++i) {
    std::thread([&] {
      CHECK(&own_ring() == first);
      CHECK(own_ring().thread != mine->thread);
    }).join();
  }
  CHECK(block().head.unrecorded == 0);
}

TEST_CASE("places of communicators are used again, clean; where there are no more, calls go on") {
  Communicator& one = claim_communicator();
  one.entered = 5, one.identity = 77;
  const auto index = one.index;
  release(one);
  Communicator& again = claim_communicator();
  CHECK(again.index == index);
  CHECK(again.entered == 0);
  CHECK(again.identity == 0);
  std::vector<Communicator*> all;
  for (std::size_t i = 0; i < most_communicators + 3; ++i) all.push_back(&claim_communicator());
  CHECK(all.back() == &nowhere());
  { const Entered entered(*all.back(), 3, facts_of(1)); }
  CHECK(newest().communicator == most_communicators);
  for (Communicator* each : all) release(*each);
  release(again);
  CHECK(nowhere().index == most_communicators);
}

TEST_CASE("others find the block in /proc, with what it is") {
  block();
  const std::string path = shown_path();
  REQUIRE(!path.empty());
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  Head head{};
  CHECK(pread(descriptor, &head, sizeof head, 0) == sizeof head);
  CHECK(std::memcmp(head.magic.data(), "tuttical", 8) == 0);
  CHECK(head.version == layout_version);
  CHECK(head.bytes == sizeof(Block));
  CHECK(head.pid == getpid());
  CHECK(std::string(head.program.data()).find("hang_test") != std::string::npos);
  struct stat status {};
  CHECK(fstat(descriptor, &status) == 0);
  CHECK(status.st_size == sizeof(Block));
  constexpr off_t few_pages = 32 * 1024;
  CHECK(status.st_blocks * 512 <= few_pages + 8 * 4096);  // what no thread has touched takes no memory
  close(descriptor);
}

TEST_CASE("names are kept until there is no room") {
  add_name(Name::type, 1234, "MPI_DOUBLE", 8);
  bool found = false;
  for (const Name& name : block().names)
    found = found || (name.what == Name::type && name.value == 1234 && name.bytes == 8 &&
                      std::string(name.text.data()) == "MPI_DOUBLE");
  CHECK(found);
  for (int i = 0; i < 200; ++i) add_name(Name::op, 5, std::string(100, 'x'));
  CHECK(block().names.back().text.back() == 0);
}
