/* Kernels that test the emulator: right ones, and ones with a planted fault each. */
#ifndef GF_TESTS_EMU_SELFTEST_H
#define GF_TESTS_EMU_SELFTEST_H

#include <stdint.h>

struct selftest_work {
    const uint32_t *in;
    uint32_t *out, *state;
    int64_t n;
};

/* Runs one kernel over n inputs of device memory. Returns a cudaError_t; 0 is success. */
typedef int selftest_launch(selftest_work w);

/* out[0]: the sum of in, by shuffles, shared memory, one atomic a block. state: 1 zero. */
selftest_launch selftest_reduce;
/* out[i] = in[0] + ... + in[i], one pass: tickets and look-back. state: 1 + 2 * blocks zeros. */
selftest_launch selftest_scan;
/* out[0..255]: counts of in[i] % 256, in dynamic shared memory; the last block adds up. state: 1 + 256 *
 * blocks zeros. */
selftest_launch selftest_histogram;
/* out[i] = in[i ^ 1] + 3, 16 bytes at a time through asynchronous copies; n a multiple of 256. */
selftest_launch selftest_copy;
/* out[i]: one word for each warp operation, barrier and packed instruction; in: 32 words. */
selftest_launch selftest_operations;
/* out[b] = sum of the numbers of all blocks, by a grid barrier; 4 blocks. state: 5 zeros. */
selftest_launch selftest_grid_barrier;
/* out[0..3]: sums of in by atomics on f32, f64, s64 and u32; out[4]: the largest as s32. */
selftest_launch selftest_atomics;
/* out[i]: the block that started as i-th of 16. state: 1 zero. */
selftest_launch selftest_order;
/* out[i]: whether the block that started in front of the i-th had said so, at once, by the time that this one
 * had been at 64 barriers; 16 blocks. state: 17 zeros. */
selftest_launch selftest_pace;
enum { SELFTEST_BLOCK = 64, SELFTEST_OPERATIONS = 25 };

/* Planted faults: what the emulator reports by itself. */
selftest_launch fault_divergent_barrier; /* half the threads use another __syncthreads */
selftest_launch fault_early_exit;        /* one thread returns in front of __syncthreads */
selftest_launch fault_deadlock;          /* two blocks poll for each other's flag */
selftest_launch fault_block_order;       /* waits for the block with the next blockIdx, not started yet */
selftest_launch fault_spin;              /* waits without gf_poll */
selftest_launch fault_wrong_mask;        /* a full mask in half a warp */
selftest_launch fault_foreign_mask;      /* a mask without the caller */
selftest_launch fault_divergent_warp;    /* half the lanes use another shuffle */
selftest_launch fault_misaligned;        /* a 16-byte load 4 bytes off */
selftest_launch fault_shared_limit;      /* more than 48 KB of GF_SHARED */
selftest_launch fault_block_too_large;   /* 1025 threads: refused, not run */
/* What shows as wrong results. */
selftest_launch fault_missing_barrier;  /* out[i] should be in[i ^ 32], n = 256 */
selftest_launch fault_missing_syncwarp; /* out[i] should be in[i ^ 1], n = 256 */
selftest_launch fault_missing_wait;     /* selftest_copy without the wait */
selftest_launch fault_unwritten_shared; /* out[i] = shared memory nobody wrote, for i % 32 == 7 */
/* Writes just outside an array: guards, and AddressSanitizer. */
selftest_launch fault_shared_overrun, fault_shared_underrun, fault_device_overrun, fault_device_underrun;
/* Races that no schedule shows: ThreadSanitizer. */
selftest_launch fault_shuffle_as_fence; /* lanes write and read shared memory around a shuffle */
selftest_launch fault_relaxed_flag;     /* look-back whose flag is not a release */
selftest_launch fault_plain_flag;       /* ... or a plain store */
selftest_launch fault_plain_add;        /* ++ where atomicAdd should be */
selftest_launch fault_far_blocks;       /* the first and the last of 64 blocks write one word */

#endif
