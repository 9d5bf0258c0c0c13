#pragma once
/// The one interpreter of patterns of messages.
///
/// A rank's part of a round is one MPI_Send, one MPI_Recv or one MPI_Sendrecv where that suffices, else MPI_Irecv and
/// MPI_Isend for each message, receives first, and one MPI_Waitall.
#include <vector>

#include "bench/backend/subject.hpp"
#include "bench/contents.hpp"
#include "bench/messages.hpp"

namespace tutti::bench {

class Messaging : public Subject {
 public:
  Messaging(const Rounds& rounds, std::int64_t bytes, const Team& team);

  std::int64_t send_bytes() const override { return send_bytes_; }
  std::int64_t receive_bytes() const override { return receive_bytes_; }
  bool batches() const override { return batches_; }
  void operator()(const Functions& mpi, Buffers buffers, std::int64_t contents) override;
  void fill(Buffers buffers, std::int64_t contents) const override;
  bool right(Buffers buffers, std::int64_t contents) const override;
  std::optional<Messages> messages() const override { return facts_; }

 private:
  struct Part {
    int peer = 0;
    int bytes = 0;
    std::int64_t offset = 0;  ///< in the send or receive buffer: each message has a place of its own
    int nth = 0;              ///< of the messages between the two in that direction
  };
  struct Step {
    std::vector<Part> sends, receives;
  };

  void simple(const Functions& mpi, Buffers buffers, const Step& step) const;
  void together(const Functions& mpi, Buffers buffers, const Step& step);

  MPI_Comm comm_;
  int rank_;
  bool batches_;
  Messages facts_;
  std::vector<Step> steps_;  ///< rounds in which this rank takes part
  std::int64_t send_bytes_ = 0, receive_bytes_ = 0;
  std::vector<MPI_Request> requests_;
  Contents bytes_;
};

}  // namespace tutti::bench
