#pragma once
/// Whether this is a sanitized build, which looks for wrong addresses, not for wrong schedules: an eighth of the speed,
/// so exhaustive cases take fewer ranks there.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
