#pragma once
/// What a wait does where it must not block: gives control back, and returns when it is to look again.

namespace tutti {

/// `call` may return at any time, whether or not anything has changed.  None: waits block, by a policy of their own.
struct Suspend {
  void (*call)(void* context) = nullptr;
  void* context = nullptr;

  explicit operator bool() const { return call != nullptr; }
  void operator()() const { call(context); }
};

}  // namespace tutti
