#pragma once
/// Which receive gets which message: of one rank.
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

#include "simulation/goal/program.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

/// A receive that waits.
struct Posted {
  std::uint32_t operation = 0;
  std::uint64_t number = 0;  ///< in the order of posting
  Stamp since;
};

/// A message that waits.
struct Arrived {
  Rank from = 0;
  std::uint32_t operation = 0;  ///< of the sender
  std::uint64_t number = 0;     ///< in the order of arrival
  Stamp come;
};

/// Sender and tag; `any` in receives.
struct Envelope {
  std::uint32_t from = 0, tag = 0;
  std::uint64_t key() const { return std::uint64_t{from} << 32 | tag; }
  bool wild() const { return from == any || tag == any; }
  bool takes(const Envelope& message) const {
    return (from == any || from == message.from) && (tag == any || tag == message.tag);
  }
};

class Matching {
 public:
  void post(const Envelope& wanted, Posted receive) {
    receive.number = posted_++;
    if (wanted.wild())
      wild_.emplace_back(wanted, receive);
    else
      waiting_[wanted.key()].push_back(receive);
  }
  void arrive(const Envelope& sent, Arrived message) {
    message.number = arrived_++;
    come_[sent.key()].push_back(message);
  }

  /// The first receive that takes this message; it waits no more.
  std::optional<Posted> receive_for(const Envelope& sent) {
    const auto exact = waiting_.find(sent.key());
    auto wild = wild_.begin();
    while (wild != wild_.end() && !wild->first.takes(sent)) ++wild;
    const bool has_exact = exact != waiting_.end(), has_wild = wild != wild_.end();
    if (!has_exact && !has_wild) return std::nullopt;
    if (has_wild && (!has_exact || wild->second.number < exact->second.front().number)) {
      const Posted found = wild->second;
      wild_.erase(wild);
      return found;
    }
    return taken<Posted>(waiting_, exact);
  }
  /// The first message that this receive takes.
  std::optional<Arrived> message_for(const Envelope& wanted) {
    auto first = come_.end();
    if (!wanted.wild()) {
      first = come_.find(wanted.key());
    } else {
      for (auto each = come_.begin(); each != come_.end(); ++each)
        if (wanted.takes({static_cast<std::uint32_t>(each->first >> 32), static_cast<std::uint32_t>(each->first)}) &&
            (first == come_.end() || each->second.front().number < first->second.front().number))
          first = each;
    }
    if (first == come_.end()) return std::nullopt;
    return taken<Arrived>(come_, first);
  }
  /// Some receive that has got nothing.
  std::optional<std::uint32_t> waiting() const {
    if (!waiting_.empty()) return waiting_.begin()->second.front().operation;
    if (!wild_.empty()) return wild_.front().second.operation;
    return std::nullopt;
  }
  /// Some message that nobody has received.
  const Arrived* left() const { return come_.empty() ? nullptr : &come_.begin()->second.front(); }

 private:
  template <class One, class Map>
  static One taken(Map& map, typename Map::iterator place) {
    const One found = place->second.front();
    place->second.pop_front();
    if (place->second.empty()) map.erase(place);
    return found;
  }

  std::unordered_map<std::uint64_t, std::list<Posted>> waiting_;
  std::list<std::pair<Envelope, Posted>> wild_;
  std::unordered_map<std::uint64_t, std::list<Arrived>> come_;
  std::uint64_t posted_ = 0, arrived_ = 0;
};

}  // namespace tutti::simulation
