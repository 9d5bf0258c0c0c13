/// Simulated ranks share no memory: the engine of a node sends messages (src/smpi).  It takes no memory that others
/// would miss, so that none is kept for the next communicator.
#include "runtime/communicator/engine.hpp"

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "smpi/group_over_messages.hpp"

namespace tutti::runtime {

Engine::~Engine() = default;

std::unique_ptr<Engine> make_engine(const Mates& mates, std::string&) {
  MPI_Comm own = MPI_COMM_NULL;
  require(pmpi.Comm_split(mates.comm, 0, mates.rank, &own), "PMPI_Comm_split");
  pmpi.Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  auto engine = std::make_unique<Engine>(mates.rank, mates.size);
  engine->comm = mates.comm;
  engine->group = group_over_messages(own, mates.rank, mates.size);
  return engine;
}

std::unique_ptr<Engine> idle_engine(int, int) { return nullptr; }
void put_idle(std::unique_ptr<Engine>) noexcept {}
void drop_idle_engines() noexcept {}

}  // namespace tutti::runtime
