#pragma once
/// Those of the sample calls that move blocks from member to member.
#include <vector>

#include "sample_calls.hpp"

namespace tutti::shm::test {

void add_movements(std::vector<SampleCall>& all, int size);

}  // namespace tutti::shm::test
