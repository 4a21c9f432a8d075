# Libraries that read and write files: gf_io_libraries, and whether the optional ones are there.
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
set(gf_io_libraries PNG::PNG ZLIB::ZLIB m)

# gf_optional_format(NAME "what it is for" "Debian's package"): GPUFILTER_<NAME> is AUTO, ON or OFF; sets
# GPUFILTER_HAVE_<NAME> (0 or 1) from GPUFILTER_FOUND_<NAME>, which the caller has looked for.
function(gf_optional_format name purpose package)
  set(GPUFILTER_${name} AUTO CACHE STRING "${purpose}: AUTO (if ${package} is found), ON or OFF")
  set_property(CACHE GPUFILTER_${name} PROPERTY STRINGS AUTO ON OFF)
  set(have 0)
  if(GPUFILTER_${name} STREQUAL "AUTO" OR GPUFILTER_${name} STREQUAL "ON")
    if(GPUFILTER_FOUND_${name})
      set(have 1)
    elseif(GPUFILTER_${name} STREQUAL "ON")
      message(FATAL_ERROR "GPUFILTER_${name} is ON, and ${package} is not found")
    endif()
  elseif(NOT GPUFILTER_${name} STREQUAL "OFF")
    message(FATAL_ERROR "GPUFILTER_${name} is '${GPUFILTER_${name}}': must be AUTO, ON or OFF")
  endif()
  message(STATUS "gpufilter: ${purpose} ${GPUFILTER_${name}} (built: ${have})")
  set(GPUFILTER_HAVE_${name} ${have} PARENT_SCOPE)
endfunction()

find_package(JPEG QUIET)
set(GPUFILTER_FOUND_JPEG ${JPEG_FOUND})
gf_optional_format(JPEG "JPEG" libjpeg-dev)
if(GPUFILTER_HAVE_JPEG)
  list(APPEND gf_io_libraries JPEG::JPEG)
endif()

# One whose library brings no package for CMake. A macro, as what it finds is the caller's.
macro(gf_optional_library name header library purpose package)
  find_path(GPUFILTER_${name}_INCLUDE ${header})
  find_library(GPUFILTER_${name}_LIBRARY ${library})
  mark_as_advanced(GPUFILTER_${name}_INCLUDE GPUFILTER_${name}_LIBRARY)
  set(GPUFILTER_FOUND_${name} 0)
  if(GPUFILTER_${name}_INCLUDE AND GPUFILTER_${name}_LIBRARY)
    set(GPUFILTER_FOUND_${name} 1)
  endif()
  gf_optional_format(${name} ${purpose} ${package})
  if(GPUFILTER_HAVE_${name})
    list(APPEND gf_io_libraries $<BUILD_INTERFACE:${GPUFILTER_${name}_LIBRARY}> $<INSTALL_INTERFACE:${library}>)
  endif()
endmacro()

gf_optional_library(FLAC FLAC/stream_decoder.h FLAC "FLAC" libflac-dev)
gf_optional_library(ISAL isa-l/igzip_lib.h isal "PNG faster, by ISA-L" libisal-dev)


# From 4.5 on its errors go to handlers of one file; before, to those of the whole process.
find_package(TIFF 4.5 QUIET)
set(GPUFILTER_FOUND_TIFF ${TIFF_FOUND})
gf_optional_format(TIFF "TIFF" "libtiff-dev 4.5 or later")
if(GPUFILTER_HAVE_TIFF)
  list(APPEND gf_io_libraries $<BUILD_INTERFACE:${TIFF_LIBRARY_RELEASE}> $<INSTALL_INTERFACE:tiff>)
endif()

gf_optional_library(WEBP webp/mux.h webpmux "WebP" libwebp-dev)
if(GPUFILTER_HAVE_WEBP)
  find_library(GPUFILTER_WEBP_DEMUX webpdemux)
  find_library(GPUFILTER_WEBP_CODER webp)
  mark_as_advanced(GPUFILTER_WEBP_DEMUX GPUFILTER_WEBP_CODER)
  foreach(library ${GPUFILTER_WEBP_DEMUX} ${GPUFILTER_WEBP_CODER})
    list(APPEND gf_io_libraries $<BUILD_INTERFACE:${library}>)
  endforeach()
  list(APPEND gf_io_libraries $<INSTALL_INTERFACE:webpdemux> $<INSTALL_INTERFACE:webp>)
endif()

gf_optional_library(GIF gif_lib.h gif "GIF" libgif-dev)

# Not linked, as it brings megabytes of decoders: opened where the first such file is read.
find_path(GPUFILTER_HEIF_INCLUDE libheif/heif.h)
mark_as_advanced(GPUFILTER_HEIF_INCLUDE)
set(GPUFILTER_FOUND_HEIF ${GPUFILTER_HEIF_INCLUDE})
gf_optional_format(HEIF "HEIF" libheif-dev)
if(GPUFILTER_HAVE_HEIF)
  list(APPEND gf_io_libraries ${CMAKE_DL_LIBS})
endif()

find_path(GPUFILTER_STB_INCLUDE stb/stb_image_write.h)
mark_as_advanced(GPUFILTER_STB_INCLUDE)
set(GPUFILTER_FOUND_STB ${GPUFILTER_STB_INCLUDE})
gf_optional_format(STB "HDR, and writing BMP and TGA" libstb-dev)

# For the stage text. No format, and not linked: where it is missing only that stage does without.
find_package(Freetype QUIET)
set(GPUFILTER_FOUND_FREETYPE ${FREETYPE_FOUND})
gf_optional_format(FREETYPE "letters" libfreetype-dev)
