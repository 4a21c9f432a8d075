/* Faults planted to test the tests: each must make the suite fail (script/test-faults).
 *
 * GF_FAULT(name) is the constant 0, unless the build plants faults (cmake -DGPUFILTER_FAULTS=ON): there it is
 * 1 while the environment variable GPUFILTER_FAULT is that name, which is read before main.
 * planted_faults.def has the names; one that is not in it does not compile, and as GPUFILTER_FAULT ends the
 * program with status
 * 99. For C and for kernels on the emulator; nvcc always sees 0. Safe in any thread. */
#pragma once

enum gf_planted_fault {
    GF_FAULT_none,
#define GF_FAULT_DEF(name, what) GF_FAULT_##name,
#include "base/planted_faults.def"
#undef GF_FAULT_DEF
};

#if defined(GF_FAULTS) && !defined(__CUDACC__)
#ifdef __cplusplus
extern "C" {
#endif
extern enum gf_planted_fault gf_fault_now; /* written once, before main */
#ifdef __cplusplus
}
#endif
#define GF_FAULT(name) (gf_fault_now == GF_FAULT_##name)
#else
#define GF_FAULT(name) ((int)GF_FAULT_##name == (int)GF_FAULT_none)
#endif
