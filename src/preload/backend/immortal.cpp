/// Nothing of ours is destroyed before the process ends.
///
/// Programs call MPI, MPI_Finalize included, in destructors of global objects and from atexit handlers.  The backend is
/// loaded at their first MPI call: objects that it registered after that would be destroyed before.  So nothing is
/// registered: every static object of the backend, and of the standard library in it, calls this function, which
/// replaces the C library's inside the backend only (backend.map hides it from others).
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }  // NOLINT(bugprone-reserved-identifier)
