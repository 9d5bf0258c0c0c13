#include "capi/shared/placing.hpp"

#include <algorithm>
#include <vector>

namespace tutti::shared {
namespace {

/// What is packed at once, so that it is still in a cache when it is unpacked.
constexpr std::int64_t batch_bytes = 256 * 1024;

}  // namespace

void place(const runtime::Typed& from, const void* source, std::int64_t count, const runtime::Typed& to, void* target) {
  const std::int64_t size = from.info.size, bytes = count * size;
  if (bytes == 0) return;
  if (to.info.flat) return pack(from, source, count, static_cast<std::byte*>(target));
  if (from.info.flat) return unpack(to, runtime::at(source, 0), bytes / to.info.size, target);
  // Where a batch of one side is a whole number of the other's elements: of equal types any, else all at once.
  const std::int64_t batch = to.type == from.type ? std::max<std::int64_t>(batch_bytes / size, 1) : count;
  std::vector<std::byte> packed(static_cast<std::size_t>(std::min(batch, count) * size));
  for (std::int64_t done = 0, now = 0; done < count; done += now) {
    now = std::min(batch, count - done);
    pack(from, runtime::at(source, done * from.info.extent), now, packed.data());
    unpack(to, packed.data(), now * size / to.info.size, runtime::at(target, done * to.info.extent));
  }
}

}  // namespace tutti::shared
