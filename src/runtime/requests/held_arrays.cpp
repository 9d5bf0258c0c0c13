#include "runtime/requests/held_arrays.hpp"

#include <cstring>

#include "runtime/plan/sides.hpp"

namespace tutti::runtime {

void HeldArrays::hold(Operation& call, Rank me, int ranks) {
  const Sides blocks(call, me, ranks);
  Side* const sides[] = {blocks.send != 0 ? &call.send : nullptr, blocks.receive != 0 ? &call.receive : nullptr};
  CountView* views[4];
  std::size_t number = 0;
  for (Side* const side : sides)
    if (side != nullptr)
      for (CountView* const view : {&side->counts, &side->displacements})
        if (*view) views[number++] = view;
  const auto length = static_cast<std::size_t>(ranks);
  copies_.resize(number * length);
  for (std::size_t i = 0; i < number; ++i) {
    CountView& view = *views[i];
    std::int64_t* const copy = copies_.data() + i * length;
    std::memcpy(copy, view.data(), length * (view.is_wide() ? sizeof(std::int64_t) : sizeof(int)));
    view = view.is_wide() ? CountView::wide(copy) : CountView(reinterpret_cast<const int*>(copy));
  }
}

}  // namespace tutti::runtime
