#include "bench/backend/call.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tutti::bench {

namespace {

using enum Collective;

/// What the ranks before and with this one have contributed, where the result differs by rank.
Contents expected(Collective which, Element element, Operator op, int rank, int size) {
  if (!reduces(which) || (which == exscan && rank == 0)) return Contents::contribution(element);
  if (which == scan) return Contents::combined(element, op, 0, rank + 1);
  return Contents::combined(element, op, 0, which == exscan ? rank : size);
}

struct Shape {
  std::int64_t send, receive;  ///< elements of this rank's buffers
};

/// `one`: the call's count; `all`: that for every rank.
Shape shape_of(Collective which, std::int64_t one, std::int64_t all, bool at_root) {
  if (which == barrier) return {0, 0};
  if (which == bcast) return {0, one};
  if (which == gather || which == gatherv) return {one, at_root ? all : 0};
  if (which == scatter || which == scatterv) return {at_root ? all : 0, one};
  if (which == allgather || which == allgatherv) return {one, all};
  if (which == alltoall || which == alltoallv || which == alltoallw) return {all, all};
  if (which == reduce) return {one, at_root ? one : 0};
  if (which == reduce_scatter_block) return {all, one};
  return {one, one};
}

bool scatters(Collective which) { return contract(which).in_place == InPlace::block_in_send; }
bool collects(Collective which) { return contract(which).in_place == InPlace::block_in_receive; }

int checked_count(std::int64_t elements, int blocks) {
  constexpr std::int64_t most = 0x7fffffff;
  if (elements * blocks > most) throw std::invalid_argument("the size is more than an int counts at this many ranks");
  return static_cast<int>(elements);
}

/// At least one element, unless nothing is asked for.
std::int64_t elements_in(std::int64_t bytes, Element element) {
  return bytes == 0 ? 0 : std::max<std::int64_t>(1, bytes / size_of(element));
}

template <typename T>
void add(const void* in, void* in_out, int count) {
  for (int i = 0; i < count; ++i) static_cast<T*>(in_out)[i] += static_cast<const T*>(in)[i];
}

/// The sum, as a program's own operator.
void user_sum(void* in, void* in_out, int* count, MPI_Datatype* type) {
  if (*type == MPI_INT) add<int>(in, in_out, *count);
  if (*type == MPI_LONG) add<long>(in, in_out, *count);
  if (*type == MPI_FLOAT) add<float>(in, in_out, *count);
  if (*type == MPI_DOUBLE) add<double>(in, in_out, *count);
}

MPI_Datatype predefined(Element element) {
  if (element == Element::byte) return MPI_BYTE;
  if (element == Element::int64) return MPI_LONG;
  if (element == Element::float32) return MPI_FLOAT;
  if (element == Element::int32_at) return MPI_2INT;
  if (element == Element::float32_at) return MPI_FLOAT_INT;
  if (element == Element::float64_at) return MPI_DOUBLE_INT;
  return element == Element::float64 ? MPI_DOUBLE : MPI_INT;
}

MPI_Op predefined(Operator op) {
  if (op == Operator::prod) return MPI_PROD;
  if (op == Operator::max) return MPI_MAX;
  if (op == Operator::min) return MPI_MIN;
  if (op == Operator::band) return MPI_BAND;
  if (op == Operator::bor) return MPI_BOR;
  if (op == Operator::bxor) return MPI_BXOR;
  if (op == Operator::land) return MPI_LAND;
  if (op == Operator::lor) return MPI_LOR;
  if (op == Operator::maxloc) return MPI_MAXLOC;
  if (op == Operator::minloc) return MPI_MINLOC;
  return op == Operator::lxor ? MPI_LXOR : MPI_SUM;
}

}  // namespace

Kinds::Kinds(Element element, Operator which)
    : type(predefined(element)),
      op(predefined(which)),
      own_type_(element == Element::strided),
      own_op_(which == Operator::user || which == Operator::ordered) {
  if (own_type_) {
    PMPI_Type_create_resized(MPI_INT, 0, extent_of(element), &type);
    PMPI_Type_commit(&type);
  }
  if (own_op_) PMPI_Op_create(user_sum, which == Operator::user ? 1 : 0, &op);
}

Kinds::~Kinds() {
  if (own_type_) PMPI_Type_free(&type);
  if (own_op_) PMPI_Op_free(&op);
}

bool Call::synchronising(Collective which) { return contract(which).needs_all; }

Call::Call(const Case& what, const Options& options, MPI_Comm comm)
    : collective_(what.collective),
      element_(element_of(what, options)),
      kinds_(element_, operator_of(what, options)),
      root_(what.terms.root.value_or(options.root)),
      rotating_root_(options.rotating_root && !what.terms.root && rooted(what.collective)),
      in_place_((options.in_place || what.terms.in_place) && contract(what.collective).in_place != InPlace::never),
      contribution_(
          Contents::contribution(element_, reduces(collective_) ? operator_of(what, options) : Operator::sum)),
      combined_(contribution_) {
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &size_);
  if (root_ >= size_)
    throw std::invalid_argument("root " + std::to_string(root_) + ": there are " + std::to_string(size_) + " ranks");
  combined_ = expected(collective_, element_, operator_of(what, options), rank_, size_);
  arguments_.comm = comm;
  arguments_.type = kinds_.type;
  arguments_.op = kinds_.op;
  arguments_.count = checked_count(elements_in(what.bytes, element_), size_);
  shape();
}

int Call::root_of(std::int64_t contents) const { return rotating_root_ ? static_cast<int>(contents % size_) : root_; }

/// How many elements this rank sends and receives, and in which blocks.
void Call::shape() {
  Arguments& a = arguments_;
  const std::int64_t all = std::int64_t{a.count} * size_;
  const Shape shape = shape_of(collective_, a.count, all, rotating_root_ || rank_ == root_);
  send_elements_ = shape.send;
  receive_elements_ = shape.receive;
  a.counts.assign(size_, a.count);
  if (collective_ == reduce_scatter) {  // the size is the whole vector's; the first blocks take what is over
    for (int i = 0; i < size_; ++i) a.counts[i] = a.count / size_ + (i < a.count % size_ ? 1 : 0);
    receive_elements_ = a.counts[rank_];
  }
  if (in_place_) receive_elements_ = std::max(send_elements_, receive_elements_);
  a.displacements.resize(size_);
  std::exclusive_scan(a.counts.begin(), a.counts.end(), a.displacements.begin(), 0);
  if (collective_ == alltoallw) checked_count(all * extent_of(element_), 1);
  for (const int displacement : a.displacements) a.byte_displacements.push_back(displacement * extent_of(element_));
  a.types.assign(size_, a.type);
}

/// MPI_IN_PLACE where this collective has it.
Buffers Call::placed(Buffers buffers) const {
  if (!among(contract(collective_).in_place_on, rank_, arguments_.root)) return buffers;
  (scatters(collective_) ? buffers.receive : buffers.send) = MPI_IN_PLACE;
  return buffers;
}

/// Where this rank's own contribution lies.
std::byte* Call::input(Buffers buffers, int root) const {
  auto* const send = static_cast<std::byte*>(buffers.send);
  auto* const receive = static_cast<std::byte*>(buffers.receive);
  if (collective_ == bcast) return receive;
  if (!in_place_ || scatters(collective_) || (rooted(collective_) && rank_ != root)) return send;
  return collects(collective_) ? receive + std::int64_t{arguments_.displacements[rank_]} * extent_of(element_)
                               : receive;
}

std::optional<ExitCall> Call::exit_call(std::int64_t contents) const {
  return ExitCall{collective_, size_, root_of(contents), arguments_.count, size_of(element_), in_place_};
}

void Call::fill(Buffers buffers, std::int64_t contents) const {
  const int root = root_of(contents);
  if (collective_ == barrier || ((collective_ == bcast || scatters(collective_)) && rank_ != root)) return;
  std::byte* const own = input(buffers, root);
  if (all_to_all(collective_) || scatters(collective_)) {
    for (int peer = 0; peer < size_; ++peer)
      contribution_.fill(own + std::int64_t{arguments_.displacements[peer]} * extent_of(element_), arguments_.count,
                         phase_of(rank_, peer, contents));
    return;
  }
  const bool whole = collective_ == reduce_scatter_block;
  contribution_.fill(own, whole ? send_elements_ : arguments_.count, phase_of(rank_, 0, contents));
}

bool Call::right(Buffers buffers, std::int64_t contents) const {
  const int root = root_of(contents);
  const auto* const output = static_cast<const std::byte*>(buffers.receive);
  const int count = arguments_.count;
  if (collective_ == barrier) return true;
  if (collective_ == bcast) return contribution_.matches(output, count, phase_of(root, 0, contents));
  if (scatters(collective_))
    return (in_place_ && rank_ == root) || contribution_.matches(output, count, phase_of(root, rank_, contents));
  if (rooted(collective_) && rank_ != root) return true;
  if (reduces(collective_)) return result_is_right(output, contents);
  const int to = all_to_all(collective_) ? rank_ : 0;
  for (int from = 0; from < size_; ++from)
    if (!contribution_.matches(output + std::int64_t{arguments_.displacements[from]} * extent_of(element_), count,
                               phase_of(from, to, contents)))
      return false;
  return true;
}

bool Call::result_is_right(const void* output, std::int64_t contents) const {
  if (collective_ == exscan && rank_ == 0) return true;  // its result is undefined
  const bool scattered = collective_ == reduce_scatter || collective_ == reduce_scatter_block;
  const std::int64_t first = scattered ? arguments_.displacements[rank_] : 0;
  const std::int64_t count = collective_ == reduce_scatter ? arguments_.counts[rank_] : arguments_.count;
  return combined_.matches(output, count, phase_of(0, 0, contents) + first);
}

void PersistentCall::prepare(const Functions& mpi, Buffers buffers) {
  const auto slot = static_cast<std::size_t>(buffers.slot);
  if (made_.size() <= slot) made_.resize(slot + 1);
  made_[slot].mpi = &mpi;
  invoke(mpi, buffers, 0, Persistent{&made_[slot].request});
}

PersistentCall::~PersistentCall() {
  for (Made& each : made_)
    if (each.request != MPI_REQUEST_NULL) each.mpi->Request_free(&each.request);
}

}  // namespace tutti::bench
