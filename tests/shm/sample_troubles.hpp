#pragma once
/// Calls that go wrong at one member: it forfeits its part, or expects another length than is sent.
#include "sample_calls.hpp"

namespace tutti::shm::test {

/// What a group of `size` can be asked to do so.  Each is right if nobody waits for ever, those who depend on what is
/// missing learn of it, and all others get what they were to get.
std::vector<SampleCall> troubled_calls(int size);

}  // namespace tutti::shm::test
