#pragma once
/// One rank's elements into their place in a result.
#include "runtime/datatype/packing.hpp"

namespace tutti::shared {

/// `count` elements at `source`, laid out as `from`, to where `to` wants them at `target`: as many bytes of data, and
/// no byte between them.  Throws MpiError, std::bad_alloc.
void place(const runtime::Typed& from, const void* source, std::int64_t count, const runtime::Typed& to, void* target);

}  // namespace tutti::shared
