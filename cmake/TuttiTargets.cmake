# One static library a folder of src/, so that the link line says who may include whom.

# tutti_component(core DEPENDS ...): every .cpp of the folder, as tutti_<folder>; LIBRARIES are private to it.  Includes are "folder/file.hpp".
function(tutti_component folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(kind PUBLIC)
  if(sources)
    add_library(tutti_${folder} STATIC ${sources})
    target_link_libraries(tutti_${folder} PRIVATE tutti_warnings ${arg_LIBRARIES})
  else()
    add_library(tutti_${folder} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(tutti_${folder} ${kind} ${PROJECT_SOURCE_DIR}/src)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(tutti_${folder} ${kind} tutti_${dependency})
  endforeach()
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
  add_test(NAME unit.${folder} COMMAND ${folder}_test)
  add_dependencies(unit_tests ${folder}_test)
endfunction()
