#pragma once
/// Reports from inside: TUTTI_HANG=SECONDS (a call that has not ended for so long) and TUTTI_HANG_SIGNAL=NAME.
///
/// A thread looks at the rings of its own process and starts `tutti hang`, which looks at the other ranks and writes
/// the report to stderr; where that command is not there, one line says what this rank waits in.  Without either
/// setting there is no thread and no handler.
#include "hang/layout.hpp"

namespace tutti::hang {

/// Begins, where a setting asks for it; again, nothing.
void watch();
/// MPI_Finalize has been called: what comes takes as long as it takes.
void stop_watching();

/// The calls of a process that have not ended.  Pure but for what it remembers.
class Lookout {
 public:
  struct Waiting {
    const Ring* ring = nullptr;
    const Record* record = nullptr;
    double seconds = 0;
  };
  /// The call that has been under way longest, as far as looks at `now` (seconds, of any clock) and before can tell.
  Waiting look(const Block& block, double now);

 private:
  struct Seen {
    std::uint64_t stamp = 0;
    double since = 0;
  };
  std::array<Seen, most_rings> seen_{};
};

}  // namespace tutti::hang
