/* Pictures of host memory through one plan, several at a time: checked, then timed. */
#pragma once

#include "bench/bench_runner.h"

struct bench_flight {
    gf_context *context;
    struct prim_device *device;
    const struct prim_how *how;
    const char *stages;
    gf_shape shape;
    bool pinned;
    int flights;     /* execs, each with a thread of the caller's and pictures of its own */
    int32_t threads; /* of each plan; 0: how->threads */
};

enum { BENCH_MOST_FLIGHTS = 8 };

/* Checks what a GPU makes of a picture against the CPU, or the CPU against a judge. Then, unless the device
 * is emulated, times rounds of many pictures: microseconds a picture, from host memory to host memory. Each
 * exec goes through several pictures, which together do not fit in a cache. GB/s count a picture that enters
 * and one that leaves; the fraction is of copies alone, of the same bytes, from pinned memory and back at the
 * same time. Fills the row from `verdict` on; failures stand in `error` unsaid. */
gf_status bench_flight_measure(const struct bench_flight *flight, struct bench_row *row, gf_error *error);
