#include "runtime/requests/messages/wired_loans.hpp"

#include <array>

#include "runtime/communicator/agreement.hpp"

namespace tutti::runtime {

Channel* WiredLoans::make(const Wired& wired, bool oversubscribed) {
  auto made = std::make_unique<Channel>(wired.mates.comm, oversubscribed);
  Wired own = wired;
  own.mates.suspend = made->suspension();
  std::string why;
  std::unique_ptr<Wires> wires = make_wires(own, why);
  refused_ = !wires;
  if (refused_) return nullptr;
  made->attach(std::move(wires));
  return channels_.emplace_back(std::move(made)).get();
}

Channel* WiredLoans::next(const Wired& wired, bool oversubscribed) {
  const Mates& mates = wired.mates;
  Agreement ranks(mates.comm, mates.rank, mates.size, "make a persistent request");
  std::array<std::uint64_t, 1> busy{};
  for (std::size_t i = 0; i < channels_.size(); ++i) busy[0] |= std::uint64_t{!channels_[i]->unused()} << i;
  ranks.unite(busy);
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if ((busy[0] >> i & 1) == 0) return channels_[i].get();
  return refused_ || channels_.size() == most ? nullptr : make(wired, oversubscribed);
}

}  // namespace tutti::runtime
