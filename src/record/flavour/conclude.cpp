/// What all ranks noted becomes one file.  docs/recording.md has its format; python/tutti/recording.py reads it.
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>

#include "clock/machine.hpp"
#include "mpi/journal.hpp"
#include "mpi/pmpi.hpp"
#include "record/flavour/record.hpp"
#include "record/flavour/recorder.hpp"

namespace tutti::record {

using mpi::pmpi;
using mpi::journal::text;

namespace {

using Json = nlohmann::ordered_json;

constexpr char heading[] = "tutti-record 01\n";

/// One entry in the file.  Little-endian, as all machines that tutti runs on are.
struct CallRecord {
  std::uint32_t site, communicator;
  std::uint32_t datatype, op;  ///< numbers of names
  std::int32_t root;
  std::uint8_t collective, in_place, rounded, zero;
  std::int64_t size;
  std::uint64_t calls;
  std::int64_t bytes;
  double seconds, least, most;
};
static_assert(sizeof(CallRecord) == 72);

struct SampleRecord {
  std::uint32_t entry, call;
  double begin, end;  ///< seconds of CLOCK_MONOTONIC_RAW
};
static_assert(sizeof(SampleRecord) == 24);

/// Names in the order of their numbers, and the number of each handle.
struct Names {
  explicit Names(const std::map<std::uint64_t, std::string>& named) {
    for (const auto& [handle, name] : named) {
      const auto known = std::find(list.begin(), list.end(), name);
      numbers[handle] = static_cast<std::uint32_t>(known - list.begin());
      if (known == list.end()) list.push_back(name);
    }
  }
  std::uint32_t of(std::uint64_t handle) const {
    const auto found = numbers.find(handle);
    return found == numbers.end() ? nowhere : found->second;
  }
  std::vector<std::string> list;
  std::map<std::uint64_t, std::uint32_t> numbers;
};

std::string hexadecimal(std::uint64_t value) { return text("%#llx", static_cast<unsigned long long>(value)); }

Json described(const Sites& sites) {
  Json list = Json::array();
  for (const Site& site : sites.all())
    list.push_back({{"address", hexadecimal(site.address)},
                    {"base", hexadecimal(site.base)},
                    {"object", site.object},
                    {"symbol", site.symbol}});
  return list;
}

Json described(const std::vector<Communicator>& communicators) {
  Json list = Json::array();
  for (const Communicator& each : communicators) {
    list.push_back({{"identity", hexadecimal(each.members) + "." + std::to_string(each.ordinal)},
                    {"size", each.size},
                    {"rank", each.rank},
                    {"inter", each.inter}});
    if (each.rank == 0) list.back()["ranks"] = each.ranks;
  }
  return list;
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

template <class Record>
void append(std::string& bytes, const Record& record) {
  bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
}

/// Ticks as seconds of CLOCK_MONOTONIC_RAW, by the two moments at which both clocks were read.
class Conversion {
 public:
  Conversion(const Anchor& start, const Anchor& end) : start_(start) {
    if (end.ticks > start.ticks)
      rate_ = static_cast<double>(end.nanoseconds - start.nanoseconds) / static_cast<double>(end.ticks - start.ticks);
  }
  double duration(std::uint64_t ticks) const { return 1e-9 * rate_ * static_cast<double>(ticks); }
  double moment(std::uint64_t ticks) const {
    const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - start_.ticks));
    return 1e-9 * (static_cast<double>(start_.nanoseconds) + rate_ * since);
  }

 private:
  Anchor start_;
  double rate_ = 1;
};

/// This rank's part of the file: the length of a JSON object, that, and the arrays that it announces.
std::string part_of_file(const Recorder& recorder, int rank, int ranks) {
  const Anchor end = anchor_now();
  const Conversion clock(recorder.start(), end);
  const Names types(recorder.types()), operators(recorder.operators());
  const Book& book = recorder.book();
  Json object{{"rank", rank},
              {"ranks", ranks},
              {"host", host_name()},
              {"process", getpid()},
              {"library", mpi::library_version().substr(0, mpi::library_version().find('\n'))},
              {"served", serving()},
              {"clock", kernel_clock_identity()},
              {"begin", clock.moment(recorder.start().ticks)},
              {"end", clock.moment(end.ticks)},
              {"thinning", book.thinning()},
              {"calls", book.entries().size()},
              {"samples", book.samples().size()},
              {"collectives", collective_names},
              {"datatypes", types.list},
              {"operators", operators.list},
              {"communicators", described(recorder.communicators())},
              {"sites", described(recorder.sites())}};
  std::string json = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  json.resize((json.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  append(bytes, static_cast<std::uint64_t>(json.size()));
  bytes += json;
  for (const Entry& entry : book.entries()) {
    const Key& key = entry.key;
    append(bytes, CallRecord{key.site, key.communicator, types.of(key.datatype), operators.of(key.op), key.root,
                             key.collective, key.in_place, key.rounded, 0, key.bytes, entry.calls, entry.bytes,
                             clock.duration(entry.ticks), clock.duration(entry.least), clock.duration(entry.most)});
  }
  for (const Sample& sample : book.samples())
    append(bytes, SampleRecord{sample.entry, sample.call, clock.moment(sample.begin), clock.moment(sample.end)});
  return bytes;
}

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
    if (file_ && std::fwrite(data, 1, bytes, file_.get()) != bytes) complain();
  }
  void close() {
    if (file_ && std::fclose(file_.release()) != 0) complain();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void complain() {
    mpi::journal::say(text("TUTTI_RECORD: cannot write %s: %s", path_, std::strerror(errno)));
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
    if (!channel) return mpi::journal::say("the recording is lost: no communicator to send it over");
    collect(channel, part_of_file(*recorder(), channel.rank(), channel.size()), path);
  } catch (const std::exception& error) {
    mpi::journal::say(text("the recording is lost: %s", error.what()));
  }
}

}  // namespace tutti::record
