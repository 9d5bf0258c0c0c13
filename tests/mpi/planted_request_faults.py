"""Mistakes to plant in src/runtime/requests, and the run of tests/mpi/cases that must find each."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from planting import Fault


@dataclass(frozen=True)
class RequestFault(Fault):
    """`finder`: a program of tests/mpi/cases and its arguments; ranks: of that run."""

    finder: str
    ranks: int = 2


def matrix(calls: str, mixes: str = "plain") -> str:
    return f"requests_matrix 1 {mixes} {calls}"


FAULTS = (
    RequestFault(
        "Wait returns before the call is complete",
        "completion.cpp",
        "    motion::await(*own);\n    empty(status);",
        "    empty(status);",
        matrix("Wait"),
    ),
    RequestFault(
        "Test says that what is under way is complete",
        "completion.cpp",
        "  if (!own->done()) return not_yet(flag);\n",
        "",
        matrix("Test"),
    ),
    RequestFault(
        "Waitall leaves the MPI's own requests",
        "completion.cpp",
        "const int code = pmpi.Waitall(count, Others(ours, requests).data(), statuses);",
        "const int code = MPI_SUCCESS;",
        matrix("Waitall"),
    ),
    RequestFault(
        "Waitall does not wait for ours", "completion.cpp", "  await_all(ours, requests);\n", "", matrix("Waitall")
    ),
    RequestFault(
        "Testall completes some while others are under way",
        "completion.cpp",
        "if (!ours.all_done()) return not_yet(flag);",
        "if (!ours.all_done()) return conclude_done(ours, requests, statuses, not_yet(flag));",
        matrix("Testall"),
    ),
    RequestFault(
        "tests of ours move none of the MPI's messages",
        "completion.cpp",
        "void move_messages() { look_for_messages(quiet_comm(MPI_COMM_WORLD)); }\n",
        "void move_messages() {}\n",
        "requests_starved Test",
    ),
    RequestFault(
        "waits for ours move none of the MPI's messages",
        "motion.cpp",
        "rounds_of_ours == rounds_of_ours - 1) look_for_messages(comm_);\n",
        "rounds_of_ours == rounds_of_ours) look_for_messages(comm_);\n",
        "requests_starved Wait",
    ),
    RequestFault(
        "Waitany's index is the next one's",
        "completion.cpp",
        "*index = done, *flag = 1;",
        "*index = done + 1, *flag = 1;",
        matrix("Waitany"),
    ),
    RequestFault(
        "Testany says that nothing is active while ours are",
        "completion.cpp",
        "  if (code == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED && ours.any()) return not_yet(flag);\n",
        "",
        matrix("Testany"),
    ),
    RequestFault(
        "Waitsome counts the MPI's own alone",
        "completion.cpp",
        "indices[(*found)++] = i;",
        "indices[*found] = i;",
        matrix("Waitsome"),
    ),
    RequestFault(
        "Testsome says that nothing is active while ours are",
        "completion.cpp",
        "    *found = 0;\n    if (ours.done() < 0)",
        "    if (ours.done() < 0)",
        matrix("Testsome"),
    ),
    RequestFault(
        "Testsome writes statuses that are ignored",
        "completion.cpp",
        "return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;",
        "return statuses + i;",
        matrix("Testsome"),
    ),
    RequestFault(
        "Wait writes a status that is ignored",
        "ours.cpp",
        "  if (status == MPI_STATUS_IGNORE) return;\n",
        "",
        matrix("Wait"),
    ),
    RequestFault(
        "Wait of one request sets its status's error",
        "ours.cpp",
        "  status->MPI_ERROR = error;\n",
        "  status->MPI_ERROR = MPI_SUCCESS;\n",
        matrix("Wait"),
    ),
    RequestFault(
        "the error of a call is lost",
        "ours.cpp",
        "const int code = request.code;",
        "const int code = MPI_SUCCESS;",
        "requests_errors Wait",
    ),
    RequestFault(
        "an error is not told to the communicator's handler",
        "ours.cpp",
        "    pmpi.Comm_call_errhandler(comm, code);\n",
        "    return code;\n",
        "requests_errors Waitany",
    ),
    RequestFault(
        "Waitall gives the code of one of its requests",
        "completion.cpp",
        "      code = MPI_ERR_IN_STATUS;\n",
        "      code = error;\n",
        "requests_errors Waitall",
    ),
    RequestFault(
        "statuses do not say which has failed",
        "completion.cpp",
        "    if (code != MPI_SUCCESS) put(at, error);\n",
        "",
        "requests_errors Testsome",
    ),
    RequestFault(
        "a nonblocking call's handle stays",
        "ours.cpp",
        "    handle = MPI_REQUEST_NULL;\n",
        "",
        matrix("Waitall"),
    ),
    RequestFault(
        "a persistent request stays active",
        "ours.cpp",
        "    request.state.store(Request::State::inactive, std::memory_order_relaxed);\n",
        "    (void)0;\n",
        "requests_persistent restarts allreduce",
    ),
    RequestFault(
        "inactive requests count as active",
        "ours.cpp",
        "return found != nullptr && found->active() ? found : nullptr;",
        "return found;",
        matrix("Waitany", "inactive"),
    ),
    RequestFault(
        "what the MPI makes of the others is lost",
        "ours.cpp",
        "    if (!ours_[i]) requests_[i] = copied_[i];\n",
        "    (void)requests_;\n",
        matrix("Waitall"),
    ),
    RequestFault(
        "get_status completes the request",
        "completion.cpp",
        "  return own && !own->done() ?",
        "  if (own && own->done()) conclude(*ours(&request), request);\n  return own && !own->done() ?",
        "requests_status status",
    ),
    RequestFault(
        "get_status says that what is under way is complete",
        "completion.cpp",
        "return own && !own->done() ? not_yet(flag) :",
        "return own && request == MPI_REQUEST_NULL ? not_yet(flag) :",
        "requests_status status",
    ),
    RequestFault(
        "get_status_some tells of nothing",
        "status_queries.cpp",
        "    indices[(*found)++] = i;\n",
        "    indices[*found] = i;\n",
        "requests_status status",
    ),
    RequestFault(
        "cancel is accepted",
        "starting.cpp",
        "return own ? refuse(*own) :",
        "return own ? MPI_SUCCESS :",
        "requests_status cancel",
    ),
    RequestFault(
        "a request that is freed while it is active is dropped at once",
        "starting.cpp",
        "  if (own->active() && !own->done())\n    own->freed = true;\n  else\n",
        "",
        "requests_status free",
    ),
    RequestFault(
        "Startall starts the first alone",
        "starting.cpp",
        "  for (int i = 0; i < count; ++i)\n    if (const int code",
        "  for (int i = 0; i < 1; ++i)\n    if (const int code",
        "requests_persistent together allreduce barrier",
    ),
    RequestFault(
        "a persistent request starts when it is made",
        "requesting.cpp",
        "if (!request.persistent) motion::start(request);",
        "motion::start(request);",
        "requests_persistent unstarted barrier bcast",
    ),
    RequestFault(
        "a call that ends is not complete",
        "channel.cpp",
        "    ended.state.store(Request::State::complete, std::memory_order_release);\n",
        "    (void)0;\n",
        "requests_order crossed",
    ),
    RequestFault(
        "the next call starts before the one at the head ends",
        "channel.cpp",
        "  if (begun_) return running_.test();\n",
        "  if (begun_) return true;\n",
        "requests_order many",
    ),
    RequestFault(
        "a channel that is given back is never lent again",
        "channel.cpp",
        "  if (given_back_ != nullptr) given_back_->fetch_add(1, std::memory_order_acq_rel);\n",
        "",
        "requests_served",
    ),
    RequestFault(
        "a channel is lent while others use it",
        "loans.cpp",
        "== lent_[channel] * static_cast<std::uint32_t>(ranks_))",
        ">= 0 * static_cast<std::uint32_t>(ranks_))",
        "requests_persistent orders barrier bcast reduce allreduce scan",
    ),
    RequestFault(
        "requests whose place in the table is taken are not found",
        "request_table.cpp",
        "  others().by_key[key] = &request;\n",
        "",
        "requests_order many",
    ),
    RequestFault(
        "persistent requests do not count as held",
        "requesting.cpp",
        "  motion::hold(1);\n",
        "  if (!request.persistent) motion::hold(1);\n",
        "requests_persistent restarts allreduce",
    ),
    RequestFault(
        "nothing moves while the program computes",
        "motion.cpp",
        "  move_all(progress_hook::by_ticker());\n",
        "",
        "requests_progress recv",
    ),
    RequestFault(
        "types of a call under way are not kept",
        "held_types.cpp",
        "if (type == MPI_DATATYPE_NULL || plain_size(type) >= 0 || describe(type, comm).predefined) return type;",
        "if (plain_size(type) >= -2) return type;",
        "requests_order freed-types",
    ),
    RequestFault(
        "counts of a call under way are not kept",
        "held_arrays.cpp",
        "        if (*view) views[number++] = view;",
        "        if (*view) views[0] = view;",
        "requests_kinds nonblocking early",
    ),
    RequestFault(
        "a rank is served before the others have joined",
        "turnover.cpp",
        "const bool first = number > 0 && all_joined_by(number);",
        "const bool first = number > 0;",
        "requests_order many",
    ),
)
