#pragma once
/// One schedule on one frame, over messages: a flat call, or a phase between nodes.
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

/// The first tag of the next call on the private communicator.  All its ranks call it in every call, also those without
/// messages.  Before tags are reused they synchronise here (private_comm.hpp, Tags), in a call that synchronises them
/// anyway (`together`) if there is one in time.
int next_tag(PrivateComm& wire, bool together);

/// To the last step.  `combiner` is null where nothing is reduced.  Throws MpiError, std::bad_alloc.
void run_schedule(PrivateComm& wire, const Frame& frame, Combiner* combiner, const Use& use, int tag);

/// A schedule that is no algorithm of the catalogue, and reduces nothing.
void run_schedule(PrivateComm& wire, const Frame& frame, Schedule schedule, int tag);

/// After a failure a message may still be written to the call's memory: then that is set aside and not reused.
void put_aside_if_in_doubt(PrivateComm& wire) noexcept;

}  // namespace tutti::runtime
