#pragma once
/// A collective as a subject: its arguments, what its buffers hold before and what they must hold after.
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "bench/backend/invoke.hpp"
#include "bench/backend/subject.hpp"
#include "bench/contents.hpp"
#include "bench/options.hpp"

namespace tutti::bench {

/// What a case's elements are, and how they are combined, as handles of MPI.  Those made here are freed.
class Kinds {
 public:
  Kinds(Element element, Operator op);
  ~Kinds();
  Kinds(const Kinds&) = delete;
  Kinds& operator=(const Kinds&) = delete;

  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_SUM;

 private:
  bool own_type_, own_op_;
};

/// Bytes (MPI_BYTE) where the call moves data, floats and MPI_SUM where it reduces, unless the options say otherwise;
/// the size rounded down to whole elements, but at least one.  The v-forms get equal counts.  Which form is called,
/// those who derive from it say.
class Call : public Subject {
 public:
  std::int64_t send_bytes() const override { return send_elements_ * extent_of(element_); }
  std::int64_t receive_bytes() const override { return receive_elements_ * extent_of(element_); }
  bool batches() const override { return synchronising(collective_); }
  bool spoils_input() const override { return in_place_ || rotating_root_; }

  void fill(Buffers buffers, std::int64_t contents) const override;
  bool right(Buffers buffers, std::int64_t contents) const override;
  std::optional<ExitCall> exit_call(std::int64_t contents) const override;

 protected:
  Call(const Case& what, const Options& options, MPI_Comm comm);

  template <typename Way>
  void invoke(const Functions& mpi, Buffers buffers, std::int64_t contents, Way way) {
    arguments_.root = root_of(contents);
    invoker<Way>(collective_)(mpi, arguments_, in_place_ ? placed(buffers) : buffers, way);
  }

 private:
  /// Whether no rank can leave before all have entered, so that calls back to back cannot run ahead of each other.
  static bool synchronising(Collective which);
  int root_of(std::int64_t contents) const;
  void shape();
  Buffers placed(Buffers buffers) const;
  std::byte* input(Buffers buffers, int root) const;
  bool result_is_right(const void* output, std::int64_t contents) const;

  Collective collective_;
  Element element_;
  Kinds kinds_;
  Arguments arguments_;
  int rank_ = 0, size_ = 1, root_;
  bool rotating_root_, in_place_;
  std::int64_t send_elements_ = 0, receive_elements_ = 0;
  Contents contribution_, combined_;
};

class BlockingCall : public Call {
 public:
  BlockingCall(const Case& what, const Options& options, MPI_Comm comm) : Call(what, options, comm) {}
  void operator()(const Functions& mpi, Buffers buffers, std::int64_t contents) override {
    invoke(mpi, buffers, contents, Blocking{});
  }
};

class NonblockingCall : public Call {
 public:
  NonblockingCall(const Case& what, const Options& options, MPI_Comm comm) : Call(what, options, comm) {}
  bool overlaps() const override { return true; }
  /// Beside a call with computation in it, which is one call, stands the time of one.
  bool batches() const override { return false; }
  void begin(const Functions& mpi, Buffers buffers, std::int64_t contents) override {
    invoke(mpi, buffers, contents, Nonblocking{&request_});
  }
  void end(const Functions& mpi) override { mpi.Wait(&request_, MPI_STATUS_IGNORE); }
  void operator()(const Functions& mpi, Buffers buffers, std::int64_t contents) override {
    begin(mpi, buffers, contents);
    end(mpi);
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A request for each variant and set of buffers, made before anything is timed.
class PersistentCall : public Call {
 public:
  PersistentCall(const Case& what, const Options& options, MPI_Comm comm) : Call(what, options, comm) {}
  ~PersistentCall() override;
  void prepare(const Functions& mpi, Buffers buffers) override;
  void operator()(const Functions& mpi, Buffers buffers, std::int64_t) override {
    MPI_Request* const request = &made_[static_cast<std::size_t>(buffers.slot)].request;
    mpi.Start(request);
    mpi.Wait(request, MPI_STATUS_IGNORE);
  }

 private:
  struct Made {
    const Functions* mpi = nullptr;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::vector<Made> made_;  ///< by slot
};

}  // namespace tutti::bench
