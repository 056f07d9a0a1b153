# find_package(sxtrace): the targets sxtrace::sxtrace (shared) and sxtrace::sxtrace_static, and sxtrace_relative_paths().
include(${CMAKE_CURRENT_LIST_DIR}/sxtraceTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/sxtracePaths.cmake)
