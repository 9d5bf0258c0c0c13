# find_package(tutti) gives the target tutti::tutti: libtutti.so and its headers.  tutti/shared.h needs an MPI besides:
# find_package(MPI) and MPI::MPI_C or MPI::MPI_CXX, or the MPI's compiler wrapper.
get_filename_component(tutti_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET tutti::tutti)
  add_library(tutti::tutti SHARED IMPORTED)
  set_target_properties(tutti::tutti PROPERTIES
    IMPORTED_LOCATION "${tutti_prefix}/lib/libtutti.so"
    IMPORTED_SONAME libtutti.so
    INTERFACE_INCLUDE_DIRECTORIES "${tutti_prefix}/include")
endif()
unset(tutti_prefix)
