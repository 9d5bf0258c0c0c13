#pragma once
/// Memory shared by the ranks of one node.  OS only: the caller passes the offers between ranks and makes the
/// agreement.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tutti::shm {

/// What the creator sends to its peers (plain bytes, over MPI) so that they can attach.
struct Offer {
  enum class Kind : std::uint32_t { none, memfd, shm_open } kind = Kind::none;
  std::int32_t pid = 0, fd = -1;
  char name[56] = {};
  std::uint64_t nonce = 0;  ///< also written into the segment: proves that the peer found this very segment
  std::uint64_t bytes = 0;
};

/// Where a segment's pages come from on a machine with several NUMA nodes.
enum class Pages : std::uint8_t {
  creators,  ///< from the creator's
  spread,    ///< interleaved over all
};

/// What a process may do with a segment that is filled.
enum class Access : std::uint8_t {
  read,           ///< read only
  copy_on_write,  ///< write too: pages that it writes become its own
};

/// Bytes that the cgroup and the machine have left, as far as they report it.  Takes 100 us and more.
std::size_t memory_headroom();

/// A mapped segment; unmaps itself.  No name or file remains once `publish` has run or the process has died.
class Segment {
 public:
  /// Reserves the memory (fallocate), mode 0600.  Nothing if the kernel refuses, or if it is more than `free`; then
  /// `reason` is one sentence.  Bytes from `reserved` on are taken when they are written to.
  static std::optional<Segment> create(std::size_t bytes, Offer::Kind kind, Offer& offer, std::string& reason,
                                       std::size_t free = memory_headroom(), Pages pages = Pages::creators,
                                       std::size_t reserved = SIZE_MAX);
  /// Maps the offered segment and compares the nonce.
  static std::optional<Segment> attach(const Offer& offer, std::string& reason);
  /// Memory with the same interface, private to this process.  Not reserved, as memory from malloc.
  static std::optional<Segment> alone(std::size_t bytes, std::string& reason);
  /// By the creator, once everybody has attached (or failed to): nobody else finds the segment from now on.
  void hide();
  /// As hide, and closes the descriptor.  Others close theirs by it.
  void publish();
  /// Reduces this process's access rights; the others' rights stay.  Before `publish`.  From then on a forked child has
  /// the memory too, and unmaps its own.  False: nothing has changed.
  bool settle(Access access, std::string& reason);
  /// Whether others can map the memory.
  bool shared() const { return shared_; }

  /// The same memory once more, for a group of threads.  Owns nothing: the original must outlive it.
  Segment alias() const { return part(0, size_); }
  /// `bytes` of it, from a multiple of 64 bytes on; owns nothing either.
  Segment part(std::size_t from, std::size_t bytes) const;

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
  int owner_;  ///< the process that mapped it: a forked child does not have the mapping
  bool settled_ = false, shared_ = true;
};

}  // namespace tutti::shm
