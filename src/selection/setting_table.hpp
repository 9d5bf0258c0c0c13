#pragma once
/// The table of variables: each row documents one, reads its value and writes it.
#include <span>
#include <stdexcept>
#include <string>

#include "selection/settings.hpp"

namespace tutti {

/// Why a value cannot be used; what() follows "TUTTI_X=value is ignored: ".
class UnusableValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SettingRow {
  SettingInfo info;
  /// Puts the value into the settings.  Throws UnusableValue.
  void (*read)(const SettingRow& row, const std::string& value, Settings& settings);
  /// The value as a user would write it; empty where there is none.
  std::string (*write)(const SettingRow& row, const Settings& settings);
  Collective collective = Collective::barrier;  ///< of TUTTI_<COLLECTIVE>, and of TUTTI_I<COLLECTIVE>
  int least = 0, most = 0;                      ///< of whole numbers
};

std::span<const SettingRow> setting_table();
/// The row of that variable, or null.
const SettingRow* find_setting(std::string_view variable);

}  // namespace tutti
