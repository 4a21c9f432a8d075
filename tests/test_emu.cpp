/* The emulator against itself: right kernels give right results under many schedules, and each
 * planted fault is found. */
#include "check.h"

#include "emu/emu.h"
#include "emu/emu_control.h"
#include "emu/emu_selftest.h"

#include "base/cuda_status.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifndef HAVE_ASAN
#define HAVE_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__)
#define HAVE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAVE_TSAN 1
#endif
#endif
#ifndef HAVE_TSAN
#define HAVE_TSAN 0
#endif

enum { SEEDS = 12 };

struct outcome {
    int status;
    std::vector<uint32_t> out;
};

/* in: a fixed noise of 10 bits. */
static std::vector<uint32_t> input(int64_t n)
{
    std::vector<uint32_t> in(static_cast<size_t>(n));
    uint32_t x = 12345;
    for (auto &v : in) {
        x = x * 1664525u + 1013904223u;
        v = x >> 22;
    }
    return in;
}

/* Runs a kernel on fresh memory of exact sizes under one seed. A fault is caught. */
static outcome run(selftest_launch *launch, uint64_t seed, const std::vector<uint32_t> &in, size_t out_n,
                   size_t state_n)
{
    outcome result = {0, std::vector<uint32_t>(out_n)};
    uint32_t *d_in = nullptr, *d_out = nullptr, *d_state = nullptr;
    const size_t bytes = in.size() * sizeof(uint32_t), out_bytes = out_n * sizeof(uint32_t);
    gf_emu_options.seed = seed;
    gf_emu_options.keep_going = true;
    gf_emu_reset();
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, out_bytes);
    cudaMalloc(&d_state, state_n * sizeof(uint32_t));
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_state, 0, state_n * sizeof(uint32_t));
    result.status = launch(d_in, d_out, d_state, static_cast<int64_t>(in.size()));
    const int copied = cudaMemcpy(result.out.data(), d_out, out_bytes, cudaMemcpyDeviceToHost);
    CHECK_EQ_INT(copied, result.status == cudaErrorLaunchFailure ? cudaErrorLaunchFailure : cudaSuccess);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_state);
    return result;
}

/* ---- Right results ------------------------------------------------------------------------------- */

static void check_words(const outcome &got, const std::vector<uint32_t> &expected)
{
    CHECK_EQ_INT(got.status, cudaSuccess);
    CHECK_STR(gf_emu_fault(), "");
    CHECK_MEM(got.out.data(), expected.data(), expected.size() * sizeof(uint32_t));
}

static const int64_t SIZES[] = {1, 31, 128, 1000, 5003};

static void reduces(void)
{
    for (int64_t n : SIZES) {
        const auto in = input(n);
        uint32_t sum = 0;
        for (uint32_t v : in) {
            sum += v;
        }
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            check_words(run(selftest_reduce, seed, in, 1, 1), {sum});
        }
    }
}

static void scans(void)
{
    for (int64_t n : SIZES) {
        const auto in = input(n);
        std::vector<uint32_t> expected = in;
        for (size_t i = 1; i < expected.size(); i++) {
            expected[i] += expected[i - 1];
        }
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            check_words(run(selftest_scan, seed, in, in.size(), 1 + 2 * in.size()), expected);
        }
    }
}

static void counts(void)
{
    for (int64_t n : SIZES) {
        const auto in = input(n);
        std::vector<uint32_t> expected(256);
        for (uint32_t v : in) {
            expected[v % 256]++;
        }
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            check_words(run(selftest_histogram, seed, in, 256, 1 + 256 * (in.size() / 128 + 1)), expected);
        }
    }
}

static std::vector<uint32_t> swapped(const std::vector<uint32_t> &in, size_t by, uint32_t add)
{
    std::vector<uint32_t> out(in.size());
    for (size_t i = 0; i < in.size(); i++) {
        out[i] = in[i ^ by] + add;
    }
    return out;
}

static void copies(void)
{
    const auto in = input(8192);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        check_words(run(selftest_copy, seed, in, in.size(), 1), swapped(in, 1, 3));
    }
}

/* The same operations, over a plain array of lanes. */
static std::vector<uint32_t> expected_operations(const std::vector<uint32_t> &in)
{
    uint32_t ballot = 0, match = 0, all_and = 0x3ff | 0x100, all_or = 0, all_xor = 0, max = 0;
    int32_t sum = 0, low = INT32_MAX, high = INT32_MIN;
    unsigned above = 0;
    for (unsigned i = 0; i < 32; i++) {
        const int32_t s = static_cast<int32_t>(in[i]) - 1000;
        ballot |= (in[i] & 1) << i;
        match |= static_cast<uint32_t>(in[i] % 3 == in[5] % 3) << i;
        all_and &= in[i] | 0x100;
        all_or |= in[i];
        all_xor ^= in[i];
        max = in[i] > max ? in[i] : max;
        sum += s;
        low = s < low ? s : low;
        high = s > high ? s : high;
        above += in[i] > 1000;
    }
    const uint32_t x = in[5];
    uint32_t bits = 0, top = 0, bottom = 0;
    for (uint32_t b = 0; b < 32; b++) {
        bits += x >> b & 1;
        top = (x >> b & 1) != 0 ? b : top;
        bottom = bottom == 0 && (x >> b & 1) != 0 ? b + 1 : bottom;
    }
    return {
        in[26], in[2], in[5], in[21], ballot, 1, 0, match, static_cast<uint32_t>(sum),
        static_cast<uint32_t>(low), static_cast<uint32_t>(high), all_and, all_or, all_xor, max,
        /* two warps read the same 32 words */
        2 * above, above == 32, above > 0,
        /* -5 + -32768 * 255 + 32767 * 3;  -5 + -32768 * 254 + 32767 * 1 */
        static_cast<uint32_t>(-5 - 32768 * 255 + 32767 * 3), static_cast<uint32_t>(-5 - 32768 * 254 + 32767),
        /* bytes 1 127 -1 -128 by 252 253 254 255; 1 127 255 128 by the same */
        static_cast<uint32_t>(7 + 252 + 127 * 253 - 254 - 128 * 255),
        7 + 252 + 127 * 253 + 255 * 254 + 128 * 255, 0x00772266u - 0x00000011u, bits + (31 - top) + bottom};
}

static void operations(void)
{
    const auto in = input(32);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        check_words(run(selftest_operations, seed, in, SELFTEST_OPERATIONS, 1), expected_operations(in));
    }
}

static void grid_barriers(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        check_words(run(selftest_grid_barrier, seed, input(1), 4, 5), {6 + 10 + 14, 30, 30, 30});
    }
}

/* ---- Planted faults ------------------------------------------------------------------------------------ */

static void check_fault(selftest_launch *launch, const char *report)
{
    if (HAVE_TSAN) {
        SKIP("ThreadSanitizer would tell of threads that a fault left unfinished");
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const outcome got = run(launch, seed, input(64), 64, 64);
        CHECK_EQ_INT(got.status, cudaErrorLaunchFailure);
        CHECK_STR_HAS(gf_emu_fault(), report);
        CHECK_STR_HAS(gf_emu_fault(), "[kernel fault_");
    }
}

static void divergent_barrier(void)
{
    check_fault(fault_divergent_barrier, "divergent barrier: ");
}
static void early_exit(void)
{
    check_fault(fault_early_exit, "divergent barrier: ");
}
static void deadlock(void)
{
    check_fault(fault_deadlock, "deadlock:");
}
static void block_order(void)
{
    check_fault(fault_block_order, "deadlock:");
}
static void spin(void)
{
    check_fault(fault_spin, "without gf_poll");
}
static void wrong_mask(void)
{
    check_fault(fault_wrong_mask, "wrong mask: ");
}
static void foreign_mask(void)
{
    check_fault(fault_foreign_mask, "wrong mask: ");
}
static void misaligned(void)
{
    check_fault(fault_misaligned, "16-byte access at ");
}

/* How many seeds give a result other than the expected one. */
static int wrong_results(selftest_launch *launch, const std::vector<uint32_t> &in,
                         const std::vector<uint32_t> &expected)
{
    int wrong = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        wrong += run(launch, seed, in, expected.size(), 1).out != expected;
    }
    return wrong;
}

static void missing_barrier(void)
{
    if (HAVE_TSAN) {
        SKIP("see the case of the race");
    }
    const auto in = input(256);
    CHECK_EQ_INT(wrong_results(fault_missing_barrier, in, swapped(in, 32, 0)), SEEDS);
}

static void missing_wait(void)
{
    const auto in = input(8192);
    CHECK_EQ_INT(wrong_results(fault_missing_wait, in, swapped(in, 1, 3)), SEEDS);
}

static void unwritten_shared(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const outcome got = run(fault_unwritten_shared, seed, input(1), 96, 1);
        for (size_t i = 0; i < got.out.size(); i++) {
            CHECK_EQ_INT(got.out[i], i % 32 == 7 ? 0xffa5ffa5u : 1u);
        }
    }
}

/* Runs the fault in a child that does not catch it; its last words and how it ended. */
static int dies(selftest_launch *launch, char *words, size_t size)
{
    int ends[2], status = 0;
    size_t used = 0;
    if (pipe(ends) != 0) {
        return 0;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        uint32_t *memory = nullptr;
        dup2(ends[1], STDERR_FILENO);
        gf_emu_options.keep_going = false;
        gf_emu_reset();
        cudaMalloc(&memory, 96 * sizeof *memory);
        cudaMemset(memory, 0, 96 * sizeof *memory);
        launch(memory, memory + 64, memory + 32, 32);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; used + 1 < size && (n = read(ends[0], words + used, size - used - 1)) > 0;) {
        used += static_cast<size_t>(n);
    }
    words[used] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

static void check_death(selftest_launch *launch, const char *report)
{
    static char words[4096];
    CHECK(dies(launch, words, sizeof words));
    CHECK_STR_HAS(words, report);
}

static void shared_overrun(void)
{
    check_death(fault_shared_overrun, HAVE_ASAN ? "AddressSanitizer" : "past the end of tile (132 bytes)");
}

static void device_overrun(void)
{
    check_death(fault_device_overrun,
                HAVE_ASAN ? "AddressSanitizer" : "past the end of the device allocation");
}

/* Two threads on one word with nothing between them: only ThreadSanitizer sees it in any schedule. */
static void check_race(selftest_launch *launch, const char *where)
{
    static char words[8192];
    if (!HAVE_TSAN) {
        SKIP("needs ThreadSanitizer");
    }
    dies(launch, words, sizeof words);
    CHECK_STR_HAS(words, "data race");
    CHECK_STR_HAS(words, where);
}

static void race_in_block(void)
{
    check_race(fault_missing_barrier, "fault_missing_barrier_kernel");
}
static void race_between_blocks(void)
{
    check_race(fault_relaxed_flag, "fault_relaxed_flag_kernel");
}

static void aborts(void)
{
    check_death(fault_deadlock, "thread (0,0,0) of block (1,0,0) polls");
}

/* ---- The shim ---------------------------------------------------------------------------------------------
 */

static void refuses_limits(void)
{
    CHECK_EQ_INT(run(fault_block_too_large, 0, input(1), 1, 1).status, cudaErrorInvalidConfiguration);
    CHECK_EQ_INT(gf_blocks(0, 256), 0);
    CHECK_EQ_INT(gf_blocks(257, 256), 2);
    CHECK_EQ_INT(gf_blocks(INT64_MAX, 1), UINT32_MAX);
    CHECK_EQ_INT(run(selftest_reduce, 0, {}, 1, 1).status, cudaSuccess);
}

static void fails_calls(void)
{
    const auto in = input(100);
    gf_emu_fail_call(0, 0, false);
    CHECK_EQ_INT(run(selftest_scan, 0, in, 100, 3).status, cudaSuccess);
    const long calls = gf_emu_calls();
    CHECK_EQ_INT(calls, 8); /* 3 cudaMalloc, copy, set, launch, synchronise, copy */
    void *p = nullptr;
    gf_emu_fail_call(2, 0, false);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaErrorMemoryAllocation);
    CHECK_EQ_INT(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_EQ_INT(cudaGetLastError(), cudaSuccess);
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaSuccess);
    cudaFree(p);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
}

static void loses_the_device(void)
{
    void *p = nullptr;
    cudaStream_t stream = nullptr;
    gf_emu_reset();
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaSuccess);
    CHECK_EQ_INT(cudaStreamCreate(&stream), cudaSuccess);
    CHECK_EQ_INT(gf_emu_leaked(), 9);
    gf_emu_fail_call(1, cudaErrorIllegalAddress, false);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_EQ_INT(cudaGetLastError(), cudaErrorIllegalAddress);
    CHECK_EQ_INT(cudaMemset(p, 0, 8), cudaErrorIllegalAddress);
    CHECK_EQ_INT(cudaStreamDestroy(stream), cudaErrorIllegalAddress);
    CHECK_EQ_INT(cudaFree(p), cudaErrorIllegalAddress);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
    gf_emu_reset();
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaSuccess);
    gf_emu_fail_call(1, 0, true);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaErrorUnknown);
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaErrorMemoryAllocation);
    gf_emu_reset();
    CHECK_EQ_INT(gf_emu_calls(), 2);
    CHECK(!gf_emu_allocating());
}

static void checks_copies(void)
{
    char host[64] = {0}, *device = nullptr;
    CHECK_EQ_INT(cudaMalloc(&device, 64), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy(device + 1, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy(host, host, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy2D(device, 20, host, 16, 4, 4, cudaMemcpyHostToDevice), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpy2D(device, 21, host, 16, 4, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy2D(device, 3, host, 16, 4, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    CHECK_EQ_INT(cudaFree(device + 1), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaFree(device), cudaSuccess);
    CHECK_EQ_INT(cudaFree(device), cudaErrorInvalidValue);
}

static void maps_errors(void)
{
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_cuda_fail(&error, "cudaMalloc(&p, 10)", cudaErrorMemoryAllocation), GF_ERROR_MEMORY);
    CHECK_STR(error.message, "cudaMalloc: out of memory (CUDA error 2)");
    CHECK_EQ_INT(gf_cuda_fail(&error, "GF_LAUNCH((k<3, int>), c, w)", cudaErrorLaunchFailure),
                 GF_STATUS_LOST);
    CHECK_STR(error.message, "kernel k: unspecified launch failure (CUDA error 719)");
    CHECK_EQ_INT(error.code, GF_ERROR_DEVICE);
    CHECK_EQ_INT(gf_cuda_fail(&error, "GF_LAUNCH(k, c)", cudaErrorInvalidConfiguration), GF_ERROR_INTERNAL);
    CHECK_STR(error.message, "kernel k: invalid configuration argument (CUDA error 9)");
    CHECK_EQ_INT(gf_cuda_fail(NULL, "cudaMalloc", cudaErrorNoDevice), GF_ERROR_DEVICE);
}

static const struct check_case cases[] = {
    /* First: ThreadSanitizer tells of each race once. */
    {"fault: missing barrier, as a race", race_in_block},
    {"fault: relaxed flag, as a race", race_between_blocks},
    {"reduce: shuffles, shared memory, atomics", reduces},
    {"scan: tickets and look-back", scans},
    {"histogram: dynamic shared memory, last block", counts},
    {"copy: asynchronous, 16 bytes", copies},
    {"operations: warp, votes, packed", operations},
    {"grid barrier", grid_barriers},
    {"fault: missing barrier", missing_barrier},
    {"fault: divergent barrier", divergent_barrier},
    {"fault: exit in front of a barrier", early_exit},
    {"fault: deadlock", deadlock},
    {"fault: reliance on block order", block_order},
    {"fault: spinning without gf_poll", spin},
    {"fault: mask with absent lanes", wrong_mask},
    {"fault: mask without the caller", foreign_mask},
    {"fault: unwritten shared memory", unwritten_shared},
    {"fault: shared array overrun", shared_overrun},
    {"fault: device array overrun", device_overrun},
    {"fault: missing wait", missing_wait},
    {"fault: misaligned load", misaligned},
    {"fault: aborts unless told otherwise", aborts},
    {"launch limits", refuses_limits},
    {"failing calls", fails_calls},
    {"a lost device", loses_the_device},
    {"copies stay inside", checks_copies},
    {"CUDA errors", maps_errors},
};
CHECK_MAIN(cases)
