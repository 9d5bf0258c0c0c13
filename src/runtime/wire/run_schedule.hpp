#pragma once
/// One schedule on one frame, over messages: what a flat call is, and each phase between nodes.
#include "algorithms/catalogue.hpp"
#include "runtime/datatype/combiner.hpp"
#include "runtime/plan/staging.hpp"
#include "runtime/wire/private_comm.hpp"

namespace tutti::runtime {

/// An algorithm as a call uses it.
struct Use {
  const Algorithm& algorithm;
  Rank root;
  Parameters parameters;
};

/// The first tag of the next call on the wire.  All ranks of its communicator ask at every call, also those that take
/// no part in its messages; once in a while they meet here (wire.hpp, Tags), in a call that synchronises them anyway
/// (`together`) if one comes in time.
int next_tag(PrivateComm& wire, bool together);

/// To the last step.  `combiner` is null where nothing is reduced.  Throws MpiError, std::bad_alloc.
void run_schedule(PrivateComm& wire, const Frame& frame, Combiner* combiner, const Use& use, int tag);

/// One that is no algorithm of the catalogue, and reduces nothing.
void run_schedule(PrivateComm& wire, const Frame& frame, Schedule schedule, int tag);

/// After a failure a message may still reach the call's memory: then that is put aside, not used again.
void put_aside_if_in_doubt(PrivateComm& wire) noexcept;

}  // namespace tutti::runtime
