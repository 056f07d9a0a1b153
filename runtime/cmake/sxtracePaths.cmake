# sxtrace_relative_paths(TARGET [FOLDER]): frames of the target show paths relative to FOLDER, by default the
# top folder of the project that calls. (CMake hands the compiler absolute paths, of which frames show the
# file's name only.)
function(sxtrace_relative_paths target)
  set(folder ${PROJECT_SOURCE_DIR})
  if(ARGC GREATER 1)
    set(folder ${ARGV1})
  endif()
  target_compile_options(${target} PRIVATE -fmacro-prefix-map=${folder}/=)
endfunction()
