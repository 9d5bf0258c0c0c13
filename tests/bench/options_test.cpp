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
