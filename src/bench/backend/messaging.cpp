#include "bench/backend/messaging.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace tutti::bench {

namespace {

constexpr int tag = 11;
constexpr int apart = 13;  ///< phases between messages of the same two ranks

int checked(std::int64_t bytes) {
  constexpr std::int64_t most = 0x7fffffff;
  if (bytes > most)
    throw std::invalid_argument("a message of " + std::to_string(bytes) + " bytes is more than an int counts");
  return static_cast<int>(bytes);
}

std::byte* at(void* buffer, std::int64_t offset) { return static_cast<std::byte*>(buffer) + offset; }

std::int64_t phase(int from, int to, int nth, std::int64_t contents) {
  return phase_of(from, to, contents) + apart * nth;
}

}  // namespace

Messaging::Messaging(const Rounds& rounds, std::int64_t bytes, const Team& team)
    : comm_(team.measured()),
      rank_(team.rank()),
      batches_(returning(rounds, team.size())),
      facts_{rounds.size(), volume(rounds, bytes)},
      bytes_(Contents::contribution(Element::byte)) {
  std::map<std::pair<int, int>, int> between;
  for (const Round& round : rounds) {
    Step step;
    for (const Message& message : round) {
      const int nth = between[{message.from, message.to}]++;
      const int size = checked(message.bytes == Message::usual ? bytes : message.bytes);
      if (message.from == rank_) {
        step.sends.push_back({message.to, size, send_bytes_, nth});
        send_bytes_ += size;
      }
      if (message.to == rank_) {
        step.receives.push_back({message.from, size, receive_bytes_, nth});
        receive_bytes_ += size;
      }
    }
    if (!step.sends.empty() || !step.receives.empty()) steps_.push_back(std::move(step));
  }
}

void Messaging::operator()(const Functions& mpi, Buffers buffers, std::int64_t) {
  for (const Step& step : steps_)
    step.sends.size() <= 1 && step.receives.size() <= 1 ? simple(mpi, buffers, step) : together(mpi, buffers, step);
}

void Messaging::simple(const Functions& mpi, Buffers buffers, const Step& step) const {
  if (step.receives.empty()) {
    const Part& to = step.sends[0];
    mpi.Send(at(buffers.send, to.offset), to.bytes, MPI_BYTE, to.peer, tag, comm_);
    return;
  }
  const Part& from = step.receives[0];
  if (step.sends.empty()) {
    mpi.Recv(at(buffers.receive, from.offset), from.bytes, MPI_BYTE, from.peer, tag, comm_, MPI_STATUS_IGNORE);
    return;
  }
  const Part& to = step.sends[0];
  mpi.Sendrecv(at(buffers.send, to.offset), to.bytes, MPI_BYTE, to.peer, tag, at(buffers.receive, from.offset),
               from.bytes, MPI_BYTE, from.peer, tag, comm_, MPI_STATUS_IGNORE);
}

void Messaging::together(const Functions& mpi, Buffers buffers, const Step& step) {
  requests_.resize(step.sends.size() + step.receives.size());
  MPI_Request* request = requests_.data();
  for (const Part& part : step.receives)
    mpi.Irecv(at(buffers.receive, part.offset), part.bytes, MPI_BYTE, part.peer, tag, comm_, request++);
  for (const Part& part : step.sends)
    mpi.Isend(at(buffers.send, part.offset), part.bytes, MPI_BYTE, part.peer, tag, comm_, request++);
  mpi.Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Messaging::fill(Buffers buffers, std::int64_t contents) const {
  for (const Step& step : steps_)
    for (const Part& part : step.sends)
      bytes_.fill(at(buffers.send, part.offset), part.bytes, phase(rank_, part.peer, part.nth, contents));
}

bool Messaging::right(Buffers buffers, std::int64_t contents) const {
  for (const Step& step : steps_)
    for (const Part& part : step.receives)
      if (!bytes_.matches(at(buffers.receive, part.offset), part.bytes, phase(part.peer, rank_, part.nth, contents)))
        return false;
  return true;
}

}  // namespace tutti::bench
