# For programs that link with tutti: pkg-config's and CMake's descriptions, beside what they describe.
include(CMakePackageConfigHelpers)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tutti.pc.in ${CMAKE_BINARY_DIR}/tutti.pc @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tutti.pc DESTINATION tutti/lib/pkgconfig COMPONENT package)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/tuttiConfig.cmake ${CMAKE_BINARY_DIR}/tuttiConfigVersion.cmake
  DESTINATION tutti/lib/cmake/tutti COMPONENT package)
