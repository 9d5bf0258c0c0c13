#include "mistake.hpp"

#include <algorithm>

namespace tutti::faults {
namespace {

bool alike(const Step& a, const Step& b) {
  const auto *send = std::get_if<Send>(&a), *other_send = std::get_if<Send>(&b);
  if (send != nullptr && other_send != nullptr) return send->to == other_send->to && send->set == other_send->set;
  const auto *receive = std::get_if<Receive>(&a), *other_receive = std::get_if<Receive>(&b);
  return receive != nullptr && other_receive != nullptr && receive->from == other_receive->from;
}

/// The first step that may receive the message.
Place any_of(const Program& receiver, const Send& send) {
  const auto step = std::ranges::find_if(receiver, [&](const Step& one) {
    const auto* receive = std::get_if<ReceiveAny>(&one);
    return receive != nullptr && receive->set == send.set;
  });
  return {send.to, static_cast<std::size_t>(step - receiver.begin())};
}

}  // namespace

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  for (const auto& some : {message_mistakes(), set_mistakes(), payload_mistakes(), local_mistakes(), order_mistakes(),
                           scratch_mistakes(), program_mistakes()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

BlockList* payload(Step& step) {
  if (auto* send = std::get_if<Send>(&step)) return &send->what;
  if (auto* receive = std::get_if<Receive>(&step)) return &receive->into;
  if (auto* receive = std::get_if<ReceiveAny>(&step)) return &receive->into;
  return nullptr;
}

Rank* peer(Step& step) {
  if (auto* send = std::get_if<Send>(&step)) return &send->to;
  if (auto* receive = std::get_if<Receive>(&step)) return &receive->from;
  return nullptr;
}

Place other_end(const Programs& programs, const Place& place) {
  const Program& mine = programs[static_cast<std::size_t>(place.rank)];
  if (const auto* sent = std::get_if<Send>(&mine[place.step]); sent != nullptr && sent->set != no_set)
    return any_of(programs[static_cast<std::size_t>(sent->to)], *sent);
  int earlier = 0;
  for (std::size_t i = 0; i < place.step; ++i) earlier += alike(mine[i], mine[place.step]) ? 1 : 0;
  const auto* send = std::get_if<Send>(&mine[place.step]);
  const Rank other = send != nullptr ? send->to : std::get<Receive>(mine[place.step]).from;
  const Step sought = send != nullptr ? receive(place.rank, {}) : tutti::send(place.rank, {});
  const Program& theirs = programs[static_cast<std::size_t>(other)];
  for (std::size_t i = 0; i < theirs.size(); ++i)
    if (alike(theirs[i], sought) && earlier-- == 0) return {other, i};
  return place;
}

int next_like_it(const Program& program, std::size_t step) {
  for (std::size_t i = step + 1; i < program.size(); ++i)
    if (program[i].index() == program[step].index()) return static_cast<int>(i);
  return -1;
}

}  // namespace tutti::faults
