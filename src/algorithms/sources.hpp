#pragma once
/// Where the catalogue's algorithms are described.  Those of a single entry stand in its row.
#include "algorithms/catalogue.hpp"

namespace tutti::sources {

constexpr Source thakur_4_1 = "Thakur & Gropp 2002, section 4.1", thakur_4_2 = "Thakur & Gropp 2002, section 4.2",
                 thakur_4_3 = "Thakur & Gropp 2002, section 4.3", thakur_4_4 = "Thakur & Gropp 2002, section 4.4",
                 thakur_4_5 = "Thakur & Gropp 2002, section 4.5",
                 thakur_scan = "MPICH; Thakur & Gropp 2002 leave its description out";
/// What Thakur & Gropp found in MPICH 1.2.4, and compare with.
constexpr Source mpich_4_1{"Thakur & Gropp 2002, section 4.1: MPICH 1.2.4", true},
    mpich_4_2{"Thakur & Gropp 2002, section 4.2: MPICH 1.2.4", true},
    mpich_4_3{"Thakur & Gropp 2002, section 4.3: MPICH 1.2.4", true},
    mpich_4_4{"Thakur & Gropp 2002, section 4.4: MPICH 1.2.4", true},
    mpich_4_5{"Thakur & Gropp 2002, section 4.5: MPICH 1.2.4", true};

constexpr Source hasanov_1 = "Hasanov et al., equation 1", hasanov_2 = "Hasanov et al., equation 2",
                 hasanov_3 = "Hasanov et al., equation 3", hasanov_4 = "Hasanov et al., equation 4",
                 hasanov_5 = "Hasanov et al., equation 5", hasanov_7 = "Hasanov et al., equation 7";

constexpr Source bruck = "Bruck et al. 1997", rabenseifner = "Rabenseifner 2004",
                 thakur_2005 = "Thakur, Rabenseifner & Gropp 2005", two_tree = "Sanders, Speck & Träff 2009",
                 traff_2024 = "Träff 2024, arXiv 2410.14234", traff_2025 = "Träff 2025, arXiv 2407.18004",
                 doubling_123 = "Träff 2025, arXiv 2507.04785", pat = "Jeaugey 2025, arXiv 2506.20252 (NCCL)",
                 bine = "De Sensi et al. 2025, arXiv 2508.17311";

constexpr Source open_mpi = "Open MPI, coll/base", linear = "linear, as in Open MPI",
                 parsons = "Parsons, imbalance-tolerant reduce", mpich_k_nomial = "MPICH, k-nomial",
                 mpich_exchange = "MPICH, recursive exchange", ucc_exchange = "UCC, k-nomial reduce-scatter";

}  // namespace tutti::sources
