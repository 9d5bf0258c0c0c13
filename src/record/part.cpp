#include "record/part.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "clock/machine.hpp"
#include "core/collective.hpp"

namespace tutti::record {

namespace {

using Json = nlohmann::ordered_json;

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

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%#llx", static_cast<unsigned long long>(value));
  return text.data();
}

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

Json heading(const Noted& noted, const Witness& witness, const Names& types, const Names& operators) {
  const Conversion clock(noted.start, noted.end);
  return {{"rank", witness.rank},
          {"ranks", witness.ranks},
          {"host", host_name()},
          {"process", getpid()},
          {"library", witness.library},
          {"served", witness.served},
          {"clock", kernel_clock_identity()},
          {"begin", clock.moment(noted.start.ticks)},
          {"end", clock.moment(noted.end.ticks)},
          {"thinning", noted.book.thinning()},
          {"calls", noted.book.entries().size()},
          {"samples", noted.book.samples().size()},
          {"collectives", collective_names},
          {"datatypes", types.list},
          {"operators", operators.list},
          {"communicators", described(noted.communicators)},
          {"sites", described(noted.sites)}};
}

}  // namespace

std::string part_of_file(const Noted& noted, const Witness& witness) {
  const Conversion clock(noted.start, noted.end);
  const Names types(noted.types), operators(noted.operators);
  std::string json = heading(noted, witness, types, operators).dump(-1, ' ', false, Json::error_handler_t::replace);
  json.resize((json.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  append(bytes, static_cast<std::uint64_t>(json.size()));
  bytes += json;
  for (const Entry& entry : noted.book.entries()) {
    const Key& key = entry.key;
    append(bytes, CallRecord{key.site, key.communicator, types.of(key.datatype), operators.of(key.op), key.root,
                             key.collective, key.in_place, key.rounded, 0, key.bytes, entry.calls, entry.bytes,
                             clock.duration(entry.ticks), clock.duration(entry.least), clock.duration(entry.most)});
  }
  for (const Sample& sample : noted.book.samples())
    append(bytes, SampleRecord{sample.entry, sample.call, clock.moment(sample.begin), clock.moment(sample.end)});
  return bytes;
}

}  // namespace tutti::record
