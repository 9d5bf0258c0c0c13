#include "runtime/hierarchy/hierarchy.hpp"

#include <utility>

#include "runtime/communicator/agreement.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// A communicator of part of the ranks, for a while.
class Part {
 public:
  Part(MPI_Comm all, int color, int key) { require(pmpi.Comm_split(all, color, key, &comm_), "PMPI_Comm_split"); }
  ~Part() { pmpi.Comm_free(&comm_); }
  Part(const Part&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

PrivateComm lane_of(const PrivateComm& messages, const Nodes& nodes, int node) {
  PrivateComm lane;
  lane.comm = messages.comm, lane.me = node, lane.size = nodes.count();
  lane.tag_limit = messages.tag_limit, lane.window = messages.window, lane.polls = messages.polls;
  lane.fenced = messages.fenced, lane.instructions = messages.instructions, lane.suspend = messages.suspend;
  return lane;
}

}  // namespace

Hierarchy::Hierarchy(Nodes places, Rank me, PrivateComm& wire)
    : nodes(std::move(places)),
      node(nodes.node_of(me)),
      member(nodes.member_of(me)),
      messages(wire),
      lane(lane_of(wire, nodes, node)) {}

Hierarchy::~Hierarchy() {
  if (finalizing()) return;
  put_idle(std::move(engine));
  for (auto& [senders, comm] : communicators_)
    if (comm != MPI_COMM_NULL) pmpi.Comm_free(&comm);
}

const Formation& Hierarchy::formation(int senders) {
  return formations_.try_emplace(senders, nodes, senders).first->second;
}

MPI_Comm Hierarchy::lane_communicator(MPI_Comm all, int senders) {
  if (const auto known = communicators_.find(senders); known != communicators_.end()) return known->second;
  const Formation& crews = formation(senders);
  const int crew = crews.crew_of(node, member);
  const bool leads = crews.first_member(node, crew) == member;
  MPI_Comm made = MPI_COMM_NULL;
  require(pmpi.Comm_split(all, leads ? crew : MPI_UNDEFINED, node, &made), "PMPI_Comm_split");
  communicators_[senders] = made;
  return made;
}

std::unique_ptr<Hierarchy> make_hierarchy(const Mates& all, PrivateComm& messages, std::string& why) {
  Agreement ranks(all.comm, all.rank, all.size, "set up shared memory in each node");
  std::vector<std::uint64_t> identities(static_cast<std::size_t>(all.size));
  ranks.gather(node_identity(), identities);
  auto hierarchy = std::make_unique<Hierarchy>(Nodes(identities), all.rank, messages);
  const Nodes& nodes = hierarchy->nodes;
  {
    const Part mates(messages.comm, hierarchy->node, all.rank);
    hierarchy->engine =
        make_engine({mates.get(), hierarchy->member, nodes.size(hierarchy->node), all.settings, all.suspend}, why);
    if (hierarchy->engine) hierarchy->engine->comm = messages.comm;
  }
  if (!ranks.all(hierarchy->engine != nullptr)) {
    if (why.empty()) why = "the ranks of another node could not";
    return nullptr;
  }
  hierarchy->engine->instructions = messages.instructions;
  return hierarchy;
}

}  // namespace tutti::runtime
