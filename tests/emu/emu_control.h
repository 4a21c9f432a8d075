/* How tests, in C or C++, steer the emulator, while nothing runs. Defaults come from the environment:
 * GF_EMU_SEED and GF_EMU_BLOCKS set gf_emu_options, and GF_EMU_FAIL=N[:ERROR[:on]] calls gf_emu_fail_call at
 * the start. GF_EMU_COVERAGE=FILE appends, at the end, a line "LAUNCHES SCHEDULES NAME" for each kernel that
 * ran: NAME without template arguments, SCHEDULES how many different ones its launches ran under. */
#ifndef GF_TESTS_EMU_CONTROL_H
#define GF_TESTS_EMU_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Settings in force from the next launch. */
extern struct gf_emu_settings {
    uint64_t seed;   /* 0: threads in order, first come first served; else the schedule of the i-th launch
                      * of the process is drawn from (seed, i). Reports print both. */
    int blocks;      /* blocks alive at once, 1 to 64; default 4, one for each emulated SM */
    bool keep_going; /* a fault ends the launch with cudaErrorLaunchFailure, and that sticks, instead of
                      * printing the report and aborting */
    int processors;  /* SMs of the device, 1 to 64; 0, the default: 4 */
    int devices;     /* 1 to 8; 0, the default: what GF_EMU_DEVICES says, or 1 */
    int delay;       /* milliseconds later that threads but the first of the process queue each copy */
} gf_emu_options;

/* The report of the latest fault; "" after gf_emu_reset, which forgets any sticky error too. */
const char *gf_emu_fault(void);
void gf_emu_reset(void);
uint64_t gf_emu_switches(void); /* from one fibre to another since the start */
/* The index-th of the kernels that ran so far, named as for GF_EMU_COVERAGE, and its launches; NULL past the
 * last. */
const char *gf_emu_kernel(size_t index, size_t *launches);
extern uint64_t gf_emu_joins; /* of elements by the published scans, since the start */

/* The n-th counted call (1: the next) of the cuda* shim or GF_LAUNCH fails; 0: none. error: the cudaError_t
 * as a number, 0 for "out of memory" where the call allocates and cudaErrorUnknown elsewhere. An error that
 * is sticky in CUDA (700, 702, 710, 714 to 719 and such) makes every later call fail with it, frees included,
 * until gf_emu_reset; from_then_on does so with any error. Releasing calls are not counted, and release
 * even when they fail: what is then left was never given back. */
void gf_emu_fail_call(long n, int error, bool from_then_on);
long gf_emu_calls(void); /* counted calls since then */
/* Bytes of cudaMalloc and cudaHostAlloc not freed; streams, events and what is registered count as 1 byte
 * each. */
uint64_t gf_emu_leaked(void);
/* While the shim itself allocates in this thread, so that a test's malloc wrapper can leave it alone. */
bool gf_emu_allocating(void);

#ifdef __cplusplus
}
#endif

#endif
