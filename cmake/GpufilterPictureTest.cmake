# gpufilter_add_picture_test(NAME PICTURE GOLDEN [COMMAND word...] [OPTIONS word...])
#
# Adds the test NAME, which compares PICTURE, of the build, with GOLDEN, of the sources, by `gpufilter compare` with these
# OPTIONS, and draws what differs as NAME_diff.png. COMMAND makes PICTURE: a test NAME_make of its own, without which NAME
# does not run. Relative paths are below the build's and the sources' current folders. With GOLDEN of the form
# FILE.hashes no picture is kept: the file has a line for the picture's hash.
#
# The target update-goldens makes all golden pictures and hashes anew; NAME_update only this one.
function(gpufilter_add_picture_test name picture golden)
  cmake_parse_arguments(PARSE_ARGV 3 T "" "" "COMMAND;OPTIONS")
  if(T_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpufilter_add_picture_test(${name}): knows COMMAND and OPTIONS, and '${T_UNPARSED_ARGUMENTS}' is neither")
  endif()
  cmake_path(ABSOLUTE_PATH picture BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  cmake_path(ABSOLUTE_PATH golden BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${golden})
    message(WARNING "${golden} is missing; this makes it: cmake --build ${CMAKE_BINARY_DIR} --target ${name}_update")
  endif()
  if(golden MATCHES "\\.hashes$")
    set(compare ${picture} --expect ${golden})
    set(update $<TARGET_FILE:gpufilter::program> compare ${picture} --expect ${golden} --update)
  else()
    set(compare ${golden} ${picture} --diff ${CMAKE_CURRENT_BINARY_DIR}/${name}_diff.png)
    set(update ${CMAKE_COMMAND} -E copy ${picture} ${golden})
  endif()
  add_test(NAME ${name} COMMAND gpufilter::program compare ${compare} ${T_OPTIONS})
  set(make "")
  if(T_COMMAND)
    add_test(NAME ${name}_make COMMAND ${T_COMMAND})
    set_tests_properties(${name}_make PROPERTIES FIXTURES_SETUP ${name})
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name})
    set(make COMMAND ${T_COMMAND})
  endif()
  add_custom_target(${name}_update ${make} COMMAND ${update} VERBATIM)
  if(NOT TARGET update-goldens)
    add_custom_target(update-goldens)
  endif()
  add_dependencies(update-goldens ${name}_update)
endfunction()
