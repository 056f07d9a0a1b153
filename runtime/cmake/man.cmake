# Man pages, made from the headers' comments: sxtrace(3) with a link for each function, sxtrace_c(3), sxtrace_cpp(3).
find_program(SXTRACE_AWK awk)
if(NOT SXTRACE_AWK)
  message(STATUS "sxtrace: no awk, so no man pages")
  return()
endif()

set(man_folder ${CMAKE_CURRENT_BINARY_DIR}/man)
file(REMOVE_RECURSE ${man_folder})
file(MAKE_DIRECTORY ${man_folder})

function(sx_make_man_page page header summary see)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/include/sx/${header})
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/man.awk)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source} ${script})
  set(arguments -f ${script} -v page=${page} -v section=3 -v "summary=${summary}" -v "see=${see}")
  execute_process(COMMAND ${SXTRACE_AWK} ${arguments} ${source}
    OUTPUT_FILE ${man_folder}/${page}.3 COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${SXTRACE_AWK} -v links=1 ${arguments} ${source}
    OUTPUT_VARIABLE functions COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[a-z_]+" functions "${functions}")
  foreach(function IN LISTS functions)
    file(WRITE ${man_folder}/${function}.3 ".so man3/${page}.3\n")
  endforeach()
endfunction()

sx_make_man_page(sxtrace trace.h "error return traces" ".BR sxtrace_c (3),\n.BR sxtrace_cpp (3)")
sx_make_man_page(sxtrace_c trace_c.h "error return traces in C programs" ".BR sxtrace (3)")
sx_make_man_page(sxtrace_cpp trace.hpp "error return traces in C++ programs" ".BR sxtrace (3)")
install(DIRECTORY ${man_folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
