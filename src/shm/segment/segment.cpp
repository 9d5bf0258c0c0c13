/// Segments: anonymous memory that peers map through /proc/<pid>/fd, or a POSIX object unlinked once all have it.
#include "shm/segment/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "shm/segment/file_limit.hpp"
#include "shm/segment/numa.hpp"

namespace tutti::shm {
namespace {

/// The first page: only the nonce.  The usable bytes begin at a page, so that owners can be placed by page.
constexpr std::size_t header_bytes = 4096;

/// A file descriptor that closes itself unless it was released.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

std::string because(const std::string& what, int error) { return what + ": " + std::generic_category().message(error); }

std::uint64_t random_nonce() {
  std::uint64_t nonce = 0;
  if (::getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != sizeof nonce) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    nonce = static_cast<std::uint64_t>(now.tv_nsec) << 32 ^ static_cast<std::uint64_t>(now.tv_sec);
    nonce ^= static_cast<std::uint64_t>(::getpid()) << 16;
  }
  return nonce | 1;  // zero is what untouched memory holds
}

/// Opens the memory that the offer speaks of, private to the user.
int open_new(Offer::Kind kind, Offer& offer) {
  if (kind == Offer::Kind::memfd) {
    const int fd = ::memfd_create("tutti", MFD_CLOEXEC);
    if (fd >= 0) ::fchmod(fd, S_IRUSR | S_IWUSR);
    return fd;
  }
  std::snprintf(offer.name, sizeof offer.name, "/tutti.%d.%016llx", static_cast<int>(::getpid()),
                static_cast<unsigned long long>(offer.nonce));
  return ::shm_open(offer.name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

/// Opens what a peer offered.  The number may mean something else here (PID namespaces): checked before opening, so
/// that no device or pipe of a stranger is touched.
int open_offered(const Offer& offer) {
  if (offer.kind == Offer::Kind::shm_open) return ::shm_open(offer.name, O_RDWR | O_CLOEXEC, 0);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(offer.pid), static_cast<int>(offer.fd));
  const Descriptor seen(::open(path, O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!seen || ::fstat(seen.get(), &status) != 0) return -1;
  if (!S_ISREG(status.st_mode)) {
    errno = EINVAL;
    return -1;
  }
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", seen.get());
  return ::open(path, O_RDWR | O_CLOEXEC);
}

/// Maps the whole file.  A forked child gets no mapping: it must not act for its parent.
std::byte* map(int fd, std::size_t bytes) {
  void* where = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (where == MAP_FAILED) return nullptr;
  ::madvise(where, bytes, MADV_DONTFORK);
  return static_cast<std::byte*>(where);
}

std::size_t mapped_for(std::size_t bytes) {
  return header_bytes + (bytes + header_bytes - 1) / header_bytes * header_bytes;
}

std::atomic_ref<std::uint64_t> nonce_of(std::byte* mapping) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(mapping));
}

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

}  // namespace

std::optional<Segment> Segment::create(std::size_t bytes, Offer::Kind kind, Offer& offer, std::string& reason,
                                       std::size_t free, Pages pages, std::size_t reserved) {
  const QuietFileLimit limit;
  offer = Offer{};
  if (kind == Offer::Kind::none) return reason = "no kind of shared memory was asked for", std::nullopt;
  Segment made;
  made.size_ = bytes, made.mapped_ = mapped_for(bytes);
  if (made.mapped_ > free) {
    reason = megabytes(made.mapped_) + " of shared memory is more than the " + megabytes(free) + " that are free";
    return std::nullopt;
  }
  offer.nonce = random_nonce();
  const char* call = kind == Offer::Kind::memfd ? "memfd_create" : "shm_open";
  made.fd_ = open_new(kind, offer);
  if (made.fd_ < 0) return reason = because(call, errno), std::nullopt;
  if (kind == Offer::Kind::shm_open) made.name_ = offer.name;
  const std::string reserving = "cannot reserve " + megabytes(made.mapped_) + " of shared memory";
  if (::ftruncate(made.fd_, static_cast<off_t>(made.mapped_)) != 0)
    return reason = because(reserving, errno), std::nullopt;
  made.mapping_ = map(made.fd_, made.mapped_);
  if (made.mapping_ == nullptr) return reason = because("mmap of shared memory", errno), std::nullopt;
  if (pages == Pages::spread) interleave(made.mapping_, made.mapped_);
  // posix_fallocate would write the pages where the file system cannot reserve, so the system call is used directly.
  if (::fallocate(made.fd_, 0, 0, static_cast<off_t>(mapped_for(std::min(bytes, reserved)))) != 0)
    return reason = because(reserving, errno), std::nullopt;
  made.data_ = made.mapping_ + header_bytes;
  nonce_of(made.mapping_).store(offer.nonce, std::memory_order_release);
  offer.kind = kind, offer.pid = made.owner_, offer.fd = made.fd_, offer.bytes = bytes;
  return made;
}

std::optional<Segment> Segment::attach(const Offer& offer, std::string& reason) {
  if (offer.kind == Offer::Kind::none) return reason = "the creator has no shared memory to offer", std::nullopt;
  Segment made;
  made.size_ = offer.bytes, made.mapped_ = mapped_for(made.size_);
  Descriptor fd(open_offered(offer));
  if (!fd)
    return reason = because("cannot open the shared memory of process " + std::to_string(offer.pid), errno),
           std::nullopt;
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || static_cast<std::size_t>(status.st_size) != made.mapped_) {
    reason = "process " + std::to_string(offer.pid) + " here is not the one that offered shared memory (other size)";
    return std::nullopt;
  }
  made.mapping_ = map(fd.get(), made.mapped_);
  if (made.mapping_ == nullptr) return reason = because("mmap of offered shared memory", errno), std::nullopt;
  made.data_ = made.mapping_ + header_bytes;
  if (nonce_of(made.mapping_).load(std::memory_order_acquire) != offer.nonce) {
    reason = "process " + std::to_string(offer.pid) + " here is not the one that offered shared memory (other nonce)";
    return std::nullopt;
  }
  made.fd_ = fd.release();
  return made;
}

std::optional<Segment> Segment::alone(std::size_t bytes, std::string& reason) {
  Segment made;
  made.size_ = bytes, made.mapped_ = mapped_for(bytes), made.shared_ = false;
  void* const where = ::mmap(nullptr, made.mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (where == MAP_FAILED) return reason = because("mmap of " + megabytes(made.mapped_), errno), std::nullopt;
  made.mapping_ = static_cast<std::byte*>(where);
  made.data_ = made.mapping_ + header_bytes;
  return made;
}

bool Segment::settle(Access access, std::string& reason) {
  if (access == Access::copy_on_write && shared_) {
    // Beside the old mapping, not over it: if the kernel does not grant the pages, the old one must still exist.
    void* const where = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd_, 0);
    if (where == MAP_FAILED) return reason = because("mmap to copy on write", errno), false;
    ::munmap(mapping_, mapped_);
    mapping_ = static_cast<std::byte*>(where), data_ = mapping_ + header_bytes;
  } else if (access == Access::read && ::mprotect(mapping_, mapped_, PROT_READ) != 0) {
    return reason = because("mprotect", errno), false;
  }
  ::madvise(mapping_, mapped_, MADV_DOFORK);
  settled_ = true;
  return true;
}

void Segment::hide() {
  if (owner_ != ::getpid()) return;
  if (!name_.empty()) ::shm_unlink(name_.c_str());
  name_.clear();
}

void Segment::publish() {
  if (owner_ != ::getpid()) return;
  hide();
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Segment Segment::part(std::size_t from, std::size_t bytes) const {
  Segment same;
  same.data_ = data_ + from, same.size_ = bytes;
  return same;
}

Segment::Segment() : owner_(::getpid()) {}

Segment::Segment(Segment&& other) noexcept : Segment() { *this = std::move(other); }

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(mapping_, other.mapping_), std::swap(data_, other.data_);
  std::swap(mapped_, other.mapped_), std::swap(size_, other.size_);
  std::swap(fd_, other.fd_), std::swap(name_, other.name_), std::swap(owner_, other.owner_);
  std::swap(settled_, other.settled_), std::swap(shared_, other.shared_);
  return *this;
}

Segment::~Segment() {
  publish();
  // A forked child has no mapping (DONTFORK), but perhaps something else at that address.
  if (mapping_ != nullptr && (settled_ || owner_ == ::getpid())) ::munmap(mapping_, mapped_);
}

}  // namespace tutti::shm
