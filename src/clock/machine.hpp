#pragma once
/// Whose clocks are one.
#include <string>

namespace tutti {

/// The same text for processes whose kernel's clocks are one: of one boot, in one time namespace.
std::string kernel_clock_identity();

}  // namespace tutti
