/* fault_chain.h: a chain as a scenario of faults, from its text to results, a report and a verification. */
#ifndef FAULT_CHAIN_H
#define FAULT_CHAIN_H

#include "fault_scenario.h"
#include "gpufilter/gpufilter.h"

/* Room for its input and for its output; and where those are to be staged. */
enum { FAULT_PIXEL_BYTES = 1 << 15, FAULT_STAGED_BYTES = 5 << 18 };

enum chain_way {
    WAY_RUN,       /* gf_exec_run on host pictures */
    WAY_ENQUEUE,   /* gf_exec_enqueue and gf_exec_finish on pictures in device memory */
    WAY_STREAM,    /* gf_exec_stream, in bands of 10 rows */
    WAY_NO_PICTURE /* results only */
};

struct chain {
    const char *stages;
    gf_device device;
    gf_shape shape;
    gf_alpha alpha;
    bool no_fuse, own_memory;
    bool reads_again; /* no memory to hold the input between sweeps */
    bool rebinds;     /* after a failure the CPU takes over */
    enum chain_way way;
    bool verify;
    gf_device judge;
};

/* A scenario's `run`; how: a struct chain. */
void fault_chain_run(const void *how, struct fault_run *run);
/* The same by a gf_batch, for which stages, device and shape count (fault_batch.c). */
void fault_batch_run(const void *how, struct fault_run *run);

#endif
