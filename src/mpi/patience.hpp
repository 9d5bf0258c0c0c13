#pragma once
/// Tells the user when a blocking call of the MPI library takes too long, while it goes on.
#include <functional>
#include <string>

namespace tutti::mpi {

/// Seconds of waiting before the user is told.  Each rank's own affair: it changes nothing but the message.
double patience();

/// From its making to its end a timer runs; `late(seconds)` is said once when patience is over.  The kernel's timer
/// wakes a thread of the C library's own; the waiting thread pays three system calls.
class Watch {
 public:
  explicit Watch(std::function<std::string(double seconds)> late);
  ~Watch();
  Watch(const Watch&) = delete;

 private:
  struct Record;
  Record* record_;
};

}  // namespace tutti::mpi
