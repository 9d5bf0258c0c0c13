#pragma once
/// Settings as the ranks agreed on them: read once, by rank 0 of the first communicator that activates, sent to the
/// others as text, and known afterwards by a hash.  A rank's own environment drives no choice.
#include <cstdint>
#include <string>

#include "selection/settings.hpp"

namespace tutti::runtime {

/// Immutable, and never freed: communicators point to it.
struct AgreedSettings {
  std::uint64_t hash = 0;  ///< of the text; below 2^62 and never 0
  std::string text;        ///< to_text(settings)
  Settings settings;
};

/// What this process agreed first, or null.
const AgreedSettings* agreed();

/// The settings of that text; the first of a process is agreed.  Throws where the text is not of to_text's making.
const AgreedSettings& intern(const std::string& text);

/// The settings in this process's environment, read at the first call.  The rank that reports for the job prints their
/// warnings.
const AgreedSettings& read_here();

/// Whether this process is rank 0 of MPI_COMM_WORLD; `without_world` where there is none (sessions).
bool speaks_for_job(bool without_world = true);

/// 64-bit FNV-1a, cut to 62 bits so that it and its negative are valid in any integer agreement.
std::uint64_t fingerprint(const std::string& text);

}  // namespace tutti::runtime
