#pragma once
/// Selectors on loan.  Making one parses the profile; programs make communicators of the same shape again and again.
#include <memory>

#include "mpi/adopted.hpp"
#include "selection/choice.hpp"

namespace tutti::mpi {

/// Has a selector to itself, since choosing writes its cache; gives it back to the pool at its end.  No selector is
/// ever destroyed, so that the texts of its choices stay valid.
class SelectorLoan {
 public:
  SelectorLoan(const Adopted& adopted, const Placement& placement);
  ~SelectorLoan();
  SelectorLoan(const SelectorLoan&) = delete;
  Selector& operator*() const { return *selector_; }
  Selector* operator->() const { return selector_.get(); }

 private:
  const Adopted& adopted_;
  Placement placement_;
  std::unique_ptr<Selector> selector_;
};

}  // namespace tutti::mpi
