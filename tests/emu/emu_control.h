/* How tests steer the emulator. Defaults come from the environment: GF_EMU_SEED, GF_EMU_BLOCKS. */
#ifndef GF_TESTS_EMU_CONTROL_H
#define GF_TESTS_EMU_CONTROL_H

#include <stdint.h>

struct gf_emu_settings {
    uint64_t seed;   /* 0: threads in order, first come first served; else a random schedule */
    int blocks;      /* blocks alive at once, 1 to 64; default 4, one for each emulated SM */
    bool keep_going; /* a fault ends the launch with cudaErrorLaunchFailure, and that sticks, instead of
                      * printing the report and aborting */
};

/* In force from the next launch. */
extern gf_emu_settings gf_emu_options;

/* The report of the latest fault; "" when there was none since gf_emu_reset. */
const char *gf_emu_fault();

/* Forgets the fault and the sticky error. Device memory stays. */
void gf_emu_reset();

/* Switches from one fibre to another since the start. */
uint64_t gf_emu_switches();

/* The n-th call (1: the next) of the cuda* shim and GF_LAUNCH fails; 0: none. An allocation fails as
 * out of memory, any other call with cudaErrorUnknown. Releasing calls do not count. */
void gf_emu_fail_call(long n);

/* Calls that counted, since gf_emu_fail_call was last set. */
long gf_emu_calls();

/* Bytes of cudaMalloc and host memory not yet freed. */
uint64_t gf_emu_leaked();

#endif
