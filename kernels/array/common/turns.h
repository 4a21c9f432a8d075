/* Chunks of an array for the threads of a CPU variant: handed out in order, and passing something on in
 * order.
 *
 *     while ((chunk = gf_turn_take(&turns)) < chunks) {
 *         ... look at the chunk, which brings it into this core's cache
 *         gf_turn_wait(&turns, chunk);
 *         ... read what the chunks before left, leave the same for the next
 *         gf_turn_pass(&turns);
 *         ... write the chunk's results
 *     }
 *
 * The thread that holds the lowest chunk never waits, so any number of threads makes progress. */
#pragma once

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

struct gf_turns {
    _Alignas(64) atomic_llong taken;
    _Alignas(64) atomic_llong turn;
};

static inline int64_t gf_turn_take(struct gf_turns *turns)
{
    return atomic_fetch_add_explicit(&turns->taken, 1, memory_order_relaxed);
}

static inline void gf_turn_wait(struct gf_turns *turns, int64_t chunk)
{
    for (int spins = 0; atomic_load_explicit(&turns->turn, memory_order_acquire) != chunk; spins++) {
        if (spins > 200) { /* more threads than cores, perhaps */
            sched_yield();
        }
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
}

static inline void gf_turn_pass(struct gf_turns *turns)
{
    atomic_fetch_add_explicit(&turns->turn, 1, memory_order_release);
}
