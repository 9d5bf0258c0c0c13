/// Plants mistakes in every algorithm and prints which the verifier found: seeded_faults [EACH [SEED]].
/// Status 0 if it found 99 of 100, and the others change nothing.
#include <cstdio>
#include <cstdlib>

#include "seeding.hpp"

using namespace tutti::faults;

int main(int count, char** words) {
  Seeding seeding{.each = 40};
  if (count > 1) seeding.each = std::atoi(words[1]);
  if (count > 2) seeding.seed = static_cast<std::uint32_t>(std::atoi(words[2]));
  const Harvest harvest = sow(seeding);

  std::printf("%-48s %10s %8s %8s %10s\n", "mistake", "algorithms", "planted", "caught", "survived");
  for (const Tally& tally : harvest.tallies)
    std::printf("%-48s %10d %8d %8d %10d\n", std::string(tally.mistake).c_str(), tally.algorithms, tally.planted,
                tally.caught, tally.planted - tally.caught);
  bool harmless = true;
  for (const Survivor& survivor : harvest.survivors) {
    std::printf("\n%s survived: %s\n  %s: %s\n", std::string(survivor.mistake).c_str(), survivor.where.c_str(),
                survivor.harmless ? "changes nothing" : "WRONG", survivor.reason.c_str());
    harmless = harmless && survivor.harmless;
  }
  const double share = 100.0 * harvest.caught() / std::max(1, harvest.planted());
  std::printf("\n%zu kinds, %d planted, %d caught: %.2f %%; %zu survived\n", harvest.tallies.size(), harvest.planted(),
              harvest.caught(), share, harvest.survivors.size());
  return share >= 99 && harmless ? 0 : 1;
}
