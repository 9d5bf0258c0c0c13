# Build settings, in one place.
option(TUTTI_TESTS "build the tests" ON)
option(TUTTI_BENCHMARKS "build the micro-benchmarks, on Google Benchmark" OFF)
option(TUTTI_WERROR "warnings are errors" ON)
set(TUTTI_SANITIZE "" CACHE STRING "sanitizers for the folders without MPI: address;undefined or thread")
set(TUTTI_MPICC "" CACHE FILEPATH "the site's own MPI compiler wrapper: build its backend alone, download nothing")
set(TUTTI_BUILD_ROOT ${CMAKE_CURRENT_SOURCE_DIR}/build CACHE PATH "where fetched libraries and MPIs lie")

add_library(tutti_warnings INTERFACE)
target_compile_options(tutti_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
  $<$<BOOL:${TUTTI_WERROR}>:-Werror>)
# g++ 12 sees overlapping or endless copies in `"text" + std::string` (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tutti_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds)
endif()
# No fused multiply-add: kernel variants for different instruction sets must be bit-equal.
target_compile_options(tutti_warnings INTERFACE -ffp-contract=off)
if(TUTTI_SANITIZE)
  list(JOIN TUTTI_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  # g++ loses track of what is set among the checks that it adds: it warns of the whole of <regex>.
  target_compile_options(tutti_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
