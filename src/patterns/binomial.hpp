#pragma once
/// The binomial tree: the k-nomial one of radix 2.
#include "patterns/k_nomial.hpp"

namespace tutti {

using BinomialTree = KnomialTree;

}  // namespace tutti
