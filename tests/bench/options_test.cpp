#include "bench/options.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tutti;
using namespace tutti::bench;

namespace {

Options parse(std::vector<const char*> words) {
  words.insert(words.begin(), "tutti-bench");
  return parse_options(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a case is a collective and a size") {
  CHECK(parse_case("allreduce:8") == Case{Collective::allreduce, 8});
  CHECK(parse_case("bcast:64K") == Case{Collective::bcast, 65536});
  CHECK(parse_case("alltoall:2M") == Case{Collective::alltoall, 2 << 20});
  CHECK(parse_case("barrier") == Case{Collective::barrier, 0});
}

TEST_CASE("what is no case says so") {
  for (const char* text : {"allreduc:8", "allreduce", "bcast:", "bcast:x", "bcast:8Q", "bcast:-1", "bcast:99999999G"})
    CHECK_THROWS_AS(parse_case(text), std::invalid_argument);
}

TEST_CASE("options have defaults and are read") {
  const Options usual = parse({"--mpi-library", "/lib/libmpi.so", "barrier"});
  CHECK(usual.check);
  CHECK(usual.variants == std::vector<VariantName>{{"tutti", Source::preloaded}, {"native", Source::library}});
  const Options other = parse(
      {"--seconds", "0.25", "--precision", "0.05", "--variants", "native,again", "--no-check", "bcast:8", "barrier"});
  CHECK(other.seconds == 0.25);
  CHECK(other.precision == 0.05);
  CHECK_FALSE(other.check);
  CHECK(other.variants == std::vector<VariantName>{{"native", Source::library}, {"again", Source::library}});
  CHECK(other.cases.size() == 2);
}

TEST_CASE("unusable options are refused") {
  CHECK_THROWS_AS(parse({}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--seconds", "0", "barrier"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--seconds", "1x", "barrier"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--variants", "tutti", "barrier"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--variants", "tutti,other", "barrier"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--colour", "barrier"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"barrier", "--seconds"}), std::invalid_argument);
}

TEST_CASE("the clock and the start are named") {
  const Options options = parse({"bcast:8", "--sync", "round", "--clock", "hca3", "--clock-source", "raw"});
  CHECK(options.sync == Sync::round);
  CHECK(options.clock.forced);
  CHECK(options.clock.source == ClockKind::monotonic_raw);
  CHECK(parse({"--clock-check", "2.5"}).clock_check == 2.5);
  CHECK_THROWS_AS(parse({"bcast:8", "--sync", "now"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"bcast:8", "--clock", "ntp"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"bcast:8", "--clock-source", "sundial"}), std::invalid_argument);
}

TEST_CASE("an arrival is a pattern and a skew") {
  const Case what = parse_case("allreduce:64K@last_late:2x");
  CHECK(what.bytes == 65536);
  CHECK(what.arrival.pattern == ArrivalPattern::last_late);
  CHECK(what.arrival.multiple);
  CHECK(what.arrival.amount == 2);
  CHECK(parse_case("barrier@random:150us").arrival.amount == doctest::Approx(150e-6));
  CHECK(parse_arrival("bell:0.5ms").amount == doctest::Approx(0.5e-3));
  CHECK(parse_arrival("bell:1e-4").amount == doctest::Approx(1e-4));
  CHECK(parse_arrival("replay:a:b.txt").skew == "a:b.txt");
  CHECK(!parse_arrival("none"));
  for (const char* text : {"sideways:1x", "bell", "bell:x", "bell:2 years", "bell:-1x", "replay"})
    CHECK_THROWS_AS(parse_arrival(text), std::invalid_argument);
}

TEST_CASE("a subject is a collective in one of its forms, or something else") {
  CHECK(parse_case("iallreduce:8") == Case{Collective::allreduce, 8, {}, Manner::nonblocking});
  CHECK(parse_case("ibarrier").manner == Manner::nonblocking);
  CHECK(parse_case("bcast_init:8").manner == Manner::persistent);
  CHECK(parse_case("pingpong:1K").other == "pingpong");
  CHECK(parse_case("pairs-3:1K").other == "pairs-3");
  CHECK(parse_case("memcpy:1K").other == "memcpy");
  CHECK(parse_case("halo:8", {{"halo", "halo.txt"}}).other == "halo");
  CHECK_THROWS_AS(parse_case("halo:8"), std::invalid_argument);
  CHECK_THROWS_AS(parse_case("pingpong"), std::invalid_argument);
  for (const char* text : {"iallreduce:8", "bcast_init:8", "ring:8", "scan:8"})
    CHECK(std::string(text).starts_with(subject_of(parse_case(text)) + ":"));
}

TEST_CASE("what is called, and how often") {
  const Options options = parse({"halo:8", "--pattern", "halo=a=b.txt", "--root", "3", "--in-place", "--datatype",
                                 "int", "--operator", "max", "--repetitions", "7", "--warm-ups", "0", "--batch", "1"});
  CHECK(options.cases.at(0).other == "halo");
  CHECK(options.patterns.at(0).file == "a=b.txt");
  CHECK(options.root == 3);
  CHECK(options.in_place);
  CHECK(options.element == Element::int32);
  CHECK(options.op == Operator::max);
  CHECK(options.repetitions == 7);
  CHECK(options.warm_ups == 0);
  CHECK(options.batch == 1);
  CHECK(parse({"bcast:8", "--root", "rotating"}).rotating_root);
}

TEST_CASE("a case says what the caches hold, or else the options do") {
  const std::vector<Case> cases = parse({"bcast:8", "bcast:8%warm", "barrier", "--cache", "flushed"}).cases;
  CHECK(cases.at(0).cache == CacheMode::flushed);
  CHECK(cases.at(1) == Case{.collective = Collective::bcast, .bytes = 8, .cache = CacheMode::warm});
  CHECK(cases.at(2) == Case{});
  CHECK(parse_case("bcast:8").cache == CacheMode::cold);
  const Case both = parse_case("reduce(root=1):8%fresh@replay:a%b.txt");
  CHECK(both.cache == CacheMode::fresh);
  CHECK(both.arrival.skew == "a%b.txt");
  CHECK(both.terms.root == 1);
  CHECK(parse_case("memcpy:1K%rotating").cache == CacheMode::cold);
  CHECK(parse_cache_mode("rotating", "") == CacheMode::cold);
  for (const CacheMode mode : {CacheMode::cold, CacheMode::warm, CacheMode::fresh, CacheMode::flushed})
    CHECK(parse_cache_mode(std::string(name(mode)), "") == mode);
}

TEST_CASE("a cache mode that is none, or of a call without buffers, is refused") {
  for (const char* text :
       {"bcast:8%", "bcast:8%hot", "bcast%warm", "barrier%warm", "ibarrier%cold", "bcast:8%warm%cold"})
    CHECK_THROWS_AS(parse_case(text), std::invalid_argument);
  CHECK_THROWS_WITH(parse({"bcast:8", "--cache", "hot"}), "--cache: 'hot' is none of cold, warm, fresh, flushed");
  CHECK_THROWS_WITH(parse_case("bcast:8%hot"), "'bcast:8%hot': 'hot' is none of cold, warm, fresh, flushed");
}

TEST_CASE("some ranks measure") {
  CHECK(parse({"--on", "0,4-7,2", "barrier"}).on == std::vector<int>{0, 4, 5, 6, 7, 2});
  CHECK(parse({"barrier"}).on.empty());
  for (const char* wrong : {"", "a", "1,", "3-1", "1,0-2", "-1", "0-9999999"})
    CHECK_THROWS_AS(parse({"--on", wrong, "barrier"}), std::invalid_argument);
}

TEST_CASE("what cannot be together is refused") {
  CHECK_THROWS_AS(parse({"bcast_init:8", "--root", "rotating"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"pingpong:8", "--bound"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"reduce:8", "--operator", "band"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"reduce:8", "--datatype", "strided"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"bcast:8", "--pattern", "halo.txt"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"bcast:8", "--repetitions", "0"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"bcast:8", "--root", "-1"}), std::invalid_argument);
}
