#pragma once
/// Single copy: a member reads another member's private memory by process_vm_readv, or writes it by process_vm_writev.
///
/// Kernels refuse that for many reasons (EPERM under ptrace restrictions and in many containers), and in another PID
/// namespace the process number may be a stranger's.  So a member first reads a nonce at the address that the other
/// publishes; members agree once whether all can read all.  A later refusal is reported by the reader in the rendezvous
/// header, and the block is copied twice.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shm/group.hpp"

namespace tutti::shm {

class SingleCopy {
 public:
  static std::size_t bytes(const ShmGroupOptions& options);
  /// `memory`: bytes(options) of the segment.  Publishes there where my nonce lies.
  SingleCopy(std::byte* memory, const ShmGroupOptions& options);
  SingleCopy(const SingleCopy&) = delete;

  /// Whether I can read the memory of all.  Once every member has been made.
  bool trial() const;
  /// The agreement of all members.
  void allow(bool yes) { allowed_ = yes; }
  bool allowed() const { return allowed_; }
  /// Copies from the member's memory.  False if the kernel refuses: then for good, and `into` is undefined.
  bool read(int member, const std::byte* from, std::byte* into, std::size_t bytes);
  /// Copies into the member's memory.  False as for `read`; a part may have been written.
  bool write(int member, std::byte* into, const std::byte* from, std::size_t bytes);
  /// Whether the kernel has not refused a write there so far.
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
