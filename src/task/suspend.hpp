#pragma once
/// Replaces a blocking wait: `call` gives control back, and returns when the wait is to test its condition again.

namespace tutti {

/// `call` may return at any time, whether or not anything has changed.  None: waits block.
struct Suspend {
  void (*call)(void* context) = nullptr;
  void* context = nullptr;

  explicit operator bool() const { return call != nullptr; }
  void operator()() const { call(context); }
};

}  // namespace tutti
