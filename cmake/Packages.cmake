# cpack -G DEB: gpufilter, the program and the shared libraries; libgpufilter-dev, what compilers need; gpufilter-cuda, the
# module of CUDA, where it is built.
# For the folders of Debian configure with -DCMAKE_INSTALL_PREFIX=/usr (docs/install.md).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gpufilter)
set(CPACK_PACKAGE_VENDOR "the gpufilter contributors")
set(CPACK_PACKAGE_CONTACT "the gpufilter contributors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)

# Each package has its licence under its own name: two small components that only packages install.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gpufilter RENAME copyright
        COMPONENT debian_runtime EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libgpufilter-dev RENAME copyright
        COMPONENT debian_development EXCLUDE_FROM_ALL)
set(CPACK_COMPONENTS_ALL runtime debian_runtime development debian_development)
if(GPUFILTER_HAVE_CUDA AND NOT GPUFILTER_LINKED_CUDA)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gpufilter-cuda RENAME copyright
          COMPONENT debian_cuda EXCLUDE_FROM_ALL)
  list(APPEND CPACK_COMPONENTS_ALL cuda debian_cuda)
  set(CPACK_DEBIAN_MODULE_PACKAGE_NAME gpufilter-cuda)
  set(CPACK_DEBIAN_MODULE_PACKAGE_SECTION graphics)
  set(CPACK_DEBIAN_MODULE_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MODULE_PACKAGE_DEPENDS "gpufilter (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS gpufilter-cuda)
  set(CPACK_DEBIAN_MODULE_DESCRIPTION "gpufilter runs a chain of filters over a picture or a signal, on an NVIDIA GPU or \
on the CPU.\n.\nThis package has the module with the kernels for NVIDIA GPUs. It needs a driver for CUDA 13.")
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gpufilter)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(gf_recommended)
if(GPUFILTER_HAVE_FREETYPE) # which is opened, not linked
  list(APPEND gf_recommended libfreetype6 fonts-dejavu-core)
endif()
if(GPUFILTER_HAVE_HEIF) # and this, too
  list(APPEND gf_recommended libheif1)
endif()
list(JOIN gf_recommended ", " CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libgpufilter-dev)
set(CPACK_DEBIAN_HEADERS_PACKAGE_SECTION libdevel)
# The static libraries link these.
set(gf_dev_packages "gpufilter (= ${PROJECT_VERSION}), libpng-dev, zlib1g-dev")
if(GPUFILTER_HAVE_JPEG)
  string(APPEND gf_dev_packages ", libjpeg-dev")
endif()
if(GPUFILTER_HAVE_FLAC)
  string(APPEND gf_dev_packages ", libflac-dev")
endif()
if(GPUFILTER_HAVE_TIFF)
  string(APPEND gf_dev_packages ", libtiff-dev")
endif()
if(GPUFILTER_HAVE_WEBP)
  string(APPEND gf_dev_packages ", libwebp-dev")
endif()
if(GPUFILTER_HAVE_GIF)
  string(APPEND gf_dev_packages ", libgif-dev")
endif()
if(GPUFILTER_HAVE_ISAL)
  string(APPEND gf_dev_packages ", libisal-dev")
endif()
set(CPACK_DEBIAN_HEADERS_PACKAGE_DEPENDS ${gf_dev_packages})
# Behind the project's own line, which is the first of both.
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "gpufilter runs a chain of filters over a picture or a signal, on an NVIDIA GPU or \
on the CPU.\n.\nThis package has the program and the shared libraries.")
set(CPACK_DEBIAN_HEADERS_DESCRIPTION "gpufilter runs a chain of filters over a picture or a signal, on an NVIDIA GPU or \
on the CPU.\n.\nThis package has headers, static libraries, the CMake package, pkg-config files and samples.")

include(CPack)
cpack_add_component_group(program)
cpack_add_component_group(headers)
cpack_add_component(runtime GROUP program)
cpack_add_component(debian_runtime GROUP program)
cpack_add_component(development GROUP headers)
cpack_add_component(debian_development GROUP headers)
if(GPUFILTER_HAVE_CUDA AND NOT GPUFILTER_LINKED_CUDA)
  cpack_add_component_group(module)
  cpack_add_component(cuda GROUP module)
  cpack_add_component(debian_cuda GROUP module)
endif()
