#pragma once
/// Memory shared by the ranks of one node.  OS only: whoever uses it carries the offers between ranks and agrees.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tutti::node {

/// What the creator sends to its peers (plain bytes, over MPI) so that they can attach.
struct Offer {
  enum class Kind : std::uint32_t { none, memfd, shm_open } kind = Kind::none;
  std::int32_t pid = 0, fd = -1;
  char name[56] = {};
  std::uint64_t nonce = 0;  ///< also written into the segment: proves that the peer found this very segment
  std::uint64_t bytes = 0;
};

/// Bytes that the cgroup and the machine can still give, as far as they tell.  Takes 100 us and more.
std::size_t memory_headroom();

/// A mapped segment; unmaps itself.  No name or file remains once `publish` has run or the process has died.
class Segment {
 public:
  /// Reserves the memory (fallocate), mode 0600.  Nothing where the kernel will not, or where it is more than
  /// `free`; then `reason` says why in one sentence.
  static std::optional<Segment> create(std::size_t bytes, Offer::Kind kind, Offer& offer, std::string& reason,
                                       std::size_t free = memory_headroom());
  /// Maps the offered segment and compares the nonce.
  static std::optional<Segment> attach(const Offer& offer, std::string& reason);
  /// By the creator, once everybody has attached (or failed to): closes the descriptor, unlinks the name.
  void publish();

  /// The same memory once more, for a team of threads.  Owns nothing: the original must outlive it.
  Segment alias() const;

  std::byte* data() const { return data_; }  ///< usable bytes, 64-byte aligned, zero at first
  std::size_t size() const { return size_; }

  Segment(Segment&&) noexcept;
  Segment& operator=(Segment&&) noexcept;
  ~Segment();

 private:
  Segment();
  std::byte* mapping_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t mapped_ = 0, size_ = 0;
  int fd_ = -1;
  std::string name_;
  int owner_;  ///< the process that mapped it: a forked child has neither the mapping nor a say
};

}  // namespace tutti::node
