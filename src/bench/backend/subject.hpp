#pragma once
/// A subject of measurement: an operation of every rank with a send and a receive buffer, whose result can be checked.
#include <cstdint>
#include <memory>

#include "bench/backend/buffers.hpp"
#include "bench/backend/functions.hpp"
#include "bench/backend/team.hpp"
#include "bench/results.hpp"

namespace tutti::bench {

class Subject {
 public:
  virtual ~Subject() = default;

  /// Of this rank's buffers.
  virtual std::int64_t send_bytes() const = 0;
  virtual std::int64_t receive_bytes() const = 0;
  /// Whether calls back to back measure the call, since no rank can run ahead of the others.
  virtual bool batches() const = 0;
  /// Whether the buffers must be written again before they are reused.
  virtual bool spoils_input() const { return false; }

  /// Outside the timed part, once for every variant and set of buffers.
  virtual void prepare(const Functions& /*mpi*/, Buffers /*buffers*/) {}
  /// The timed part; `contents`: the repetition whose input the buffers hold.
  virtual void operator()(const Functions& mpi, Buffers buffers, std::int64_t contents) = 0;
  /// Whether there are two halves, between which a program can compute.
  virtual bool overlaps() const { return false; }
  virtual void begin(const Functions& /*mpi*/, Buffers /*buffers*/, std::int64_t /*contents*/) {}
  virtual void end(const Functions& /*mpi*/) {}

  /// Writes this rank's input of repetition `contents`.
  virtual void fill(Buffers buffers, std::int64_t contents) const = 0;
  /// Whether this rank's output is that of repetition `contents`.
  virtual bool right(Buffers buffers, std::int64_t contents) const = 0;

  /// Of a collective: the call as its meaning has it.
  virtual std::optional<ExitCall> exit_call(std::int64_t /*contents*/) const { return std::nullopt; }

  /// Facts of a pattern of messages.
  virtual std::optional<Messages> messages() const { return std::nullopt; }

 protected:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
};

/// Throws std::invalid_argument, the same on all ranks, where the case cannot be.
std::unique_ptr<Subject> make_subject(const Case& what, const Options& options, Team& team);

}  // namespace tutti::bench
