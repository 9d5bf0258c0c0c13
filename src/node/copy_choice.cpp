#include "node/copy_choice.hpp"

#include "node/past_caches.hpp"

namespace tutti::node {

void CopyChoice::took(const Spent& written, const Spent& read, const Spent& copied_once) {
  constexpr double margin = 0.05;
  if (written.bytes != 0 && read.bytes != 0) two_ = smoothed(two_, written.a_line() + read.a_line());
  if (copied_once.bytes != 0) one_ = smoothed(one_, copied_once.a_line());
  if (two_ != 0 && one_ != 0) once_ = one_ < two_ * (once_ ? 1 + margin : 1 - margin);
}

}  // namespace tutti::node
