#include <algorithm>

#include "library.hpp"
#include "mixed_requests.hpp"
#include "served.hpp"
#include "watch.hpp"

namespace tutti::fuzz {

Job::Job(const MixedCall& call, MPI_Comm comm) : call_(call), comm_(comm) {
  PMPI_Comm_rank(comm, &me_);
  PMPI_Comm_size(comm, &size_);
}

void Job::expect() {
  if (call_.form == Form::message) return;
  const auto times = std::ranges::count(call_.phases, char{1});
  for (int round = 0; round < times; ++round) {
    Case other = call_.which;
    other.turn += 64 * round;  // other data
    const Buffers before = filled(other, comm_);
    Buffers expected = before;
    const Reply reply = fuzz::carry_out(call_.which, comm_, expected, true);
    rounds_.push_back({before, std::move(expected), reply.status});
  }
  tested_ = std::make_unique<Buffers>(rounds_[0].before);
  arguments_ = arguments_of(call_.which, comm_, *tested_);
}

void Job::fails(const std::string& what, int code) {
  refused_ = true;
  if (left_ || rounds_[0].status != MPI_SUCCESS) return;  // Open MPI's libnbc: "invalid size"
  if (complaint_.empty()) complaint_ = what + " fails: " + error_text(code);
}

void Job::make() {
  const FormsServed before = forms_served();
  made_ = true;
  const int code = fuzz::begin(*arguments_, Form::persistent, &requests_[0]);
  left_ = forms_served().served == before.served;
  if (code != MPI_SUCCESS) return fails("making the request", code);
  if (left_ && !library_restarts()) MPI_Request_free(&requests_[0]), persists_ = false;
}

void Job::begin() {
  if (refused_) return;
  if (call_.form == Form::message)
    begin_message();
  else
    begin_collective();
}

void Job::begin_message() {
  const int tag = 1000 + call_.which.turn;
  sent_ = 1000 * me_ + tag, received_ = -1, outstanding_ = 2, left_ = true;
  const auto send = call_.which.turn % 2 ? PMPI_Isend : PMPI_Issend;
  PMPI_Irecv(&received_, 1, MPI_INT, (me_ + size_ - 1) % size_, tag, comm_, &requests_[0]);
  send(&sent_, 1, MPI_INT, (me_ + 1) % size_, tag, comm_, &requests_[1]);
}

void Job::begin_collective() {
  tested_->send.assign(rounds_[round_].before.send);
  tested_->receive.assign(rounds_[round_].before.receive);
  int code = MPI_SUCCESS;
  if (call_.form == Form::blocking) {
    const Observed observed;
    code = make_blocking();
    left_ = observed.left();
  } else if (call_.form == Form::persistent && persists_) {
    code = MPI_Start(&requests_[0]);
  } else {
    const FormsServed before = forms_served();
    code = fuzz::begin(*arguments_, call_.form == Form::library ? Form::library : Form::nonblocking, &requests_[0]);
    left_ = forms_served().served == before.served;
  }
  if (code != MPI_SUCCESS) return fails("the call", code);
  outstanding_ = call_.form == Form::blocking ? 0 : 1;
  if (call_.form == Form::blocking) compare();
}

int Job::make_blocking() { return fuzz::make(*arguments_, spelling_of(call_.which, me_)); }

void Job::completed(const MPI_Request& request) {
  if (--outstanding_ == 0) compare();
  if ((call_.form != Form::persistent || !persists_) && request != MPI_REQUEST_NULL && complaint_.empty())
    complaint_ = "a completed request is not null";
}

void Job::compare() {
  const std::string what = " (" + describe(call_.which, {comm_, "a communicator", size_}) + ", " +
                           std::string(name(call_.form)) + (left_ ? ", left to the library)" : ")");
  if (call_.form == Form::message) {
    const int tag = 1000 + call_.which.turn, expected = 1000 * ((me_ + size_ - 1) % size_) + tag;
    if (received_ != expected && complaint_.empty())
      complaint_ = "message " + std::to_string(tag) + " has " + std::to_string(received_);
    return;
  }
  const Round& round = rounds_[round_++];
  if (round.status != MPI_SUCCESS || !complaint_.empty()) return;
  if (left_ && call_.form != Form::blocking && !library_requests(call_.which)) return;
  const Shape elements = shape(call_.which, size_, me_);
  const TypedBuffer& around = left_ ? round.expected.receive : round.before.receive;
  if (std::string text = tested_->receive.difference(round.expected.receive, around, elements.results); !text.empty())
    complaint_ = "receive buffer: " + text + what;
  else if (text = tested_->send.difference(round.before.send, round.before.send, elements.send); !text.empty())
    complaint_ = "send buffer: " + text + what;
}

std::vector<MPI_Request*> Job::requests() {
  if (call_.form == Form::message) return {&requests_[0], &requests_[1]};
  return {&requests_[0]};
}

void Job::free() {
  if (call_.form == Form::persistent && requests_[0] != MPI_REQUEST_NULL) MPI_Request_free(&requests_[0]);
}

}  // namespace tutti::fuzz
