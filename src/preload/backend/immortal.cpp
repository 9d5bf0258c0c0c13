/// Nothing of ours is destroyed before the process ends.
///
/// Programs call MPI, MPI_Finalize included, in destructors of global objects and in what they gave to atexit.  The
/// backend is loaded at their first MPI call: whatever it registered after that would be destroyed before.  So nothing
/// is registered: every static object of the backend, of the standard library in it as well, asks this function, which
/// takes the place of the C library's inside the backend alone (backend.map keeps it from others).
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }  // NOLINT(bugprone-reserved-identifier)
