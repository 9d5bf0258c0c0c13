/// Segments between real processes, and what they refuse.
#include "shm/segment/segment.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "blocks.hpp"
#include "shm/group.hpp"

namespace tutti::shm::test {
namespace {

/// Runs `work` in a forked process; its result.  A fault ends it at once: the test program's own handler would write a
/// report, into the parent's file.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_CASE("a peer process finds the memory, and only while it is offered") {
  for (const auto kind : {Offer::Kind::memfd, Offer::Kind::shm_open}) {
    Offer offer;
    std::string reason;
    auto segment = Segment::create(100'000, kind, offer, reason);
    REQUIRE_MESSAGE(segment.has_value(), reason);
    CHECK(segment->size() == 100'000);
    CHECK(reinterpret_cast<std::uintptr_t>(segment->data()) % 64 == 0);
    for (std::size_t i = 0; i < segment->size(); ++i) REQUIRE(segment->data()[i] == std::byte{0});
    const auto peer = [&] {
      std::string why;
      auto theirs = Segment::attach(offer, why);
      if (!theirs || theirs->size() != 100'000) return 1;
      theirs->data()[99'999] = std::byte{42};
      return 0;
    };
    CHECK(in_child(peer) == 0);
    CHECK(segment->data()[99'999] == std::byte{42});
    segment->publish();
    CHECK(in_child(peer) == 1);
    if (kind == Offer::Kind::shm_open) CHECK(::shm_open(offer.name, O_RDWR, 0) < 0);
  }
}

TEST_CASE("nobody but the user may open it") {
  Offer offer;
  std::string reason;
  auto segment = Segment::create(4096, Offer::Kind::memfd, offer, reason);
  REQUIRE(segment.has_value());
  struct stat status {};
  REQUIRE(::fstat(offer.fd, &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a forked child has no mapping") {
  Offer offer;
  std::string reason;
  auto segment = Segment::create(4096, Offer::Kind::memfd, offer, reason);
  REQUIRE(segment.has_value());
  std::byte* const page = segment->data();
  const auto child = [&] {
    unsigned char resident = 0;
    if (::mincore(page, 4096, &resident) == 0 || errno != ENOMEM) return 1;
    // Whatever the child maps there must survive its copy of the segment.
    void* mine = ::mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mine != page) return 2;
    segment.reset();
    return ::mincore(page, 4096, &resident) == 0 ? 0 : 3;
  };
  CHECK(in_child(child) == 0);
}

bool write_is_a_fault(std::byte* place) {
  return in_child([&] { return *place = std::byte{9}, 0; }) == 128 + SIGSEGV;
}

TEST_CASE("a filled segment is narrowed for one process, and stays as it is for the others") {
  for (const auto kind : {Offer::Kind::memfd, Offer::Kind::shm_open}) {
    Offer offer;
    std::string reason;
    auto mine = Segment::create(100'000, kind, offer, reason, memory_headroom(), Pages::spread);
    REQUIRE_MESSAGE(mine.has_value(), reason);
    auto reader = Segment::attach(offer, reason), writer = Segment::attach(offer, reason);
    REQUIRE((reader && writer));
    mine->hide();
    mine->data()[50'000] = std::byte{7};
    REQUIRE(reader->settle(Access::read, reason));
    REQUIRE(writer->settle(Access::copy_on_write, reason));
    REQUIRE(mine->settle(Access::read, reason));
    for (Segment* each : {&*mine, &*reader, &*writer}) each->publish();

    CHECK(write_is_a_fault(mine->data() + 99'999));
    CHECK(write_is_a_fault(reader->data()));
    CHECK_FALSE(write_is_a_fault(writer->data()));
    writer->data()[50'000] = std::byte{8};
    CHECK(writer->data()[50'000] == std::byte{8});
    CHECK(reader->data()[50'000] == std::byte{7});
    // The memory outlives its creator, and a child lets go of its own mapping alone.
    mine.reset();
    CHECK(in_child([&] { return reader.reset(), 0; }) == 0);
    CHECK(reader->data()[50'000] == std::byte{7});
  }
}

TEST_CASE("memory of one process alone") {
  std::string reason;
  auto alone = Segment::alone(100'000, reason);
  REQUIRE_MESSAGE(alone.has_value(), reason);
  CHECK_FALSE(alone->shared());
  CHECK(alone->data()[99'999] == std::byte{0});
  alone->data()[99'999] = std::byte{1};
  REQUIRE(alone->settle(Access::copy_on_write, reason));
  CHECK_FALSE(write_is_a_fault(alone->data()));
  REQUIRE(alone->settle(Access::read, reason));
  CHECK(write_is_a_fault(alone->data()));
  CHECK(alone->data()[99'999] == std::byte{1});
}

TEST_CASE("reasons are sentences") {
  Offer offer;
  std::string reason;
  CHECK_FALSE(Segment::create(std::size_t{1} << 50, Offer::Kind::memfd, offer, reason));
  CHECK(reason.find("more than") != std::string::npos);
  CHECK_FALSE(Segment::attach(Offer{}, reason));
  CHECK(reason.find("no shared memory") != std::string::npos);

  auto segment = Segment::create(4096, Offer::Kind::memfd, offer, reason);
  REQUIRE(segment.has_value());
  Offer wrong = offer;
  wrong.nonce ^= 2;
  CHECK_FALSE(Segment::attach(wrong, reason));
  CHECK(reason.find("nonce") != std::string::npos);
  wrong = offer, wrong.bytes += 100'000;
  CHECK_FALSE(Segment::attach(wrong, reason));
  CHECK(reason.find("size") != std::string::npos);
  wrong = offer, wrong.fd = 100'000;
  CHECK_FALSE(Segment::attach(wrong, reason));
  CHECK(reason.find("cannot open") != std::string::npos);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  wrong = offer, wrong.fd = ends[0];
  CHECK_FALSE(Segment::attach(wrong, reason));
  ::close(ends[0]), ::close(ends[1]);
}

TEST_CASE("the headroom is between nothing and the machine") {
  CHECK(memory_headroom() > std::size_t{1} << 20);
  CHECK(memory_headroom() <= static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * 4096);
}

int play(const Offer& offer, ShmGroupOptions options, int me) {
  std::string reason;
  auto segment = Segment::attach(offer, reason);
  if (!segment) return 1;
  options.me = me;
  ShmGroup group(std::move(*segment), options);
  group.agree_on_single_copy();
  const Reducer sum = kernel(Operator::sum, Element::i32);
  for (std::int32_t round = 0; round < 300; ++round) {
    std::int32_t value = me + round, total = 0;
    group.allreduce(&value, &total, 1, sum);
    if (total != options.size * round + options.size * (options.size - 1) / 2) return 2;
    group.bcast(&value, sizeof value, round % options.size);
    if (value != round % options.size + round) return 3;
  }
  for (int round = 0; round < 50; ++round) {
    const Movement move(group, round, {.single_copy = 2000});
    if (move.alltoall([&](int from, int to) { return static_cast<std::size_t>(from + to) * 700; }, Sizes::own) != 0)
      return 4;
    if (move.bcast(round % options.size, 3000) != 0) return 5;
  }
  return 0;
}

TEST_CASE("processes as ranks") {
  ShmGroupOptions options;
  options.size = 5, options.cpus = 2;
  Offer offer;
  std::string reason;
  auto segment = Segment::create(ShmGroup::bytes(options), Offer::Kind::memfd, offer, reason);
  REQUIRE_MESSAGE(segment.has_value(), reason);
  std::vector<pid_t> children;
  for (int me = 0; me < options.size; ++me) {
    children.push_back(::fork());
    if (children.back() == 0) ::_exit(play(offer, options, me));
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
}

}  // namespace
}  // namespace tutti::shm::test
