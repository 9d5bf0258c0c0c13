#include "algorithms/catalogue.hpp"

#include <algorithm>
#include <array>

#include "algorithms/sources.hpp"

namespace tutti {
namespace {

using namespace sources;

constexpr Constraints any{};
constexpr Constraints commutative{.commutative = true};
constexpr Constraints commutative_by_arrival{.commutative = true, .by_arrival = true};
constexpr Constraints regular{.regular = true};
constexpr Constraints several_ports{.one_ported = false};
constexpr Constraints commutative_several_ports{.commutative = true, .one_ported = false};
constexpr Constraints regular_several_ports{.regular = true, .one_ported = false};

constexpr std::array<ParameterInfo, 1> segment{
    ParameterInfo{"segment", ParameterInfo::Kind::segment, 256, 1 << 30, 64 * 1024}};
constexpr std::array<ParameterInfo, 1> group_size{ParameterInfo{"k", ParameterInfo::Kind::integer, 1, 1 << 20, 4}};
constexpr std::array<ParameterInfo, 1> blocks{ParameterInfo{"blocks", ParameterInfo::Kind::integer, 1, 4096, 8}};
constexpr std::array<ParameterInfo, 1> aggregation{
    ParameterInfo{"aggregation", ParameterInfo::Kind::integer, 1, 1 << 20, 8}};
/// Digits of that radix; k-1 messages are under way at a time.
constexpr std::array<ParameterInfo, 1> radix{ParameterInfo{"k", ParameterInfo::Kind::integer, 2, 32, 4}};
/// Messages under way at a time, in either direction.
constexpr std::array<ParameterInfo, 1> window{ParameterInfo{"window", ParameterInfo::Kind::integer, 1, 32, 32}};

}  // namespace

// clang-format off
/// The list: collective, name, function, constraints, cost, source, parameters.  m: bytes of the vector, or the total
/// over all ranks where every rank has a block of its own.
#define CATALOGUE(ROW) \
  ROW(barrier, linear, barrier_linear, any, "2(p-1)α", "Open MPI's basic linear") \
  ROW(barrier, tree, barrier_tree, any, "2 lg p α", "Open MPI's tree") \
  ROW(barrier, dissemination, barrier_dissemination, any, "lg p α", "Hensgen, Finkel & Manber 1988") \
  ROW(barrier, k_dissemination, barrier_k_dissemination, several_ports, "(k-1) log_k p α", "MPICH's k-dissemination", radix) \
  ROW(barrier, recursive_doubling, barrier_recursive_doubling, any, "lg p α", "Open MPI's recursive doubling") \
  ROW(barrier, double_ring, barrier_double_ring, any, "(2p-1)α", "Open MPI's double ring") \
  ROW(bcast, flat, bcast_flat, any, "(p-1)(α + mβ)", hasanov_1) \
  ROW(bcast, chain, bcast_chain, any, "(p-1)(α + mβ)", hasanov_2) \
  ROW(bcast, pipelined_chain, bcast_pipelined_chain, any, "(X + p-2)(α + m/X β)", hasanov_3, segment) \
  ROW(bcast, binary, bcast_binary, any, "2(lg(p+1) - 1)(α + mβ)", hasanov_4) \
  ROW(bcast, pipelined_binary, bcast_pipelined_binary, any, "2(X + lg(p+1) - 2)(α + m/X β)", open_mpi, segment) \
  ROW(bcast, split_binary, bcast_split_binary, any, "(2 lg(p+1) + X - 4)(α + m/X β) + α + m/2 β", hasanov_7, segment) \
  ROW(bcast, binomial, bcast_binomial, any, "lg p (α + mβ)", mpich_4_3) \
  ROW(bcast, k_nomial, bcast_k_nomial, any, "(k-1) log_k p (α + mβ)", mpich_k_nomial, radix) \
  ROW(bcast, scatter_recursive_doubling_allgather, bcast_scatter_recursive_doubling_allgather, any, "2 lg p α + 2(p-1)/p mβ", thakur_4_3) \
  ROW(bcast, scatter_ring_allgather, bcast_scatter_ring_allgather, any, "(lg p + p-1)α + 2(p-1)/p mβ", hasanov_5) \
  ROW(bcast, two_tree, bcast_two_tree, any, "(2 lg p + n)(α + m/n β)", two_tree, segment) \
  ROW(bcast, circulant_n_block, bcast_circulant_n_block, any, "(n-1 + lg p)(α + m/n β)", traff_2025, segment) \
  ROW(gather, linear, gather_linear, several_ports, "(p-1)α + (p-1)/p mβ", mpich_4_1, window) \
  ROW(gather, binomial, gather_binomial, regular, "lg p α + (p-1)/p mβ", thakur_4_1) \
  ROW(gather, k_nomial, gather_k_nomial, regular, "(k-1) log_k p α + (p-1)/p mβ", mpich_k_nomial, radix) \
  ROW(gatherv, linear, gather_linear, several_ports, "(p-1)α + (p-1)/p mβ", mpich_4_1, window) \
  ROW(gatherv, binomial, gatherv_binomial, any, "lg p α + ((p-1)/p m + 8p)β", thakur_4_1) \
  ROW(scatter, linear, scatter_linear, several_ports, "(p-1)α + (p-1)/p mβ", mpich_4_1, window) \
  ROW(scatter, binomial, scatter_binomial, regular, "lg p α + (p-1)/p mβ", thakur_4_1) \
  ROW(scatter, k_nomial, scatter_k_nomial, regular, "(k-1) log_k p α + (p-1)/p mβ", mpich_k_nomial, radix) \
  ROW(scatterv, linear, scatter_linear, several_ports, "(p-1)α + (p-1)/p mβ", mpich_4_1, window) \
  ROW(scatterv, binomial, scatterv_binomial, any, "lg p α + ((p-1)/p m + 8p)β", thakur_4_1) \
  ROW(allgather, recursive_doubling, allgather_recursive_doubling, any, "lg p α + (p-1)/p mβ", thakur_4_2) \
  ROW(allgather, gather_bcast, allgather_gather_bcast, any, "2 lg p α + ((p-1)/p + lg p)mβ", "the two, composed") \
  ROW(allgather, ring, allgather_ring, any, "(p-1)α + (p-1)/p mβ", mpich_4_2) \
  ROW(allgather, bruck, allgather_bruck, any, "lg p α + (p-1)/p mβ", bruck) \
  ROW(allgather, k_bruck, allgather_k_bruck, several_ports, "(k-1) log_k p α + (p-1)/p mβ", bruck, radix) \
  ROW(allgather, circulant, allgather_circulant, any, "lg p α + (p-1)/p mβ", traff_2024) \
  ROW(allgather, recursive_exchange, allgather_recursive_exchange, several_ports, "(k-1) log_k p α + (p-1)/p mβ", mpich_exchange, radix) \
  ROW(allgather, neighbour_exchange, allgather_neighbour_exchange, any, "p/2 α + (p-1)/p mβ", "Chen et al. 2005") \
  ROW(allgather, sparbit, allgather_sparbit, any, "lg p α + (p-1)/p mβ", "Loch & Koslovski 2021") \
  ROW(allgather, pat, allgather_pat, any, "(lg A + p/A - 1)α + (p-1)/p mβ", pat, aggregation) \
  ROW(allgather, k_ring, allgather_k_ring, any, "(p-1)α + (p-1)/p mβ", "Wilkins et al. 2023", group_size) \
  ROW(allgather, bine, allgather_bine, any, "lg p α + (p-1)/p mβ", bine) \
  ROW(allgather, direct, allgather_direct, several_ports, "(p-1)α + (p-1)/p mβ", linear, window) \
  ROW(allgatherv, recursive_doubling, allgather_recursive_doubling, any, "lg p α + (p-1)/p mβ", thakur_4_2) \
  ROW(allgatherv, ring, allgather_ring, any, "(p-1)α + (p-1)/p mβ", mpich_4_2) \
  ROW(allgatherv, bruck, allgather_bruck, any, "lg p α + (p-1)/p mβ", bruck) \
  ROW(allgatherv, circulant_n_block, allgather_circulant_n_block, any, "(n-1 + lg p)α + (m + (lg p - 1) m/n)β", traff_2025, blocks) \
  ROW(allgatherv, direct, allgather_direct, several_ports, "(p-1)α + (p-1)/p mβ", linear, window) \
  ROW(alltoall, linear, alltoall_linear, any, "(2p-3)(α + m/p β)", mpich_4_5) \
  ROW(alltoall, staggered, alltoall_staggered, several_ports, "(p-1)α + (p-1)/p mβ", "MPICH's scattered", window) \
  ROW(alltoall, pairwise, alltoall_pairwise, any, "(p-1)α + (p-1)/p mβ", thakur_4_5) \
  ROW(alltoall, xor, alltoall_xor, any, "(p-1)α + (p-1)/p mβ", thakur_4_5) \
  ROW(alltoall, recursive_doubling, alltoall_recursive_doubling, regular, "lg p α + (p-1)mβ", thakur_4_5) \
  ROW(alltoall, bruck, alltoall_bruck, regular, "lg p (α + m/2 β)", bruck) \
  ROW(alltoall, k_bruck, alltoall_k_bruck, regular_several_ports, "log_k p ((k-1)α + (k-1)/k mβ)", bruck, radix) \
  ROW(alltoall, circulant, alltoall_circulant, regular, "lg p (α + m/2 β)", traff_2024) \
  ROW(alltoallv, linear, alltoall_linear, any, "(2p-3)(α + m/p β)", mpich_4_5) \
  ROW(alltoallv, staggered, alltoall_staggered, several_ports, "(p-1)α + (p-1)/p mβ", "MPICH's scattered", window) \
  ROW(alltoallv, pairwise, alltoall_pairwise, any, "(p-1)α + (p-1)/p mβ", thakur_4_5) \
  ROW(alltoallw, linear, alltoall_linear, any, "(2p-3)(α + m/p β)", mpich_4_5) \
  ROW(alltoallw, staggered, alltoall_staggered, several_ports, "(p-1)α + (p-1)/p mβ", "MPICH's scattered", window) \
  ROW(alltoallw, pairwise, alltoall_pairwise, any, "(p-1)α + (p-1)/p mβ", thakur_4_5) \
  ROW(reduce, binomial_in_order, reduce_binomial_in_order, any, "lg p (α + mβ + mγ) + α + mβ", thakur_4_1) \
  ROW(reduce, linear, reduce_linear, any, "(p-1)(α + mβ + mγ)", hasanov_1) \
  ROW(reduce, chain, reduce_chain, commutative, "(p-1)(α + mβ + mγ)", hasanov_2) \
  ROW(reduce, pipelined_chain, reduce_pipelined_chain, commutative, "(X + p-2)(α + m/X (β + γ))", hasanov_3, segment) \
  ROW(reduce, binary, reduce_binary, commutative, "2(X + lg(p+1) - 2)(α + m/X (β + γ))", open_mpi, segment) \
  ROW(reduce, in_order_binary, reduce_in_order_binary, any, "2(X + lg(p+1) - 2)(α + m/X (β + γ)) + α + mβ", open_mpi, segment) \
  ROW(reduce, binomial, reduce_binomial, commutative, "lg p (α + mβ + mγ)", mpich_4_1) \
  ROW(reduce, k_nomial, reduce_k_nomial, commutative, "(k-1) log_k p (α + mβ + mγ)", mpich_k_nomial, radix) \
  ROW(reduce, linear_by_arrival, reduce_linear_by_arrival, commutative_by_arrival, "(p-1)(α + mβ + mγ)", parsons) \
  ROW(reduce, k_nomial_by_arrival, reduce_k_nomial_by_arrival, commutative_by_arrival, "(k-1) log_k p (α + mβ + mγ)", parsons, radix) \
  ROW(reduce, rabenseifner, reduce_rabenseifner, any, "2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", rabenseifner) \
  ROW(reduce, two_tree, reduce_two_tree, commutative, "(2 lg p + n)(α + m/n (β + γ))", two_tree, segment) \
  ROW(reduce, circulant_n_block, reduce_circulant_n_block, commutative, "(n-1 + lg p)(α + m/n (β + γ))", traff_2025, segment) \
  ROW(allreduce, recursive_doubling, allreduce_recursive_doubling, any, "lg p (α + mβ + mγ)", thakur_2005) \
  ROW(allreduce, reduce_bcast, allreduce_reduce_bcast, any, "2 lg p (α + mβ) + lg p mγ", mpich_4_2) \
  ROW(allreduce, recursive_exchange, allreduce_recursive_exchange, several_ports, "(k-1) log_k p (α + m (β + γ))", mpich_exchange, radix) \
  ROW(allreduce, recursive_multiplying, allreduce_recursive_multiplying, commutative_several_ports, "(k-1) log_k p (α + m (β + γ))", "Ruefenacht, Bull & Booth 2017", radix) \
  ROW(allreduce, rabenseifner, allreduce_rabenseifner, any, "2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", rabenseifner) \
  ROW(allreduce, ring, allreduce_ring, commutative, "2(p-1)α + 2(p-1)/p mβ + (p-1)/p mγ", "Patarasuk & Yuan 2009") \
  ROW(allreduce, segmented_ring, allreduce_segmented_ring, commutative, "(⌈X/p⌉ + 1)(p-1)α + 2(p-1)/p mβ + (p-1)/p mγ", "Open MPI, segmented ring", segment) \
  ROW(allreduce, circulant, allreduce_circulant, commutative, "2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", traff_2024) \
  ROW(allreduce, double_binary_tree, allreduce_double_binary_tree, commutative, "(4 lg p + 2n)(α + m/n β) + (2 lg p + n) m/n γ", "NCCL; Sanders, Speck & Träff 2009", segment) \
  ROW(allreduce, swing, allreduce_swing, commutative, "2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", "De Sensi et al. 2024, arXiv 2401.09356") \
  ROW(allreduce, bine, allreduce_bine, commutative, "2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", bine) \
  ROW(reduce_scatter, pairwise, reduce_scatter_pairwise, any, "(p-1)α + (p-1)/p m (β + γ)", thakur_4_4) \
  ROW(reduce_scatter, reduce_scatter, reduce_scatter_reduce_scatter, several_ports, "(lg p + p-1)α + (lg p + (p-1)/p)mβ + lg p mγ", mpich_4_4) \
  ROW(reduce_scatter, recursive_doubling, reduce_scatter_recursive_doubling, any, "lg p α + (lg p - 2(p-1)/p + lg p/p) m (β + γ)", thakur_4_4) \
  ROW(reduce_scatter, recursive_halving, reduce_scatter_recursive_halving, commutative, "lg p α + (p-1)/p m (β + γ)", thakur_2005) \
  ROW(reduce_scatter, recursive_exchange, reduce_scatter_recursive_exchange, commutative_several_ports, "(k-1) log_k p α + (p-1)/p m (β + γ)", ucc_exchange, radix) \
  ROW(reduce_scatter, butterfly, reduce_scatter_butterfly, any, "(lg p + 1)α + m (β + γ)", "Träff 2005") \
  ROW(reduce_scatter, ring, reduce_scatter_ring, commutative, "(p-1)α + (p-1)/p m (β + γ)", "Patarasuk & Yuan 2009") \
  ROW(reduce_scatter, circulant, reduce_scatter_circulant, commutative, "lg p α + (p-1)/p m (β + γ)", traff_2024) \
  ROW(reduce_scatter, pat, reduce_scatter_pat, commutative, "(lg A + p/A - 1)α + (p-1)/p m (β + γ)", pat, aggregation) \
  ROW(reduce_scatter, bine, reduce_scatter_bine, commutative, "lg p α + (p-1)/p m (β + γ)", bine) \
  ROW(reduce_scatter_block, pairwise, reduce_scatter_pairwise, any, "(p-1)α + (p-1)/p m (β + γ)", thakur_4_4) \
  ROW(reduce_scatter_block, reduce_scatter, reduce_scatter_reduce_scatter, several_ports, "(lg p + p-1)α + (lg p + (p-1)/p)mβ + lg p mγ", mpich_4_4) \
  ROW(reduce_scatter_block, recursive_doubling, reduce_scatter_recursive_doubling, any, "lg p α + (lg p - 2(p-1)/p + lg p/p) m (β + γ)", thakur_4_4) \
  ROW(reduce_scatter_block, recursive_halving, reduce_scatter_recursive_halving, commutative, "lg p α + (p-1)/p m (β + γ)", thakur_2005) \
  ROW(reduce_scatter_block, recursive_exchange, reduce_scatter_recursive_exchange, commutative_several_ports, "(k-1) log_k p α + (p-1)/p m (β + γ)", ucc_exchange, radix) \
  ROW(reduce_scatter_block, butterfly, reduce_scatter_butterfly, any, "(lg p + 1)α + m (β + γ)", "Träff 2005") \
  ROW(reduce_scatter_block, ring, reduce_scatter_ring, commutative, "(p-1)α + (p-1)/p m (β + γ)", "Patarasuk & Yuan 2009") \
  ROW(reduce_scatter_block, circulant, reduce_scatter_circulant, commutative, "lg p α + (p-1)/p m (β + γ)", traff_2024) \
  ROW(reduce_scatter_block, pat, reduce_scatter_pat, commutative, "(lg A + p/A - 1)α + (p-1)/p m (β + γ)", pat, aggregation) \
  ROW(reduce_scatter_block, bine, reduce_scatter_bine, commutative, "lg p α + (p-1)/p m (β + γ)", bine) \
  ROW(scan, recursive_doubling, scan_recursive_doubling, any, "lg p (α + mβ + 2 mγ)", thakur_scan) \
  ROW(scan, linear, scan_linear, any, "(p-1)(α + mβ + mγ)", "Open MPI's linear") \
  ROW(scan, pipelined_chain, scan_pipelined_chain, any, "(X + p-2)(α + m/X (β + γ))", "Sanders & Träff 2006, section 2", segment) \
  ROW(scan, simultaneous, scan_simultaneous, any, "lg p (α + mβ + mγ)", "Hillis & Steele 1986") \
  ROW(scan, up_down_sweep, scan_up_down_sweep, any, "(2 lg p - 1)(α + mβ) + (2 lg p - 2)mγ", "Brent & Kung 1982") \
  ROW(exscan, recursive_doubling, exscan_recursive_doubling, any, "lg p (α + mβ + 2 mγ)", thakur_scan) \
  ROW(exscan, linear, exscan_linear, any, "(p-1)(α + mβ + mγ)", "Open MPI's linear") \
  ROW(exscan, pipelined_chain, exscan_pipelined_chain, any, "(X + p-2)(α + m/X (β + γ))", "Sanders & Träff 2006, section 2", segment) \
  ROW(exscan, simultaneous, exscan_simultaneous, any, "(1 + lg(p-1))(α + mβ + mγ)", "Hillis & Steele 1986") \
  ROW(exscan, up_down_sweep, exscan_up_down_sweep, any, "2 lg(p-1) (α + mβ) + (2 lg(p-1) - 2)mγ", "Brent & Kung 1982") \
  ROW(exscan, doubling_123, exscan_doubling_123, any, "lg(4(p-1)/3) (α + mβ + mγ)", doubling_123)
// clang-format on

#define DECLARE(collective, name, function, constraints, cost, source, ...) Schedule function(Context);
CATALOGUE(DECLARE)
#undef DECLARE

std::span<const Algorithm> catalogue() {
#define ENTRY(collective, name, function, constraints, cost, source, ...) \
  Algorithm{Collective::collective, #name, function, constraints, {__VA_ARGS__}, cost, source},
  static constexpr Algorithm list[] = {CATALOGUE(ENTRY)};
#undef ENTRY
  return list;
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  const auto all = catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Algorithm& entry) {
    return entry.collective == collective && entry.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tutti
