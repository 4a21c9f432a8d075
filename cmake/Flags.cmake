# gpufilter_flags: what every target of the project is compiled with.
# Arithmetic first: no contraction and no fast math, in both compilers (docs/exactness.md).
add_library(gpufilter_flags INTERFACE)
set(gf_warnings -Wall -Wextra -Wshadow)
set(gf_c_warnings ${gf_warnings} -Wpedantic -Wconversion -Wno-sign-conversion -Wstrict-prototypes
                  -Wmissing-prototypes)
if(GPUFILTER_WERROR)
  list(APPEND gf_warnings -Werror)
  list(APPEND gf_c_warnings -Werror)
endif()
target_compile_options(
  gpufilter_flags
  INTERFACE $<$<COMPILE_LANGUAGE:C>:${gf_c_warnings}>
            $<$<COMPILE_LANGUAGE:CXX>:${gf_warnings}>
            $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-fno-math-errno;-fno-trapping-math>
            $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-Wall,-ffp-contract=off>)
# gcc (seen in 11 and 12) drops the rounding from (double)(float)x where its SLP pass has put two of them side by
# side, and that is where one gf_fma_exact hands its result to the next. Targets that only use the processor's fma
# keep the pass: GF_HARDWARE_FMA. docs/decisions.md has a program of eight lines that shows it.
set(gf_no_slp "$<NOT:$<BOOL:$<TARGET_PROPERTY:GF_HARDWARE_FMA>>>")
target_compile_options(
  gpufilter_flags
  INTERFACE $<$<AND:$<COMPILE_LANG_AND_ID:C,GNU>,${gf_no_slp}>:-fno-tree-slp-vectorize>
            $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,${gf_no_slp}>:-fno-tree-slp-vectorize>)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.9
   AND NOT CMAKE_CUDA_ARCHITECTURES MATCHES "^[0-9]+[af]?(-real|-virtual)?$") # "all" and "native" are several
  # Device code takes a seventh of the room; for a single GPU packing it so tightly is not worth the time.
  target_compile_options(gpufilter_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-compress-mode=size>)
endif()
target_compile_features(gpufilter_flags INTERFACE c_std_11 cxx_std_17)
if(GPUFILTER_HAVE_CUDA AND NOT GPUFILTER_CUDA STREQUAL "EMU")
  target_compile_features(gpufilter_flags INTERFACE cuda_std_17)
endif()
target_compile_definitions(gpufilter_flags INTERFACE $<$<BOOL:${GPUFILTER_FAULTS}>:GF_FAULTS=1>)
if(GPUFILTER_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GPUFILTER_FUZZ=ON needs clang, not ${CMAKE_C_COMPILER_ID}: set CMAKE_C_COMPILER and CMAKE_CXX_COMPILER")
  endif()
  if(NOT GPUFILTER_SANITIZE)
    set(GPUFILTER_SANITIZE address,undefined)
  endif()
  target_compile_options(gpufilter_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined)
  target_link_options(gpufilter_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(GPUFILTER_SANITIZE)
  # Reports need the lines alone. With -g gcc follows every variable, ten times as long where kernels are unrolled.
  target_compile_options(gpufilter_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${GPUFILTER_SANITIZE};-g1;-fno-omit-frame-pointer>)
  target_link_options(gpufilter_flags INTERFACE -fsanitize=${GPUFILTER_SANITIZE})
  # gcc takes the checks that it adds for hints that a text may be NULL.
  target_compile_options(gpufilter_flags INTERFACE $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-format-overflow>)
endif()

# What is for use is hardened: frames are checked on return, copies where sizes are known, jumps and returns by processors
# that do, and the linker's tables are read-only once the program runs. tests/scripts/hardened.bats looks.
if(NOT GPUFILTER_SANITIZE AND NOT GPUFILTER_CUDA STREQUAL "EMU")
  set(gf_hardening -fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i.86)$")
    list(APPEND gf_hardening -fcf-protection)
  endif()
  list(JOIN gf_hardening "," gf_cuda_hardening)
  target_compile_options(
    gpufilter_flags
    INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${gf_hardening}>
              $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${gf_cuda_hardening}>
              $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  add_link_options(-Wl,-z,relro,-z,now)
endif()

set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_package(Threads REQUIRED)
