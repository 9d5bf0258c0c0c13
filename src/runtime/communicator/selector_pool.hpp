#pragma once
/// Selectors on loan.  Making one parses the profile; programs make communicators of the same shape again and again.
#include <memory>

#include "runtime/communicator/agreed_settings.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

/// Exclusive use of a selector, because choosing writes its cache; returned to the pool at its end.  No selector is
/// ever destroyed, so that the texts of its choices stay valid.
class SelectorLoan {
 public:
  SelectorLoan(const AgreedSettings& agreed, const Placement& placement);
  ~SelectorLoan();
  SelectorLoan(const SelectorLoan&) = delete;
  Selector& operator*() const { return *selector_; }
  Selector* operator->() const { return selector_.get(); }

 private:
  const AgreedSettings& agreed_;
  Placement placement_;
  std::unique_ptr<Selector> selector_;
};

}  // namespace tutti::runtime
