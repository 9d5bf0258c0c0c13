#pragma once
/// Every sample of one rank, in a binary file.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tutti::bench {

/// One rank's repetition of one variant of one case.  In a file as it is in memory: python/tutti/results/samples.py
/// reads it.
struct Sample {
  std::uint32_t cell = 0;        ///< twice the case's number in the launch, plus the variant's
  std::uint32_t repetition = 0;  ///< equal on all ranks
  double begin = 0, end = 0;     ///< seconds on the global clock since the launch's origin
  double late = 0;               ///< how late the rank came to the common start
};
static_assert(sizeof(Sample) == 32);

/// Keeping a sample is a write to memory; flush(), between measurements, writes to the file.  Memory is bounded as
/// long as it is called now and then.
class SampleFile {
 public:
  /// Keeps nothing.
  SampleFile() = default;
  /// FOLDER/rank-00007.bin; the folder is made.  Throws std::runtime_error where that cannot be.  Samples' times are
  /// given as they are on the global clock, and kept since `origin`.
  SampleFile(const std::string& folder, int rank, double origin);

  void keep(const Sample& sample) {
    if (!file_) return;
    kept_.push_back(sample);
    kept_.back().begin -= origin_;
    kept_.back().end -= origin_;
  }
  /// Throws std::runtime_error where the disk is full.
  void flush(bool all = false);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  static constexpr std::size_t room = 4096;  ///< samples; of which half trigger a write
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  double origin_ = 0;
  std::vector<Sample> kept_;
};

}  // namespace tutti::bench
