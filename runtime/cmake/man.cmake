# Man pages, made from the headers' comments: sxtrace(3) with a link for each function, sxtrace_c(3), sxtrace_cpp(3).
find_program(SXTRACE_AWK awk)
if(NOT SXTRACE_AWK)
  message(STATUS "sxtrace: no awk, so no man pages")
  return()
endif()

set(man_folder ${CMAKE_CURRENT_BINARY_DIR}/man)
file(REMOVE_RECURSE ${man_folder})
file(MAKE_DIRECTORY ${man_folder})

function(sx_make_man_page page summary see)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/include/sx/ OUTPUT_VARIABLE sources)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/man.awk)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${script})
  set(arguments -f ${script} -v page=${page} -v section=3 -v "summary=${summary}" -v "see=${see}")
  execute_process(COMMAND ${SXTRACE_AWK} ${arguments} ${sources}
    OUTPUT_FILE ${man_folder}/${page}.3 COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${SXTRACE_AWK} -v links=1 ${arguments} ${sources}
    OUTPUT_VARIABLE functions COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[a-z_]+" functions "${functions}")
  foreach(function IN LISTS functions)
    file(WRITE ${man_folder}/${function}.3 ".so man3/${page}.3\n")
  endforeach()
endfunction()

sx_make_man_page(sxtrace "error return traces" ".BR sxtrace_c (3),\n.BR sxtrace_cpp (3)" trace.h trace_calls.h trace_in_place.h)
sx_make_man_page(sxtrace_c "error return traces in C programs" ".BR sxtrace (3)" trace_c.h)
file(GLOB parts RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/include/sx CONFIGURE_DEPENDS include/sx/trace/*.hpp)
list(REMOVE_ITEM parts trace/function_name.hpp trace/record.hpp) # they hold nothing for programs
sx_make_man_page(sxtrace_cpp "error return traces in C++ programs" ".BR sxtrace (3)" trace.hpp ${parts})
install(DIRECTORY ${man_folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
