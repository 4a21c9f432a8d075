/* The emulator against itself: right kernels give right results under every schedule, and each planted fault
 * is found. The shim has a test of its own. */
#include "check.h"

#include "emu.h"
#include "emu_control.h"
#include "emu_selftest.h"

#include <set>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#if defined(__has_feature) /* clang; gcc defines the macros itself */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#elif __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { HAVE_ASAN = 1, HAVE_TSAN = 0, SEEDS = 1000 };
#elif defined(__SANITIZE_THREAD__)
enum { HAVE_ASAN = 0, HAVE_TSAN = 1, SEEDS = 100 };
#else
enum { HAVE_ASAN = 0, HAVE_TSAN = 0, SEEDS = 1000 };
#endif

typedef std::vector<uint32_t> words;

struct outcome {
    int status;
    words out;
};

/* A fixed noise of 10 bits. */
static words input(size_t n)
{
    words in(n);
    uint32_t x = 12345;
    for (auto &v : in) {
        x = x * 1664525u + 1013904223u;
        v = x >> 22;
    }
    return in;
}

/* Runs a kernel on fresh memory of exact sizes under one seed. A fault is caught. */
static outcome run(selftest_launch *launch, uint64_t seed, const words &in, size_t out_n, size_t state_n)
{
    outcome result = {0, words(out_n)};
    uint32_t *d_in = nullptr;
    selftest_work w = {nullptr, nullptr, nullptr, static_cast<int64_t>(in.size())};
    const size_t bytes = in.size() * sizeof(uint32_t), out_bytes = out_n * sizeof(uint32_t);
    gf_emu_options.seed = seed;
    gf_emu_options.keep_going = true;
    gf_emu_reset();
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&w.out, out_bytes);
    cudaMalloc(&w.state, state_n * sizeof(uint32_t));
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemsetAsync(w.state, 0, state_n * sizeof(uint32_t));
    w.in = d_in;
    result.status = launch(w);
    const int copied = cudaMemcpy(result.out.data(), w.out, out_bytes, cudaMemcpyDeviceToHost);
    CHECK_EQ_INT(copied, result.status == cudaErrorLaunchFailure ? cudaErrorLaunchFailure : cudaSuccess);
    cudaFree(d_in);
    cudaFree(w.out);
    cudaFree(w.state);
    return result;
}

/* ---- Right results ------------------------------------------------------------------------------- */

/* Runs under all seeds; 0 is the order of a simple machine. */
static void check_words(selftest_launch *launch, const words &in, const words &expected, size_t state_n,
                        int seeds)
{
    for (int seed = 0; seed < seeds && check_now.failures == 0; seed++) {
        const outcome got = run(launch, static_cast<uint64_t>(seed), in, expected.size(), state_n);
        CHECK_EQ_INT(got.status, cudaSuccess);
        CHECK_STR(gf_emu_fault(), "");
        CHECK_MSG(got.out == expected, "seed %d: wrong result", seed);
    }
}

/* All seeds on a few blocks, some on others. */
static const struct {
    size_t n;
    int seeds;
} SIZES[] = {{5 * SELFTEST_BLOCK - 3, SEEDS}, {1, 12}, {31, 12}, {SELFTEST_BLOCK, 12}, {5003, 12}};

static void reduces(void)
{
    for (const auto &size : SIZES) {
        const words in = input(size.n);
        uint32_t sum = 0;
        for (uint32_t v : in) { sum += v; }
        check_words(selftest_reduce, in, {sum}, 1, size.seeds);
    }
}

static void scans(void)
{
    for (const auto &size : SIZES) {
        const words in = input(size.n);
        words expected = in;
        for (size_t i = 1; i < expected.size(); i++) { expected[i] += expected[i - 1]; }
        check_words(selftest_scan, in, expected, 1 + 2 * in.size(), size.seeds);
    }
}

static void counts(void)
{
    for (const auto &size : SIZES) {
        const words in = input(size.n);
        words expected(256);
        for (uint32_t v : in) { expected[v % 256]++; }
        check_words(selftest_histogram, in, expected, 1 + 256 * (in.size() / SELFTEST_BLOCK + 1), size.seeds);
    }
}

static words swapped(const words &in, size_t by, uint32_t add)
{
    words out(in.size());
    for (size_t i = 0; i < in.size(); i++) { out[i] = in[i ^ by] + add; }
    return out;
}

static void copies(void)
{
    const words in = input(1024);
    check_words(selftest_copy, in, swapped(in, 1, 3), 1, SEEDS);
}

/* The same operations, over a plain array of lanes. */
static words expected_operations(const words &in)
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
        7 + 32768 * 255 + 32767 * 3, 7 + 32768 * 254 + 32767,
        /* bytes 1 127 255 128 by 252 253 254 255 */
        7 + 252 + 127 * 253 + 255 * 254 + 128 * 255, 0x00772266u - 0x00000011u, bits + (31 - top) + bottom};
}

static void operations(void)
{
    check_words(selftest_operations, input(32), expected_operations(input(32)), 1, SEEDS);
}

static void grid_barriers(void)
{
    check_words(selftest_grid_barrier, input(1), {6 + 10 + 14, 30, 30, 30}, 5, SEEDS);
}

static void atomics(void)
{
    const words in = input(200);
    uint32_t sum = 0, most = 0;
    for (uint32_t v : in) {
        sum += v;
        most = v > most ? v : most;
    }
    check_words(selftest_atomics, in, {sum, sum, sum, sum, most}, 6, SEEDS);
}

/* Several blocks are alive at once, in any order drawn from seed and launch; a seed holds some up. */
static void schedules(void)
{
    std::set<words> orders;
    const words first = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    size_t late = 0;
    CHECK(run(selftest_order, 0, {1}, 16, 1).out == first);
    CHECK(run(selftest_pace, 0, {1}, 16, 17).out == words(16, 1));
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const words order = run(selftest_order, seed, {1}, 16, 1).out;
        CHECK(std::set<uint32_t>(order.begin(), order.end()).size() == 16);
        orders.insert(order);
        late += run(selftest_pace, seed, {1}, 16, 17).out != words(16, 1);
    }
    CHECK_EQ_INT(orders.size(), 100);
    CHECK_MSG(late > 2 && late < 98, "%zu of 100 schedules hold a block up here", late);
}

/* ---- Planted faults ------------------------------------------------------------------------------------ */

static void check_fault(selftest_launch *launch, const char *report)
{
    for (uint64_t seed = 0; seed < 16; seed++) {
        const outcome got = run(launch, seed, input(64), 64, 64);
        CHECK_EQ_INT(got.status, cudaErrorLaunchFailure);
        CHECK_STR_HAS(gf_emu_fault(), report);
        CHECK_STR_HAS(gf_emu_fault(), "thread (");
        CHECK_STR_HAS(gf_emu_fault(), "kernel fault_");
    }
}

#define REPORTED(name, launch, report)                                                                       \
    static void name(void) { check_fault(launch, report); }
REPORTED(divergent_barrier, fault_divergent_barrier, "divergent barrier: thread (")
REPORTED(early_exit, fault_early_exit, "divergent barrier: ")
REPORTED(deadlock, fault_deadlock, "deadlock\n  thread (0,0,0) of block (")
REPORTED(block_order, fault_block_order, "threads wait")
REPORTED(spin, fault_spin, "without gf_poll")
REPORTED(wrong_mask, fault_wrong_mask, "divergent warp: ")
REPORTED(foreign_mask, fault_foreign_mask, "wrong mask: 0000ffff")
REPORTED(divergent_warp, fault_divergent_warp, "divergent warp: thread (")
REPORTED(misaligned, fault_misaligned, "16-byte access at ")
REPORTED(shared_limit, fault_shared_limit, "49156 bytes of GF_SHARED")

/* Every schedule gives a result other than the expected one. */
static void check_wrong(selftest_launch *launch, const words &in, const words &right)
{
    if (HAVE_TSAN && launch != fault_missing_wait) { SKIP("see the case of the race"); }
    for (uint64_t seed = 0; seed < 16; seed++) { CHECK(run(launch, seed, in, right.size(), 1).out != right); }
}

static void missing_barrier(void)
{
    check_wrong(fault_missing_barrier, input(256), swapped(input(256), 32, 0));
}
static void missing_syncwarp(void)
{
    check_wrong(fault_missing_syncwarp, input(256), swapped(input(256), 1, 0));
}
static void missing_wait(void) { check_wrong(fault_missing_wait, input(256), swapped(input(256), 1, 3)); }

static void unwritten_shared(void)
{
    for (uint64_t seed = 0; seed < 16; seed++) {
        const outcome got = run(fault_unwritten_shared, seed, input(1), 96, 1);
        for (size_t i = 0; i < got.out.size(); i++) {
            CHECK_EQ_INT(got.out[i], i % 32 == 7 ? 0xffa5ffa5u : 1u);
        }
    }
}

/* Runs the fault in a child that does not catch it; its last words and how it ended. */
static bool dies(selftest_launch *launch, char *last_words, size_t size)
{
    int ends[2], status = 0;
    size_t used = 0;
    CHECK(pipe(ends) == 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        uint32_t *memory = nullptr, *out = nullptr;
        dup2(ends[1], STDERR_FILENO);
        gf_emu_options.keep_going = false;
        gf_emu_reset();
        cudaMalloc(&memory, 512 * sizeof *memory);
        cudaMalloc(&out, 256 * sizeof *out);
        cudaMemsetAsync(memory, 0, 512 * sizeof *memory);
        launch({memory, out, memory + 256, 256});
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; used + 1 < size && (n = read(ends[0], last_words + used, size - used - 1)) > 0;) {
        used += static_cast<size_t>(n);
    }
    last_words[used] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

static char last_words[16384];

static void check_death(selftest_launch *launch, const char *report)
{
    CHECK(dies(launch, last_words, sizeof last_words));
    CHECK_STR_HAS(last_words, report);
    CHECK_STR_HAS(last_words, "kernel fault_");
}

#define OVERRUN(name, launch, report)                                                                        \
    static void name(void) { check_death(launch, HAVE_ASAN ? "AddressSanitizer" : report); }
OVERRUN(shared_overrun, fault_shared_overrun, "past the end of tile (132 bytes)")
OVERRUN(shared_underrun, fault_shared_underrun, "in front of tile (128 bytes)")
OVERRUN(device_overrun, fault_device_overrun, "past the end of a device array of 1024 bytes")
OVERRUN(device_underrun, fault_device_underrun, "in front of a device array of 1024 bytes")

static void aborts(void) { check_death(fault_deadlock, "thread (0,0,0) of block (1,0,0) at gf_poll"); }

/* Two threads on one word with nothing between them: only ThreadSanitizer sees it in any schedule. */
static void check_race(selftest_launch *launch, const char *where)
{
    if (!HAVE_TSAN) {
        SKIP("needs ThreadSanitizer: no schedule shows it, or see the case of the wrong result");
    }
    dies(launch, last_words, sizeof last_words);
    CHECK_STR_HAS(last_words, "data race");
    CHECK_STR_HAS(last_words, where);
    CHECK_STR_HAS(last_words, "emulator: in kernel fault_");
}

#define RACE(name)                                                                                           \
    static void race_##name(void) { check_race(fault_##name, "fault_" #name "_kernel"); }
RACE(missing_barrier)
RACE(missing_syncwarp)
RACE(shuffle_as_fence)
RACE(relaxed_flag)
RACE(plain_flag)
RACE(plain_add)
RACE(far_blocks)

static const struct check_case cases[] = {
    /* First those that fork: ThreadSanitizer does not follow fibres into a child. */
    {"fault: missing barrier, as a race", race_missing_barrier},
    {"fault: missing __syncwarp, as a race", race_missing_syncwarp},
    {"fault: a shuffle taken for a fence", race_shuffle_as_fence},
    {"fault: relaxed flag", race_relaxed_flag},
    {"fault: plain flag", race_plain_flag},
    {"fault: dropped atomic", race_plain_add},
    {"fault: two far blocks", race_far_blocks},
    {"fault: shared array overrun", shared_overrun},
    {"fault: shared array underrun", shared_underrun},
    {"fault: device array overrun", device_overrun},
    {"fault: device array underrun", device_underrun},
    {"fault: aborts unless told otherwise", aborts},
    {"reduce: shuffles, shared memory, atomics", reduces},
    {"scan: tickets and look-back", scans},
    {"histogram: dynamic shared memory, last block", counts},
    {"copy: asynchronous, 16 bytes", copies},
    {"operations: warp, votes, packed", operations},
    {"grid barrier", grid_barriers},
    {"atomics: types, compare and swap", atomics},
    {"schedules", schedules},
    {"fault: missing barrier", missing_barrier},
    {"fault: missing __syncwarp", missing_syncwarp},
    {"fault: missing wait", missing_wait},
    {"fault: unwritten shared memory", unwritten_shared},
    {"fault: divergent barrier", divergent_barrier},
    {"fault: exit in front of a barrier", early_exit},
    {"fault: deadlock", deadlock},
    {"fault: waiting for a block that has not started", block_order},
    {"fault: spinning without gf_poll", spin},
    {"fault: lanes missing from a full mask", wrong_mask},
    {"fault: mask without the caller", foreign_mask},
    {"fault: divergent warp", divergent_warp},
    {"fault: misaligned load", misaligned},
    {"fault: too much shared memory", shared_limit},
};
CHECK_MAIN(cases)
