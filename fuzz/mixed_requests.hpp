#pragma once
/// One rank's calls of a mix, and the requests of theirs that are active.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "call.hpp"
#include "mixes.hpp"

namespace tutti::fuzz {

class Job {
 public:
  Job(const MixedCall& call, MPI_Comm comm);

  /// By the library's blocking calls, once for each time that it will begin.
  void expect();
  /// A persistent request, once.
  void make();
  void begin();
  /// One of its requests is complete.
  void completed(const MPI_Request& request);
  void free();

  const MixedCall& call() const { return call_; }
  bool made() const { return made_; }
  bool active() const { return outstanding_ > 0; }
  bool left() const { return left_; }  ///< the library carries it out
  std::vector<MPI_Request*> requests();
  const std::string& complaint() const { return complaint_; }

 private:
  struct Round {
    Buffers before, expected;
    int status;
  };
  void begin_message();
  void begin_collective();
  int make_blocking();
  void compare();
  void fails(const std::string& what, int code);

  const MixedCall& call_;
  MPI_Comm comm_;
  int me_ = 0, size_ = 0;
  std::vector<Round> rounds_;
  std::size_t round_ = 0;  ///< the next
  std::unique_ptr<Buffers> tested_;
  std::shared_ptr<const Arguments> arguments_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int outstanding_ = 0;
  int sent_ = 0, received_ = 0;
  bool made_ = false, left_ = false, refused_ = false;
  bool persists_ = true;  ///< a persistent one is; else it is begun as a nonblocking one each time
  std::string complaint_;
};

class MixedRequests {
 public:
  void add(Job& job);
  const std::string& complaint() const { return complaint_; }
  bool any() const { return !active_.empty(); }
  /// Some of them by one call of the Wait and Test families; some complete for certain where it waits.
  void complete_some(Random& random);
  void wait_for(Job& job);
  /// A call that only makes progress.
  void look(Random& random);

 private:
  struct Entry {
    Job* job;
    MPI_Request* request;
  };
  std::vector<Entry> drawn(Random& random, std::size_t most) const;
  void completed(const Entry& entry);

  std::vector<Entry> active_;
  std::string complaint_;
};

}  // namespace tutti::fuzz
