/* What blocks share (gf_atomic.h): tickets, the last block, the barrier of the grid. On a GPU; with the
 * emulator under several schedules. */
#include "base/gf_cuda.h"

#include "check.h"

#include <algorithm>
#include <vector>

#ifdef GF_EMU
#include "emu_control.h"
enum { SCHEDULES = 16 };
static void schedule(int i)
{
    static const uint64_t asked = gf_emu_options.seed;
    gf_emu_options.seed = asked != 0 ? asked : static_cast<uint64_t>(i);
}
#else
enum { SCHEDULES = 4 }; /* as the GPU pleases */
static void schedule(int) {}
#endif

enum { BLOCK = 96, BLOCKS = 7, TOGETHER = 4, ROUNDS = 3 };

/* Words of device memory, zeroed. */
struct words {
    uint32_t *data = nullptr;
    size_t n;
    explicit words(size_t count) : n(count)
    {
        CHECK_EQ_INT(cudaMalloc(reinterpret_cast<void **>(&data), n * sizeof *data), cudaSuccess);
        CHECK_EQ_INT(cudaMemsetAsync(data, 0, n * sizeof *data, nullptr), cudaSuccess);
    }
    ~words() { cudaFree(data); }
    words(const words &) = delete;
    words &operator=(const words &) = delete;
    std::vector<uint32_t> get() const
    {
        std::vector<uint32_t> copy(n);
        CHECK_EQ_INT(cudaMemcpy(copy.data(), data, n * sizeof *data, cudaMemcpyDeviceToHost), cudaSuccess);
        return copy;
    }
};

static bool no_device()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0;
}

/* seen[round][block][thread]: the tickets of a thread, ROUNDS in turn through one slot. */
static __global__ void __launch_bounds__(BLOCK) take_tickets(uint32_t *counter, uint32_t *seen)
{
    GF_SHARED(uint32_t, slot, 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seen[(round * gridDim.x + blockIdx.x) * BLOCK + threadIdx.x] = gf_ticket(counter, slot);
    }
}

static void tickets()
{
    if (no_device()) {
        SKIP("no CUDA device");
    }
    for (int i = 0; i < SCHEDULES; i++) {
        const words counter(1), seen(ROUNDS * BLOCKS * BLOCK);
        std::vector<uint32_t> drawn;
        schedule(i);
        CHECK_EQ_INT(GF_LAUNCH(take_tickets, (gf_launch{BLOCKS, BLOCK}), counter.data, seen.data),
                     cudaSuccess);
        const std::vector<uint32_t> all = seen.get();
        for (size_t at = 0; at < all.size(); at++) {
            CHECK_EQ_INT(all[at], all[at - at % BLOCK]); /* the same in all threads of a block */
            if (at % BLOCK == 0) {
                drawn.push_back(all[at]);
            }
        }
        for (size_t block = 0; block < BLOCKS; block++) {
            CHECK(drawn[block] < drawn[BLOCKS + block]); /* in the order in which the block asked */
        }
        std::sort(drawn.begin(), drawn.end());
        for (size_t n = 0; n < drawn.size(); n++) {
            CHECK_EQ_INT(drawn[n], n);
        }
    }
}

/* Every thread writes a word; the threads of the last block add up what all blocks wrote. last: how many
 * threads took themselves for that block's. */
static __global__ void __launch_bounds__(BLOCK)
    add_in_last_block(uint32_t *counter, uint32_t *parts, uint32_t *last, uint32_t *sum)
{
    GF_SHARED(uint32_t, slot, 1);
    parts[blockIdx.x * BLOCK + threadIdx.x] = 1 + blockIdx.x * BLOCK + threadIdx.x;
    if (gf_last_block(counter, gridDim.x, slot)) {
        uint32_t own = 0;
        for (uint32_t block = 0; block < gridDim.x; block++) {
            own += parts[block * BLOCK + threadIdx.x];
        }
        gf_atomic_add(last, 1u);
        gf_atomic_add(sum, own);
    }
}

/* Several launches with one counter, which nobody sets to zero in between. */
static void last_block()
{
    if (no_device()) {
        SKIP("no CUDA device");
    }
    const words counter(1);
    for (int i = 0; i < SCHEDULES; i++) {
        const uint32_t blocks = 1 + static_cast<uint32_t>(i) % BLOCKS, n = blocks * BLOCK;
        const words parts(n), last(1), sum(1);
        schedule(i);
        CHECK_EQ_INT(GF_LAUNCH(add_in_last_block, (gf_launch{blocks, BLOCK}), counter.data, parts.data,
                               last.data, sum.data),
                     cudaSuccess);
        CHECK_EQ_INT(last.get()[0], BLOCK);
        CHECK_EQ_INT(sum.get()[0], n * (n + 1) / 2);
        CHECK_EQ_INT(counter.get()[0], 0);
    }
}

/* In every round each block writes its number plus the round, and then adds up what all wrote. */
static __global__ void __launch_bounds__(BLOCK) meet(uint32_t *count, uint32_t *cells, uint32_t *sums)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == BLOCK - 1) {
            cells[blockIdx.x] = blockIdx.x + round;
        }
        gf_grid_barrier(count);
        if (threadIdx.x == 0) {
            for (uint32_t block = 0; block < gridDim.x; block++) {
                sums[round * gridDim.x + blockIdx.x] += cells[block];
            }
        }
        gf_grid_barrier(count); /* nobody writes before all have read */
    }
}

static void grid_barrier()
{
    if (no_device()) {
        SKIP("no CUDA device");
    }
    for (int i = 0; i < SCHEDULES; i++) {
        const words count(1), cells(TOGETHER), sums(ROUNDS * TOGETHER);
        gf_launch launch = {TOGETHER, BLOCK};
        launch.cooperative = true;
        schedule(i);
        CHECK_EQ_INT(GF_LAUNCH(meet, launch, count.data, cells.data, sums.data), cudaSuccess);
        const std::vector<uint32_t> all = sums.get();
        for (uint32_t at = 0; at < all.size(); at++) {
            CHECK_EQ_INT(all[at], TOGETHER * (TOGETHER - 1) / 2 + TOGETHER * (at / TOGETHER));
        }
        CHECK_EQ_INT(count.get()[0], 2 * ROUNDS * TOGETHER);
    }
}

static const struct check_case cases[] = {
    {"tickets", tickets}, {"last block", last_block}, {"grid barrier", grid_barrier}};
CHECK_MAIN(cases)
