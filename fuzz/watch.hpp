#pragma once
/// What every rank is doing, so that a case without an end, or one that dies, is named: on this rank, and on the others
/// of its node.
#include <string>

namespace tutti::fuzz {

/// Collective over the world, once.  `patience`: seconds that one case may take.
void begin_watch(int patience);

/// A case that is under way.
class Watched {
 public:
  explicit Watched(const std::string& what);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
};

/// Where in the case this rank is; kept by its address.
void stage(const char* what);
/// Which of the case's many calls this rank is in.
void within(const std::string& call);

}  // namespace tutti::fuzz
