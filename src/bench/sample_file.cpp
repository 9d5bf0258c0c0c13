#include "bench/sample_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace tutti::bench {

namespace {

constexpr char heading[] = "tutti-samples 1\n";  // 16 bytes, so that samples are aligned

std::string file_name(int rank) {
  const std::string number = std::to_string(rank);
  constexpr std::size_t digits = 5;
  return "rank-" + std::string(number.size() < digits ? digits - number.size() : 0, '0') + number + ".bin";
}

}  // namespace

SampleFile::SampleFile(const std::string& folder, int rank, double origin)
    : path_((std::filesystem::path(folder) / file_name(rank)).string()), origin_(origin) {
  std::error_code ignored;  // the file tells
  std::filesystem::create_directories(folder, ignored);
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  kept_.reserve(room);
  if (std::fwrite(heading, 1, sizeof heading - 1, file_.get()) != sizeof heading - 1)
    throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

void SampleFile::flush(bool all) {
  if (!file_ || kept_.empty() || (!all && kept_.size() < room / 2)) return;
  if (std::fwrite(kept_.data(), sizeof(Sample), kept_.size(), file_.get()) != kept_.size())
    throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
  kept_.clear();
}

}  // namespace tutti::bench
