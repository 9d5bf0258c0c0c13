#pragma once
/// A thread that moves calls under way while the program computes, or waits in a call of the MPI that does not know of
/// them (MPI_Recv, MPI_Comm_split).  Without it a rank that waits for such a call could wait for ever, where the MPI's
/// own collectives go on.  It makes no MPI call; where the program moves its calls itself it does nothing.  It ends
/// once nothing has been under way for a while, so that a process has no more threads than it made.
namespace tutti::runtime::ticker {

/// Something is under way: makes the thread where there is none.  Where that is refused there will be none.
void wake();
/// Ends the thread, and waits for it.  None is made any more.
void stop() noexcept;

}  // namespace tutti::runtime::ticker
