#include "bench/sample_file.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

using namespace tutti::bench;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone with this.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "tutti-samples-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

std::vector<Sample> read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char heading[16];
  stream.read(heading, sizeof heading);
  CHECK(std::memcmp(heading, "tutti-samples 1\n", sizeof heading) == 0);
  std::vector<Sample> samples;
  for (Sample sample; stream.read(reinterpret_cast<char*>(&sample), sizeof sample);) samples.push_back(sample);
  return samples;
}

}  // namespace

TEST_CASE("samples are in the file in their order, since the origin") {
  const Folder folder;
  {
    SampleFile file((folder.path / "deep" / "folder").string(), 7, 100);
    for (std::uint32_t i = 0; i < 10000; ++i) {
      file.keep({i % 2, i, 100 + 0.5 * i, 101 + 0.5 * i, 0});
      if (i % 64 == 0) file.flush();
    }
    file.flush(true);
  }
  const auto samples = read(folder.path / "deep" / "folder" / "rank-00007.bin");
  REQUIRE(samples.size() == 10000);
  CHECK(samples[9999].repetition == 9999);
  CHECK(samples[9999].begin == 4999.5);
  CHECK(samples[9999].end == 5000.5);
}

TEST_CASE("what is flushed is in the file though nobody closes it") {
  const Folder folder;
  SampleFile file(folder.path.string(), 0, 0);
  file.keep({1, 2, 3, 4, 5});
  file.flush();
  CHECK(read(folder.path / "rank-00000.bin").empty());  // too few to disturb anybody for
  file.flush(true);
  CHECK(read(folder.path / "rank-00000.bin").at(0).late == 5);
}

TEST_CASE("without a folder nothing is kept; one that cannot be says so") {
  SampleFile none;
  none.keep({});
  none.flush(true);
  CHECK_THROWS_AS(SampleFile("/proc/nowhere", 0, 0), std::runtime_error);
}

TEST_CASE("keeping a sample costs less than 30 ns") {
  const Folder folder;
  SampleFile file(folder.path.string(), 0, 0);
  double least = 1;  // others may have the core for most of the batches
  for (int batch = 0; batch < 200; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < 100; ++i) file.keep({i, i, 1, 2, 0});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    least = std::min(least, spent.count() / 100);
    file.flush();
  }
  MESSAGE("ns a sample: ", 1e9 * least);
#ifndef __SANITIZE_ADDRESS__
  CHECK(least < 30e-9);
#endif
}
