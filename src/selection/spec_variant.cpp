#include "selection/spec_variant.hpp"

#include "shm/variants/variants.hpp"

namespace tutti {

Spec::Option variant_option(const SpecItem& item, Collective collective) {
  const SpecPhrase& named = item.value;
  if (is_variant(collective, named.word) && named.items.empty()) return {"variant", 0, false, named.word, {}};
  std::vector<std::string_view> valid;
  for (const shm::VariantRow& row : shm::variants())
    if (row.serves(collective)) valid.push_back(row.name);
  throw SpecError("unknown variant " + quoted(named.word) + " of " + std::string(name(collective)), named.column,
                  suggestion(named.word, valid));
}

bool is_variant(Collective collective, std::string_view word) { return shm::find_variant(collective, word) != nullptr; }

void refuse_beside_variant(const Spec& spec, std::size_t column) {
  if (!spec.option("variant")) return;
  if (!spec.arguments.empty())
    throw SpecError("'variant' is of ranks that share one node", column, "leave the algorithm out");
  if (spec.option("copy") || spec.option("single_copy"))
    throw SpecError("'variant' says how data is copied", column, "leave 'copy' and 'single_copy' out");
}

}  // namespace tutti
