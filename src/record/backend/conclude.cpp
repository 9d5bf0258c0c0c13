/// What all ranks noted becomes one file.  docs/recording.md has its format; python/tutti/recording.py reads it.
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "record/backend/record.hpp"
#include "record/backend/recorder.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/journal.hpp"
#include "shm/segment/file_limit.hpp"

namespace tutti::record {

using runtime::pmpi;
using runtime::journal::text;

namespace {

constexpr char heading[] = "tutti-record 01\n";

/// Point to point on a communicator of its own.  Polls, and gives the core away meanwhile: some libraries do not.
class Channel {
 public:
  Channel() {
    pmpi.Comm_rank(MPI_COMM_WORLD, &rank_);
    pmpi.Comm_size(MPI_COMM_WORLD, &size_);
    if (pmpi.Comm_split(MPI_COMM_WORLD, 0, rank_, &comm_) != MPI_SUCCESS) comm_ = MPI_COMM_NULL;
    if (comm_ != MPI_COMM_NULL) pmpi.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~Channel() {
    if (comm_ != MPI_COMM_NULL) pmpi.Comm_free(&comm_);
  }
  Channel(const Channel&) = delete;
  explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  void send(int to, const void* data, std::uint64_t bytes) {
    pieces(bytes, [&](std::uint64_t at, int count) {
      return start([&](MPI_Request* request) {
        return pmpi.Isend(static_cast<const char*>(data) + at, count, MPI_BYTE, to, 0, comm_, request);
      });
    });
  }
  void receive(int from, void* data, std::uint64_t bytes) {
    pieces(bytes, [&](std::uint64_t at, int count) {
      return start([&](MPI_Request* request) {
        return pmpi.Irecv(static_cast<char*>(data) + at, count, MPI_BYTE, from, 0, comm_, request);
      });
    });
  }

 private:
  template <class Piece>
  void pieces(std::uint64_t bytes, Piece piece) {
    constexpr std::uint64_t most = 1 << 28;
    for (std::uint64_t at = 0; at < bytes; at += most) piece(at, static_cast<int>(std::min(most, bytes - at)));
  }
  template <class Start>
  void start(Start begin) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (begin(&request) != MPI_SUCCESS) throw std::runtime_error("a message of the recording failed");
    for (int done = 0; !done;) {
      if (pmpi.Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        throw std::runtime_error("a message of the recording failed");
      if (!done) sched_yield();
    }
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// The file on rank 0.  What goes wrong is said once; the other ranks are not to wait for it.
class Output {
 public:
  explicit Output(const char* path) : path_(path), file_(std::fopen(path, "wb")) {
    if (!file_) complain();
    write(heading, sizeof heading - 1);
  }
  void write(const void* data, std::size_t bytes) {
    const shm::QuietFileLimit limit;
    if (file_ && std::fwrite(data, 1, bytes, file_.get()) != bytes) complain();
  }
  void close() {
    const shm::QuietFileLimit limit;
    if (file_ && std::fclose(file_.release()) != 0) complain();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void complain() {
    runtime::journal::say(text("TUTTI_RECORD: cannot write %s: %s", path_, std::strerror(errno)));
    file_.reset();
  }
  const char* path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// Rank after rank, each when rank 0 asks for it: one rank's part is in memory beside rank 0's own.
void collect(Channel& channel, const std::string& own, const char* path) {
  std::uint64_t length = own.size();
  if (channel.rank() != 0) {
    std::uint64_t go = 0;
    channel.receive(0, &go, sizeof go);
    channel.send(0, &length, sizeof length);
    channel.send(0, own.data(), length);
    return;
  }
  Output output(path);
  output.write(own.data(), own.size());
  std::string part;
  for (int rank = 1; rank < channel.size(); ++rank) {
    const std::uint64_t go = 1;
    channel.send(rank, &go, sizeof go);
    channel.receive(rank, &length, sizeof length);
    part.resize(length);
    channel.receive(rank, part.data(), length);
    output.write(part.data(), part.size());
  }
  output.close();
}

}  // namespace

void conclude() noexcept {
  try {
    const char* const path = std::getenv("TUTTI_RECORD");
    int initialized = 0, finalized = 0;
    if (!recorder() || !path || pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return;
    if (pmpi.Finalized(&finalized) != MPI_SUCCESS || finalized) return;
    Channel channel;
    if (!channel) return runtime::journal::say("the recording is lost: no communicator to send it over");
    const std::string& library = runtime::library_version();
    const Recorder& all = *recorder();
    const Noted noted{all.book(),      all.sites(), all.communicators(), all.types(),
                      all.operators(), all.start(), anchor_now()};
    const Witness me{channel.rank(), channel.size(), library.substr(0, library.find('\n')), serving()};
    collect(channel, part_of_file(noted, me), path);
  } catch (const std::exception& error) {
    runtime::journal::say(text("the recording is lost: %s", error.what()));
  }
}

}  // namespace tutti::record
