#pragma once
/// One copy instead of two: a member reads another's own memory, by process_vm_readv, or writes it, by
/// process_vm_writev.
///
/// Kernels refuse that for many reasons (EPERM under ptrace restrictions and in many containers), and in another PID
/// namespace the number may be a stranger's.  So a member first proves that it finds a nonce where the other says that
/// it lies; members agree once whether all can read all.  What is refused later is the reader's to rendezvous: then it
/// asks for two copies instead.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shm/group.hpp"

namespace tutti::shm {

class SingleCopy {
 public:
  static std::size_t bytes(const ShmGroupOptions& options);
  /// `memory`: bytes(options) of the segment.  Says there where my nonce lies.
  SingleCopy(std::byte* memory, const ShmGroupOptions& options);
  SingleCopy(const SingleCopy&) = delete;

  /// Whether I can read the memory of all.  Once every member has been made.
  bool trial() const;
  /// What all members have agreed on.
  void allow(bool yes) { allowed_ = yes; }
  bool allowed() const { return allowed_; }
  /// Copies from the member's memory.  False where the kernel will not: then for good, and `into` may hold anything.
  bool read(int member, const std::byte* from, std::byte* into, std::size_t bytes);
  /// Copies into the member's memory.  False as for `read`; what is there already may have been written.
  bool write(int member, std::byte* into, const std::byte* from, std::size_t bytes);
  /// Whether the kernel has not refused yet that I write there.
  bool writes(int member) const { return refused_writes_[static_cast<std::size_t>(member)] == 0; }

 private:
  /// In shared memory, one a member.
  struct alignas(64) Card {
    std::int64_t process;
    const std::uint64_t* place;
    std::uint64_t nonce;
  };
  bool copy(int member, const void* from, void* into, std::size_t bytes) const;

  const Card* cards_;
  int me_, size_;
  ReadMemory read_memory_;
  WriteMemory write_memory_;
  std::uint64_t nonce_;
  bool allowed_ = false;
  std::vector<char> refused_, refused_writes_;  ///< by member
};

}  // namespace tutti::shm
