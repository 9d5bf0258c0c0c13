#include "bench/backend/shared_lines.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "bench/backend/team.hpp"

namespace tutti::bench {

/// A file in memory that rank 0 makes and the others open by its number there: it has no name that could be left
/// behind.  (Open MPI's shared windows print errors on machines with a part of UCX.)
SharedLines::SharedLines(Team& team, std::size_t count) {
  const std::size_t bytes = count * sizeof(Line);
  int file = team.rank() == 0 ? memfd_create("tutti-bench", MFD_CLOEXEC) : -1;
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    close(file);
    file = -1;
  }
  std::array<double, 2> offer = {file >= 0 ? getpid() : -1.0, static_cast<double>(file)};
  team.maximum(offer);
  if (team.rank() > 0 && offer[1] >= 0) {
    const auto number = [](double value) { return std::to_string(static_cast<int>(value)); };
    file = open(("/proc/" + number(offer[0]) + "/fd/" + number(offer[1])).c_str(), O_RDWR | O_CLOEXEC);
  }
  void* const begin = file < 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (begin != MAP_FAILED) lines_ = {static_cast<Line*>(begin), count};
  std::array<double, 1> missing = {begin == MAP_FAILED ? 1.0 : 0.0};
  team.maximum(missing);  // and until all have opened it
  if (file >= 0) close(file);
  if (missing[0] > 0) *this = SharedLines();
}

SharedLines::SharedLines(SharedLines&& other) noexcept : lines_(std::exchange(other.lines_, {})) {}

SharedLines& SharedLines::operator=(SharedLines&& other) noexcept {
  std::swap(lines_, other.lines_);
  return *this;
}

SharedLines::~SharedLines() {
  if (!lines_.empty()) munmap(lines_.data(), lines_.size_bytes());
}

}  // namespace tutti::bench
