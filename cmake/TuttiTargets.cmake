# One static library a folder of src/, so that the link line says who may include whom.

# tutti_precompiled(target): compiles with the standard library's headers already parsed; for libraries, since all are
# position-independent code and share one such file.
option(TUTTI_PRECOMPILE "parse the standard library's headers once" ON)
if(TUTTI_PRECOMPILE)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")  # written where it is not there, not again
  add_library(tutti_precompiled STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(tutti_precompiled PRIVATE tutti_warnings)
  target_precompile_headers(tutti_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
endif()
function(tutti_precompiled target)
  if(TUTTI_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM tutti_precompiled)
  endif()
endfunction()

# tutti_component(core DEPENDS ...): every .cpp of the folder, as tutti_<folder>; LIBRARIES are private to it.  Includes are "folder/file.hpp".
function(tutti_component folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(kind PUBLIC)
  if(sources)
    add_library(tutti_${folder} STATIC ${sources})
    target_link_libraries(tutti_${folder} PRIVATE tutti_warnings ${arg_LIBRARIES})
    tutti_precompiled(tutti_${folder})
  else()
    add_library(tutti_${folder} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(tutti_${folder} ${kind} ${PROJECT_SOURCE_DIR}/src)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(tutti_${folder} ${kind} tutti_${dependency})
  endforeach()
endfunction()

# Programs are compiled otherwise than libraries: they share the first one's file, which has doctest as well.
function(tutti_precompiled_test target)
  get_property(first GLOBAL PROPERTY tutti_first_test)
  if(first AND TUTTI_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${first})
  elseif(TUTTI_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp <doctest/doctest.h>)
    set_property(GLOBAL PROPERTY tutti_first_test ${target})
  endif()
endfunction()

# What users get: `make demo`, and pip, build no more.
add_custom_target(product)

# tutti_unit_tests(core): tests/<folder>/*_test.cpp as one doctest program, registered with ctest.  The target
# unit_tests makes them all.
add_custom_target(unit_tests)
function(tutti_unit_tests folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cpp)
  if(NOT sources OR NOT TARGET tutti_${folder})
    return()
  endif()
  add_executable(${folder}_test ${sources})
  target_link_libraries(${folder}_test PRIVATE tutti_${folder} tutti_doctest tutti_warnings ${ARGN})
  tutti_precompiled_test(${folder}_test)
  add_test(NAME unit.${folder} COMMAND ${folder}_test)
  add_dependencies(unit_tests ${folder}_test)
endfunction()
