#include "bindings.hpp"

NB_MODULE(_core, module) {
  using namespace tutti::bindings;
  module.doc() =
      "The parts of tutti that need no MPI: catalogue, verifier, specs, settings, choice, domains.\n\n"
      "Collectives are named as in MPI, lower case, without the prefix ('allreduce').  Sizes are bytes as users know\n"
      "them: per peer where the call's blocks are per peer.  Texts that are wrong raise ValueError with one sentence.";
  add_catalogue(module);
  add_contract(module);
  add_study(module);
  add_timeline(module);
  add_simulation(module);
  add_goal(module);
  add_spec(module);
  add_settings(module);
  add_choice(module);
  add_models(module);
  add_node(module);
  add_messages(module);
  add_symbols(module);
}
