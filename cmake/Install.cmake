# Program, libraries, headers, pkg-config files and CMake package.
include(CMakePackageConfigHelpers)

# libgpufilter_io finds libgpufilter beside itself, wherever the prefix is.
set_target_properties(gpufilter_io PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS gpufilter gpufilter_static gpufilter_io gpufilter_io_static EXPORT gpufilter-targets)
install(TARGETS gpufilter_cli)
if(GPUFILTER_HAVE_VENDOR)
  install(TARGETS gpufilter_vendor LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
foreach(layer kernels filters pipeline)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}/include/gpufilter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

set(gf_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gpufilter)
install(EXPORT gpufilter-targets NAMESPACE gpufilter:: DESTINATION ${gf_cmake_dir})
configure_package_config_file(cmake/gpufilter-config.cmake.in gpufilter-config.cmake
                              INSTALL_DESTINATION ${gf_cmake_dir})
write_basic_package_version_file(gpufilter-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gpufilter-config.cmake ${PROJECT_BINARY_DIR}/gpufilter-config-version.cmake
        DESTINATION ${gf_cmake_dir})

set(gf_pc_io_requires "libpng zlib")
if(GPUFILTER_HAVE_JPEG)
  string(APPEND gf_pc_io_requires " libjpeg")
endif()
# What a static link needs beside libgpufilter.a.
set(gf_pc_private "-lm -lpthread")
if(OpenMP_C_FOUND)
  string(APPEND gf_pc_private " -lgomp")
endif()
if(GPUFILTER_HAVE_CUDA AND NOT GPUFILTER_CUDA STREQUAL "EMU")
  string(APPEND gf_pc_private " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt")
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
foreach(name gpufilter gpufilter_io)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
