# Installed: both libraries, the headers, a CMake package, a pkg-config file, and man pages; and the same as a Debian
# package (`cpack -G DEB`). All of it can be moved: nothing holds an absolute path.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sxtrace)

install(TARGETS sxtrace sxtrace_static EXPORT sxtraceTargets)
install(DIRECTORY include/sx TYPE INCLUDE)
install(EXPORT sxtraceTargets NAMESPACE sxtrace:: DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sxtraceConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES cmake/sxtraceConfig.cmake cmake/sxtracePaths.cmake ${CMAKE_CURRENT_BINARY_DIR}/sxtraceConfigVersion.cmake
        DESTINATION ${package_folder})

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sxtrace.pc.in sxtrace.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sxtrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME libsxtrace)
  set(CPACK_PACKAGE_VENDOR "The sx project")
  set(CPACK_PACKAGE_CONTACT "The sx project <sx@localhost>")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
  install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/../LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsxtrace
          RENAME copyright OPTIONAL)
  include(CPack)
endif()
