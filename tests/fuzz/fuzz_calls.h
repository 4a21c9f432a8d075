/* fuzz_calls.h: what the program of fuzz_calls.c acts on, and its calls that run. */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "fuzz.h"

enum { SLOTS = 3 };

/* An exec, what its plan said, which may be gone, and the pictures of its last run. */
struct run {
    gf_exec *exec;
    gf_shape from, to;
    gf_device device;
    int32_t steps;
    int ran; /* in, out and the results belong together */
    gf_picture *in, *out;
};

struct world {
    const uint8_t *at, *end; /* the program */
    gf_context *context;
    gf_pipeline *pipelines[SLOTS];
    gf_plan *plans[SLOTS];
    struct run runs[SLOTS];
    gf_picture *pictures[SLOTS];
    long blocks; /* of the context's memory */
};

extern struct world world;

/* The next byte of the program, 0 behind its end. */
uint8_t next(void);

/* Destroys an exec and its pictures. */
void end_exec(struct run *run);

/* The calls, in fuzz_calls_run.c. */
void make_exec(void);
void run_now(void);
void run_wrong(void);
void stream(void);
void enqueue(void);
void finish(void);
void progress(void);
void ask_exec(void);
void verify(void);
void drop_exec(void);
void make_picture(void);
void picture_wrong(void);
void set_metadata(void);
void write_picture(void);
void drop_picture(void);

#endif
