#include "record/sites.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstring>
#include <string_view>

#include "record/book.hpp"

namespace tutti::record {

namespace {

/// Libraries that stand between a Fortran program and MPI's C functions; as in src/preload/loader/callers.c.
bool is_fortran_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view prefix : {"libmpi_mpifh", "libmpi_usempi", "libmpifort", "libmpichfort", "libfmpich"})
    if (name.starts_with(prefix)) return true;
  return false;
}

bool in_fortran_library(const void* address) {
  Dl_info object;
  return dladdr(address, &object) && object.dli_fname && is_fortran_library(object.dli_fname);
}

struct Walk {
  const void* caller = nullptr;  ///< an address in a Fortran library
  bool met = false;
  const void* const* slot = nullptr;  ///< where the return address into the program lies
};

/// Up the stack: past the caller, to the first frame of another object.
_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const auto address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  walk.met = walk.met || address == walk.caller;
  if (!walk.met || in_fortran_library(address)) return _URC_NO_REASON;
  const auto* const slot = reinterpret_cast<const void* const*>(_Unwind_GetCFA(context)) - 1;
  if (*slot == address) walk.slot = slot;  // it does where calls push what they return to (x86)
  return _URC_END_OF_STACK;
}

}  // namespace

Sites::Known Sites::learn(const void* caller, const void* frame) {
  if (in_fortran_library(caller)) {
    Walk walk{caller};
    _Unwind_Backtrace(step, &walk);
    const auto* const slot = reinterpret_cast<const char*>(walk.slot);
    const auto above = slot - static_cast<const char*>(frame);
    constexpr std::ptrdiff_t far = 1 << 16;
    if (slot && above > 0 && above < far) return {caller, 0, static_cast<std::int32_t>(above)};
  }
  return {caller, number_of(caller), 0};
}

std::uint32_t Sites::number_of(const void* address) {
  if (sites_.size() >= most) return nowhere;
  Site site{reinterpret_cast<std::uint64_t>(address), 0, "", ""};
  Dl_info object;
  // The call is in front of the address that it returns to, which may belong to the next function.
  if (dladdr(static_cast<const char*>(address) - 1, &object)) {
    site.base = reinterpret_cast<std::uint64_t>(object.dli_fbase);
    site.object = object.dli_fname ? object.dli_fname : "";
    site.symbol = object.dli_sname ? object.dli_sname : "";
  }
  sites_.push_back(std::move(site));
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

std::uint32_t Sites::of(const void* caller, const void* frame) {
  const auto hash = reinterpret_cast<std::uintptr_t>(caller) * 0x9E3779B97F4A7C15u;
  Known& recent = recent_[hash >> 55];
  if (recent.caller != caller) {
    auto found = known_.find(caller);
    if (found == known_.end()) found = known_.emplace(caller, learn(caller, frame)).first;
    recent = found->second;
  }
  if (recent.above == 0) return recent.site;
  const void* outer = nullptr;
  std::memcpy(&outer, static_cast<const char*>(frame) + recent.above, sizeof outer);
  // Known as a site of its own: a Fortran library's caller is in none.
  auto found = known_.find(outer);
  if (found == known_.end()) found = known_.emplace(outer, Known{outer, number_of(outer), 0}).first;
  return found->second.site;
}

}  // namespace tutti::record
