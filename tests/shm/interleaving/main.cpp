/// node_interleavings [full | part K N | MEMBERS[l|d][/DOMAINS]:SHAPE...]: every program of some shapes, every
/// interleaving of its members; the engine's own code.  l: with long rings; d: with deposits.  Without words the short
/// ones; a part of these is every N-th, from the K-th.
///     node_interleavings 3:bb 3/011:bb "2:|aa|" "2:barrier,bcast 1 root 0"
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "explore.hpp"
#include "sample_troubles.hpp"

namespace {

using namespace tutti::shm::interleaving;
using tutti::shm::test::sample_calls;
using tutti::shm::test::troubled_calls;

/// Programs of a group: at each place any call (a), any brief one (b), any that takes trees (t), any that goes wrong at
/// one member (x), or a barrier (|).  Or calls by name, with commas; 4*NAME is four of them.
struct Suite {
  int size;
  std::string shape;
  std::string domains;  ///< one digit a member, or nothing
  bool long_rings, deposits;
};

/// Bytes: room for one full slot, or two places of a ring, so that each payload meets one that may still be read.
constexpr std::size_t shortest_long_ring = 256;
/// Bytes: room for two blocks of 40 values, or for two pieces of a vector, so that they fill up and are used again.
constexpr std::size_t fewest_deposits = 640;

/// What may stand at each place of a program.
using Choices = std::vector<std::vector<const SampleCall*>>;

const std::vector<std::string> in_short{"2:a",      "2:|bb|",   "2:aa", "2:bba", "3:a", "3:bb",
                                        "3/010:bt", "4/0101:t", "2:xb", "2:bx",  "3:x"};
const std::vector<std::string> in_full{"2:|aa|",
                                       "2:bbbb",
                                       "2:baa",
                                       "3:bbb",
                                       "3:|a|",
                                       "3:ba",
                                       "3/001:tt",
                                       "3/011:a",
                                       "3/010:tb",
                                       "4/0011:|t",
                                       "2:xa",
                                       "2:ax",
                                       "2:xx",
                                       "3/010:x",
                                       "3/011:x",
                                       "2l:3*alltoall 40",
                                       "3d:2*reduce 71 root 1"};

/// Writers that run ahead: past their slots, to the end of the backlog and round it.
const std::vector<std::string> in_ahead{"2:9*bcast 1 root 0",
                                        "2:4*bcast 1 root 0,bcast 70 root 0,2*bcast 1 root 0,barrier,2*bcast 1 root 0",
                                        "2:3*bcast 1 root 0,scatter 3 uneven root 0,4*bcast 1 root 0",
                                        "2:3*bcast 1 root 0,2*bcast 0,3*bcast 1 root 0",
                                        "2:6*scatter 3 uneven root 0,gather 1 root 0,bcast 1 root 0",
                                        "2:4*reduce 1 root 0,4*gather 1 root 0,reduce 1 root 0",
                                        "2:5*gather 3 uneven root 1,5*bcast 1 root 1",
                                        "2:5*scan 1,bcast 1 root 1,4*bcast 1 root 0",
                                        "3:6*bcast 1 root 0",
                                        "3:5*reduce 1 root 1",
                                        "3:4*scatter 3 uneven root 0,bcast 1 root 0",
                                        "3:4*scan 1,reduce 1 root 0",
                                        "3/010:5*bcast 1 root 1",
                                        "3/010:5*reduce 1 root 2"};

/// Long payloads, to the end of the long ring and round it, while some are still read.
const std::vector<std::string> in_long_rings{"2l:3*bcast 70 root 0",
                                             "2l:bcast 70 root 0,2*bcast 1 root 0,bcast 70 root 1,barrier",
                                             "2l:2*reduce 40 root 0,reduce 71 root 1",
                                             "2l:2*allreduce 40,bcast 70 root 0",
                                             "2l:2*alltoall 40",
                                             "2l:2*gather 40 root 0,bcast 70 root 1",
                                             "2l:scatter 40 root 0,2*bcast 70 root 0",
                                             "3l:bcast 70 root 0,reduce 10 root 1",
                                             "3l:2*scan 40",
                                             "3l/010:bcast 70 root 1,bcast 70 root 0"};

/// Long payloads whose readers are late, in every variant: deposited by those who need nothing, until there is no room.
const std::vector<std::string> in_deposits{"2d:3*bcast 70 root 0",
                                           "2d:2*bcast 70 root 0,bcast 70 root 1,barrier",
                                           "2d:bcast 70 by rings,bcast 20 once root 1",
                                           "2d:2*bcast 20 once root 0,bcast 1 root 0",
                                           "2d:bcast 21 once root 0,bcast 21 once root 1",
                                           "2d:3*reduce 71 root 0",
                                           "2d:2*reduce 20 root 0 once,reduce 1 root 0",
                                           "2d:reduce 21 root 0 once,reduce 21 root 1 once,reduce 40 root 0",
                                           "2d:3*gather 40 root 0",
                                           "2d:gather 20 once root 0,gather 53 once root 1,gather 20 once root 0",
                                           "2d:gather 40 uneven root 0,scatter 40 uneven root 0,gather 40 root 1",
                                           "2d:2*scatter 40 root 0,scatter 20 once root 0",
                                           "2d:scatter 21 once root 0,scatter 21 once root 1,bcast 1 root 0",
                                           "2d:scatter 40 root 0,alltoall 40,scatter 40 root 0",
                                           "2d:bcast 70 for 10 root 0,reduce 71 root 0",
                                           "3d:bcast 70 root 0",
                                           "3d:2*bcast 20 once root 0",
                                           "3d:bcast 20 once root 0,reduce 10 root 1",
                                           "3d:gather 20 once root 0",
                                           "3d:scatter 20 once root 0",
                                           "3d:scatter 40 root 0",
                                           "3d:reduce 71 root 0",
                                           "3d:reduce 71 root 2,bcast 1 root 0",
                                           "3d:2*reduce 40 root 1",
                                           "4d:bcast 20 once root 0",
                                           "4d:scatter 20 once root 0",
                                           "3d/010:bcast 20 once root 0,bcast 1 root 1"};

struct Totals {
  std::uint64_t programs = 0, states = 0, steps = 0;
};

template <typename Wanted>
std::vector<const SampleCall*> those(const std::vector<SampleCall>& all, Wanted wanted) {
  std::vector<const SampleCall*> some;
  for (const SampleCall& call : all)
    if (wanted(call)) some.push_back(&call);
  return some;
}

bool takes_tree(const std::string& name) {
  for (const char* one :
       {"barrier", "bcast 1 ", "bcast 70 ", "reduce 1 ", "allreduce 1", "allreduce 10", "allgather 1"})
    if (name.starts_with(one)) return name.find("uneven") == std::string::npos;
  return false;
}

Choices choices_of(const std::string& shape, const std::vector<SampleCall>& all,
                   const std::vector<SampleCall>& troubled) {
  Choices choices;
  if (shape.find_first_not_of("abtx|") == std::string::npos) {
    for (const char place : shape)
      choices.push_back(those(place == 'x' ? troubled : all, [&](const SampleCall& call) {
        if (place == 'x') return true;
        if (place == 't') return takes_tree(call.name);
        return place == 'a' || (place == 'b' ? call.brief : call.name == "barrier");
      }));
    return choices;
  }
  std::istringstream names(shape);
  for (std::string name; std::getline(names, name, ',');) {
    const std::size_t star = name.find('*');
    const int times = star == std::string::npos ? 1 : std::stoi(name.substr(0, star));
    if (star != std::string::npos) name.erase(0, star + 1);
    const auto named = [&](const SampleCall& call) { return call.name == name; };
    choices.push_back(those(all, named));
    if (choices.back().empty()) choices.back() = those(troubled, named);
    if (choices.back().empty()) throw std::invalid_argument("there is no call \"" + name + '"');
    for (int more = 1; more < times; ++more) choices.push_back(choices.back());
  }
  return choices;
}

/// The next program in the order of an odometer; false after the last.
bool advance(std::vector<std::size_t>& digits, const Choices& choices) {
  for (std::size_t place = 0; place < digits.size(); ++place) {
    if (++digits[place] < choices[place].size()) return true;
    digits[place] = 0;
  }
  return false;
}

std::string name_of(const Suite& suite) {
  const std::string members = std::to_string(suite.size) + " members";
  const std::string how = members + (suite.long_rings ? " with long rings" : suite.deposits ? " with deposits" : "");
  return suite.domains.empty() ? how : how + " in domains " + suite.domains;
}

/// False after a fault, which it prints.
bool explore(const Suite& suite, Totals& totals) {
  const std::vector<SampleCall> all = sample_calls(suite.size), troubled = troubled_calls(suite.size);
  const Choices choices = choices_of(suite.shape, all, troubled);
  std::vector<int> domains;
  for (const char digit : suite.domains) domains.push_back(digit - '0');
  Explorer explorer(suite.size, domains, suite.long_rings ? shortest_long_ring : 0,
                    suite.deposits ? fewest_deposits : 0);
  std::vector<std::size_t> digits(choices.size(), 0);
  do {
    std::vector<const SampleCall*> program;
    for (std::size_t place = 0; place < digits.size(); ++place) program.push_back(choices[place][digits[place]]);
    const Outcome outcome = explorer.explore(program);
    ++totals.programs, totals.states += outcome.states, totals.steps += outcome.steps;
    if (outcome.fault) {
      std::printf("fault: %s, rings of %d: %s\n", name_of(suite).c_str(), TUTTI_RING, outcome.fault->c_str());
      return false;
    }
  } while (advance(digits, choices));
  return true;
}

Suite parsed(const std::string& word) {
  const std::size_t colon = word.find(':'), slash = std::min(word.find('/'), colon);
  const std::string domains = slash < colon ? word.substr(slash + 1, colon - slash - 1) : "";
  return {word[0] - '0', word.substr(colon + 1), domains, word[1] == 'l', word[1] == 'd'};
}

std::vector<Suite> part(std::size_t first, std::size_t of) {
  std::vector<Suite> suites;
  std::vector<std::string> all = in_short;
  all.insert(all.end(), in_long_rings.begin(), in_long_rings.end());
  all.insert(all.end(), in_deposits.begin(), in_deposits.end());
  for (std::size_t place = first; of > 0 && place < all.size(); place += of) suites.push_back(parsed(all[place]));
  return suites;
}

std::vector<Suite> asked(const std::vector<std::string>& words) {
  std::vector<Suite> suites;
  if (words.size() == 3 && words[0] == "part") return part(std::stoul(words[1]), std::stoul(words[2]));
  const auto add = [&](const std::vector<std::string>& some) {
    for (const std::string& word : some) suites.push_back(parsed(word));
  };
  if (words.empty()) add(in_short), add(in_ahead), add(in_long_rings), add(in_deposits);
  for (const std::string& word : words) {
    if (word != "full") {
      suites.push_back(parsed(word));
      continue;
    }
    add(in_short), add(in_ahead), add(in_long_rings), add(in_deposits);
    add(in_full);
  }
  return suites;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto start = std::chrono::steady_clock::now();
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);  // states come and go: their pages stay
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  for (const Suite& suite : asked({argv + 1, argv + argc})) {
    Totals totals;
    if (!explore(suite, totals)) return 1;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%s, rings of %d, programs %s: %llu programs, %llu states, %llu steps (%.1f s)\n",
                name_of(suite).c_str(), TUTTI_RING, suite.shape.c_str(),
                static_cast<unsigned long long>(totals.programs), static_cast<unsigned long long>(totals.states),
                static_cast<unsigned long long>(totals.steps), took.count());
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
