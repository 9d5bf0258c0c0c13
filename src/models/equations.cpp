#include "models/equations.hpp"

namespace tutti {
namespace {

using enum Collective;
using enum Equation::Kind;

// clang-format off
/// m is the vector, or the row of all ranks' blocks (of alltoall: what one rank sends).
constexpr Equation table[] = {
    {"Hasanov et al., equation 1", bcast, "flat", "(p-1)(α + mβ)"},
    {"Hasanov et al., equation 2", bcast, "chain", "(p-1)(α + mβ)"},
    {"Hasanov et al., equation 3", bcast, "pipelined_chain", "(X + p-2)(α + m/X β)"},
    {"Hasanov et al., equation 4", bcast, "binomial", "lg p (α + mβ)"},
    {"Hasanov et al., equation 4", bcast, "binary", "lg p (α + mβ)", "2(lg(p+1) - 1)(α + mβ)",
     "a node sends to two children, one after the other: the equation charges it once"},
    {"Hasanov et al., equation 5", bcast, "scatter_ring_allgather", "(lg p + p-1)α + 2(p-1)/p mβ", "",
     "printed with (p-1)/p as an exponent of 2"},
    {"Hasanov et al., equation 6", bcast, "scatter_recursive_doubling_allgather", "2 lg p α + 2(p-1)/p mβ"},
    {"Hasanov et al., equation 7", bcast, "split_binary", "2(lg(p+1) - 2)(α + mβ) + α + m/2 β",
     "(2 lg(p+1) + X - 4)(α + m/X β) + α + m/2 β",
     "printed without segments; equation 17 follows from the segmented form alone"},
    {"Hasanov et al., equation 8", bcast, "groups(G, flat)", "(G + p/G - 2)(α + mβ)"},
    {"Hasanov et al., equation 8", bcast, "groups(G, chain)", "(G + p/G - 2)(α + mβ)"},
    {"Hasanov et al., equation 9", bcast, "groups(G, flat)", "(1 - p/G/G)(α + mβ)", "", "equation 8 by G", derivative},
    {"Hasanov et al., equation 10", bcast, "groups(G, flat)", "(2 sqrt p - 2)(α + mβ)", "", "equation 8 at its least"},
    {"Hasanov et al., equation 11", bcast, "groups(G, pipelined_chain)", "(2X + G + p/G - 4)(α + m/X β)"},
    {"Hasanov et al., section 3", bcast, "groups(G, binomial)", "lg p (α + mβ)", "", "unchanged by groups"},
    {"Hasanov et al., equation 12", bcast, "groups(G, scatter_ring_allgather)",
     "(lg p + G + p/G - 2)α + 2m(2 - 1/G - G/p)β"},
    {"Hasanov et al., equation 13", bcast, "groups(G, scatter_ring_allgather)", "(G G - p)/G/G (α - 2mβ/p)", "",
     "equation 12 by G", derivative},
    {"Hasanov et al., equation 14", bcast, "groups(G, scatter_ring_allgather)", "2m/p", "",
     "where α/β is above it, G = sqrt p is the least of equation 12; below it, the greatest", threshold},
    {"Hasanov et al., equation 15", bcast, "groups(G, scatter_ring_allgather)",
     "(lg p + 2 sqrt p - 2)α + 2m(2 - 2/sqrt p)β", "", "equation 12 at G = sqrt p"},
    {"Hasanov et al., equation 16", bcast, "groups(G, scatter_recursive_doubling_allgather)",
     "2 lg p α + 2m(2 - 1/G - G/p)β", "", "the same latency and more bytes than equation 6: it loses for every G"},
    {"Hasanov et al., equation 17", bcast, "groups(G, split_binary)",
     "2(lg p + X - 4)(α + m/X β) + 2(α + m/2 β)",
     "2(lg(G+1) + lg(p/G+1) + X - 4)(α + m/X β) + 2(α + m/2 β)",
     "printed for p + 1 ≈ p; it loses to equation 7 for every G"},
    {"Thakur & Gropp 2002, section 4.1: MPICH 1.2.4", scatter, "linear", "(p-1)α + (p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.1", scatter, "binomial", "lg p α + (p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.1", gather, "binomial", "lg p α + (p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.2: MPICH 1.2.4", allgather, "ring", "(p-1)α + (p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.2", allgather, "recursive_doubling", "lg p α + (p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.3: MPICH 1.2.4", bcast, "binomial", "lg p (α + mβ)"},
    {"Thakur & Gropp 2002, section 4.3", bcast, "scatter_recursive_doubling_allgather", "2 lg p α + 2(p-1)/p mβ"},
    {"Thakur & Gropp 2002, section 4.4: MPICH 1.2.4", reduce_scatter_block, "reduce_scatter",
     "(lg p + p-1)α + 2(p-1)/p mβ", "(lg p + p-1)α + (lg p + (p-1)/p)mβ + lg p mγ",
     "the reduce before the scatter moves the vector lg p times; the paper leaves γ out"},
    {"Thakur & Gropp 2002, section 4.4", reduce_scatter_block, "recursive_doubling",
     "lg p α + m(lg p - (p-1)/p)β", "lg p α + (lg p - 2(p-1)/p + lg p/p) m (β + γ)",
     "a rank sends no block of its own group, and receives none of the other; the paper leaves γ out"},
    {"Thakur & Gropp 2002, section 4.4", reduce_scatter_block, "pairwise", "(p-1)α + (p-1)/p mβ",
     "(p-1)α + (p-1)/p m (β + γ)", "the paper leaves γ out"},
    {"Thakur & Gropp 2002, section 4.5: MPICH 1.2.4", alltoall, "linear", "(p-1)α + (p-1)/p mβ",
     "(2p-3)(α + m/p β)", "all ranks send to rank 0 first: with one port they wait for each other"},
    {"Thakur & Gropp 2002, section 4.5", alltoall, "recursive_doubling", "lg p α + (p-1)mβ"},
    {"Thakur & Gropp 2002, section 4.5", alltoall, "pairwise", "(p-1)α + (p-1)/p mβ"},
};
// clang-format on

}  // namespace

std::span<const Equation> equations() { return table; }

}  // namespace tutti
