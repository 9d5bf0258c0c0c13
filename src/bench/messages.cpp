#include "bench/messages.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <stdexcept>

#include "bench/words.hpp"

namespace tutti::bench {

namespace {

using Leaders = std::span<const int>;

struct Pair {
  int one, other;
};

/// There, and back again.
Rounds ping_pong(std::span<const Pair> pairs) {
  Rounds rounds(2);
  for (const Pair& pair : pairs) {
    rounds[0].push_back({pair.one, pair.other});
    rounds[1].push_back({pair.other, pair.one});
  }
  return rounds;
}

/// Both ways at once.
Rounds exchanged(std::span<const Pair> pairs) {
  Round round;
  for (const Pair& pair : pairs) {
    round.push_back({pair.one, pair.other});
    round.push_back({pair.other, pair.one});
  }
  return {round};
}

/// 0 with 1, 2 with 3; a last odd rank is alone.
std::vector<Pair> neighbours(int ranks) {
  std::vector<Pair> pairs;
  for (int rank = 0; rank + 1 < ranks; rank += 2) pairs.push_back({rank, rank + 1});
  return pairs;
}

/// i with i + p/2: on different nodes where ranks fill node after node.
std::vector<Pair> halves(int ranks) {
  std::vector<Pair> pairs;
  for (int rank = 0; rank < ranks / 2; ++rank) pairs.push_back({rank, rank + ranks / 2});
  return pairs;
}

/// Everybody to the right and from the left.
Round shifted(int ranks, int distance) {
  Round round;
  for (int rank = 0; rank < ranks; ++rank) round.push_back({rank, (rank + distance + ranks) % ranks});
  return round;
}

/// One message, passed on from rank to rank and once around.
Rounds around(int ranks) {
  Rounds rounds;
  for (int rank = 0; rank < ranks; ++rank) rounds.push_back({{rank, (rank + 1) % ranks}});
  return rounds;
}

Rounds star(int ranks, bool inwards) {
  Round round;
  for (int rank = 1; rank < ranks; ++rank) round.push_back(inwards ? Message{rank, 0} : Message{0, rank});
  return {round};
}

Rounds both_neighbours(int ranks) {
  Round round = shifted(ranks, 1);
  const Round back = shifted(ranks, -1);
  round.insert(round.end(), back.begin(), back.end());
  return {round};
}

/// Between the first node's ranks and the next one's, in order; on one node between its halves.
std::vector<Pair> across(Leaders leaders) {
  const auto second = std::find_if(leaders.begin(), leaders.end(), [](int leader) { return leader != 0; });
  if (second == leaders.end()) return halves(static_cast<int>(leaders.size()));
  std::array<std::vector<int>, 2> nodes;
  for (int rank = 0; rank < static_cast<int>(leaders.size()); ++rank) {
    if (leaders[rank] == 0) nodes[0].push_back(rank);
    if (leaders[rank] == *second) nodes[1].push_back(rank);
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < std::min(nodes[0].size(), nodes[1].size()); ++i)
    pairs.push_back({nodes[0][i], nodes[1][i]});
  return pairs;
}

Rounds some_pairs(const std::string& count, Leaders leaders) {
  const int wanted = parse_count(count, "pairs-K", 1);
  const std::vector<Pair> pairs = across(leaders);
  if (wanted > static_cast<int>(pairs.size()))
    throw std::invalid_argument("pairs-" + count + ": " + std::to_string(leaders.size()) + " ranks, as they lie on " +
                                "nodes, make " + std::to_string(pairs.size()) + " pairs");
  return ping_pong(std::span(pairs).first(static_cast<std::size_t>(wanted)));
}

struct Named {
  std::string_view name;
  Rounds (*make)(int ranks);
};
constexpr std::array<Named, 10> patterns = {{
    {"pingpong", [](int) { return ping_pong(neighbours(2)); }},
    {"pingping", [](int) { return exchanged(neighbours(2)); }},
    {"sendrecv", [](int ranks) { return Rounds{shifted(ranks, 1)}; }},
    {"exchange", both_neighbours},
    {"ring", around},
    {"neighbour_pairs", [](int ranks) { return ping_pong(neighbours(ranks)); }},
    {"far_pairs", [](int ranks) { return ping_pong(halves(ranks)); }},
    {"bisection", [](int ranks) { return exchanged(halves(ranks)); }},
    {"all_to_one", [](int ranks) { return star(ranks, true); }},
    {"one_to_all", [](int ranks) { return star(ranks, false); }},
}};
constexpr std::string_view pairs_of = "pairs-";

constexpr const char* blank = " \t\r";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(blank);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

/// FROM -> TO or A <-> B, and a size where one is said.
struct Words {
  std::string from, to, size;
  bool both = false;  ///< there and back
};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Throws std::invalid_argument for a line of another form.
Words words_of(const std::string& line) {
  Words words;
  if (const std::size_t arrow = line.find("->"); arrow != std::string::npos) {
    words.both = arrow > 0 && line[arrow - 1] == '<';
    words.from = trimmed(line.substr(0, words.both ? arrow - 1 : arrow));
    const std::string behind = trimmed(line.substr(arrow + 2));
    words.to = behind.substr(0, behind.find_first_of(blank));
    words.size = trimmed(behind.substr(words.to.size()));
  }
  if (!is_number(words.from) || !is_number(words.to) || words.size.find_first_of(blank) != std::string::npos)
    throw std::invalid_argument("expected 'FROM -> TO', 'A <-> B' (a size such as 64K may follow) or 'round', found '" +
                                line + "'");
  return words;
}

/// One line of a file, without comment and spaces around it.  Throws std::invalid_argument.
void add_line(Rounds& rounds, const std::string& line, int ranks) {
  if (line == "round") {
    if (rounds.back().empty()) throw std::invalid_argument("expected a message before the next round");
    rounds.emplace_back();
    return;
  }
  const Words words = words_of(line);
  const auto rank = [&](const std::string& digits) {
    constexpr std::size_t most_digits = 9;
    if (digits.size() <= most_digits && std::stoi(digits) < ranks) return std::stoi(digits);
    throw std::invalid_argument("expected ranks from 0 to " + std::to_string(ranks - 1) + ", found " + digits);
  };
  const int from = rank(words.from), to = rank(words.to);
  if (from == to) throw std::invalid_argument("expected two different ranks, found " + line);
  std::int64_t bytes = Message::usual;
  try {
    if (!words.size.empty()) bytes = parse_bytes(words.size, words.size);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("expected a size in bytes such as 8, 64K or 1M, found '" + words.size + "'");
  }
  rounds.back().push_back({from, to, bytes});
  if (words.both) rounds.back().push_back({to, from, bytes});
}

}  // namespace

std::optional<Rounds> named_pattern(std::string_view name, Leaders leaders) {
  const int ranks = static_cast<int>(leaders.size());
  const auto found =
      std::find_if(patterns.begin(), patterns.end(), [&](const Named& each) { return each.name == name; });
  if (found == patterns.end() && !name.starts_with(pairs_of)) return std::nullopt;
  if (ranks < 2) throw std::invalid_argument(std::string(name) + " needs two ranks or more");
  if (found != patterns.end()) return found->make(ranks);
  return some_pairs(std::string(name.substr(pairs_of.size())), leaders);
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const Named& each : patterns) names.emplace_back(each.name);
  names.emplace_back("pairs-K");
  return names;
}

Rounds read_pattern(std::istream& text, const std::string& file, int ranks) {
  Rounds rounds(1);
  std::string line;
  int number = 0;
  while (std::getline(text, line)) {
    ++number;
    const std::string words = trimmed(line.substr(0, line.find('#')));
    try {
      if (!words.empty()) add_line(rounds, words, ranks);
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(file + ", line " + std::to_string(number) + ": " + problem.what());
    }
  }
  if (rounds.back().empty())
    throw std::invalid_argument(file + ", line " + std::to_string(number + 1) +
                                ": expected a message such as '0 -> 1'" + ", found the end");
  return rounds;
}

std::int64_t volume(const Rounds& rounds, std::int64_t bytes) {
  std::int64_t sum = 0;
  for (const Round& round : rounds)
    for (const Message& message : round) sum += message.bytes == Message::usual ? bytes : message.bytes;
  return sum;
}

bool returning(const Rounds& rounds, int ranks) {
  std::vector<int> received_more(static_cast<std::size_t>(ranks), 0);
  for (const Round& round : rounds)
    for (const Message& message : round) {
      --received_more[message.from];
      ++received_more[message.to];
    }
  return std::all_of(received_more.begin(), received_more.end(), [](int difference) { return difference == 0; });
}

}  // namespace tutti::bench
