#pragma once
/// Why a call is served as it is: TUTTI_EXPLAIN's lines, TUTTI_LOG's, and the reason when nothing was served.
#include <string>

#include "runtime/communicator/state.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

/// At the first choice for this collective and size class on this communicator: one line on stderr from the world's
/// rank 0 (TUTTI_EXPLAIN, equal lines once), and one in each rank's log (TUTTI_LOG).
/// `variant`: what is known of the node engine's part (plan/node_variant.hpp).
void explain_choice(State& state, const CallSignature& signature, const Choice& choice, const std::string& variant);

/// The same for nonblocking and persistent calls, on one node.  `spoken`: one bit a size class that was.
void explain_request(State& state, const CallSignature& signature, const Choice& choice, const Settings& settings,
                     std::uint64_t& spoken);

/// A communicator, or one of its resources, is given up for good.  One line as above; errors of the user's (ranks that
/// preload different versions) are always printed.
void explain_refusal(State& state, const std::string& what, const std::string& why, bool always = false);

/// A rule chose native.  Remembers the last reason, for the summary.
void note_native(const Choice& choice);

/// Why no call of this process was served, in one sentence.
std::string why_nothing_was_served();

/// "8 B", "4 KiB", "1.5 MiB".
std::string size_text(std::int64_t bytes);

}  // namespace tutti::runtime
