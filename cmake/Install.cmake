# Program, libraries, headers, pkg-config files, CMake package, documents. Components: runtime; arrays, the shared library of
# array primitives, which needs nothing of runtime; development for what compilers need; and cuda, the module, which makes
# GPUs usable for both.
include(CMakePackageConfigHelpers)

# libgpufilter_io finds libgpufilter beside itself, wherever the prefix is, and in the build tree.
if(TARGET gpufilter_io)
  set_target_properties(gpufilter_io PROPERTIES INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
endif()

# gf_install_library(EXPORT COMPONENT target...): each export is a file of its own, which asks for what its targets link.
set(gf_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gpufilter)
function(gf_install_library export component)
  if(TARGET ${ARGV2})
    install(TARGETS ${ARGN} EXPORT ${export}
            LIBRARY COMPONENT ${component} NAMELINK_COMPONENT development
            ARCHIVE COMPONENT development)
    install(EXPORT ${export} NAMESPACE gpufilter:: DESTINATION ${gf_cmake_dir} COMPONENT development)
  endif()
endfunction()
gf_install_library(gpufilter-shared-targets runtime gpufilter gpufilter_io)
gf_install_library(gpufilter-static-targets runtime gpufilter_static)
gf_install_library(gpufilter-io-static-targets runtime gpufilter_io_static)
gf_install_library(gpufilter-arrays-shared-targets arrays gpufilter_arrays)
gf_install_library(gpufilter-arrays-static-targets arrays gpufilter_arrays_static)

install(TARGETS gpufilter_cli RUNTIME COMPONENT runtime)
if(GPUFILTER_HAVE_CUDA AND NOT GPUFILTER_LINKED_CUDA)
  install(TARGETS gpufilter_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cuda)
endif()
if(GPUFILTER_HAVE_VENDOR)
  install(TARGETS gpufilter_vendor LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT arrays)
endif()
foreach(layer kernels filters pipeline)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}/include/gpufilter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          COMPONENT development)
endforeach()

# Before 1.0 a minor version may break programs: 0.1 and 0.1.0 find 0.1.0; 0.0, 0.1.1 and 0.2 do not.
set(gf_compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(gf_compatibility SameMinorVersion)
endif()
configure_package_config_file(cmake/gpufilter-config.cmake.in gpufilter-config.cmake
                              INSTALL_DESTINATION ${gf_cmake_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(gpufilter-config-version.cmake COMPATIBILITY ${gf_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/gpufilter-config.cmake ${PROJECT_BINARY_DIR}/gpufilter-config-version.cmake
              cmake/GpufilterPictureTest.cmake
        DESTINATION ${gf_cmake_dir} COMPONENT development)

# What a static link needs beside the archives. Not as Requires.private: pkg-config would ask for the packages of those
# libraries from users of the shared ones too.
set(gf_pc_io_private "-lpng -lz")
if(GPUFILTER_HAVE_JPEG)
  string(APPEND gf_pc_io_private " -ljpeg")
endif()
if(GPUFILTER_HAVE_FLAC)
  string(APPEND gf_pc_io_private " -lFLAC")
endif()
if(GPUFILTER_HAVE_TIFF)
  string(APPEND gf_pc_io_private " -ltiff")
endif()
if(GPUFILTER_HAVE_WEBP)
  string(APPEND gf_pc_io_private " -lwebpmux -lwebpdemux -lwebp")
endif()
if(GPUFILTER_HAVE_GIF)
  string(APPEND gf_pc_io_private " -lgif")
endif()
if(GPUFILTER_HAVE_ISAL)
  string(APPEND gf_pc_io_private " -lisal")
endif()
set(gf_pc_private "-lm -lpthread")
if(GPUFILTER_LINKED_CUDA AND NOT GPUFILTER_CUDA STREQUAL "EMU")
  string(APPEND gf_pc_private " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt")
endif()
# Where there is nothing but the static library, everybody links it, also without --static.
set(gf_pc_public "")
set(gf_pc_io_public "")
if(NOT TARGET gpufilter)
  set(gf_pc_public " ${gf_pc_private}")
  set(gf_pc_io_public " ${gf_pc_io_private}")
endif()

# The .pc files find their prefix from where they lie, so an installed tree can be moved. An absolute
# library or include folder stands as it is.
set(gf_pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH gf_pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" gf_pc_up ${gf_pc_up})
  set(gf_pc_prefix "\${pcfiledir}/${gf_pc_up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
  set(gf_pc_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(gf_pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
set(gf_pc_names gpufilter gpufilter_io)
if(GPUFILTER_ARRAYS)
  list(APPEND gf_pc_names gpufilter_arrays)
endif()
foreach(name IN LISTS gf_pc_names)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

# Documents lie as in the sources, so that their links hold.
set(gf_doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/gpufilter)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${gf_doc_dir} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${gf_doc_dir} COMPONENT runtime PATTERN man EXCLUDE)
# Sources are not installed: where a page leads to a kernel, the name of its file takes the place of the link.
install(CODE "set(gf_pages \"${gf_doc_dir}/docs/primitives\")" COMPONENT runtime)
install(
  CODE [=[
    file(GLOB pages "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${gf_pages}/*.md")
    foreach(page IN LISTS pages)
      file(READ "${page}" text)
      string(REGEX REPLACE "\\[([^]]*)\\]\\(\\.\\./\\.\\./(kernels/[^)]*)\\)" "\\1 (\\2)" text "${text}")
      file(WRITE "${page}" "${text}")
    endforeach()]=]
  COMPONENT runtime)
install(FILES samples/sample.png DESTINATION ${gf_doc_dir}/samples COMPONENT runtime)
install(DIRECTORY samples DESTINATION ${gf_doc_dir} COMPONENT development
        PATTERN sample.png EXCLUDE PATTERN samples/CMakeLists.txt EXCLUDE)

install(FILES docs/man/gpufilter.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(FILES docs/man/gpufilter-stages.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT runtime)

# Completion is printed by the program, which a build for another machine cannot run.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "gpufilter: cross compiling without an emulator: no completion files")
else()
  set(gf_file_bash bash-completion/completions/gpufilter)
  set(gf_file_zsh zsh/site-functions/_gpufilter)
  set(gf_file_fish fish/vendor_completions.d/gpufilter.fish)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
    set(gf_file_zsh zsh/vendor-completions/_gpufilter) # where Debian's zsh looks for those of packages
  endif()
  foreach(shell bash zsh fish)
    set(made ${PROJECT_BINARY_DIR}/completion/${gf_file_${shell}})
    get_filename_component(folder ${made} DIRECTORY)
    add_custom_command(OUTPUT ${made} DEPENDS gpufilter_cli VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                       COMMAND gpufilter_cli completion ${shell} > ${made})
    list(APPEND gf_completions ${made})
    get_filename_component(folder ${CMAKE_INSTALL_DATAROOTDIR}/${gf_file_${shell}} DIRECTORY)
    install(FILES ${made} DESTINATION ${folder} COMPONENT runtime)
  endforeach()
  add_custom_target(gpufilter_completion ALL DEPENDS ${gf_completions})
endif()
