/* parity.h: one --stages text on one picture, run by some executor and by the judge, compared bit for bit. */
#ifndef PARITY_H
#define PARITY_H

#include "gpufilter/gpufilter.h"

#include <stdbool.h>

/* One way to execute. */
struct parity_way {
    const char *name;
    gf_device device;
    int32_t no_fuse, threads, band_rows;
    int64_t stream_rows; /* not 0: from a source to a sink, in bands where the chain has them */
};

/* A picture with guard bytes around it and an odd pitch; data owned. */
struct parity_picture {
    gf_image image;
    unsigned char *memory;
    size_t size;
};

/* Ways to run on the CPU, and on CUDA device 0 (or its emulation) if there is one. */
const struct parity_way *parity_ways(int *count);

/* Tells whether there is a CUDA device, emulated or real. */
bool parity_has_cuda(void);

/* A picture whose rows are `slack` samples longer than needed, surrounded by guard bytes. */
bool parity_picture_make(struct parity_picture *picture, const gf_shape *shape, int32_t slack);
/* Tells whether no byte outside the samples was written since it was made. */
bool parity_picture_guarded(const struct parity_picture *picture);
void parity_picture_free(struct parity_picture *picture);

/* Runs the text on `in` by every way and compares pictures and results with the judge's, and the results of a
 * second run for results only. Returns the number of ways that agree, or -1 after describing the first
 * difference or failure in `why`. */
int parity_check(const char *text, const gf_image *in, gf_alpha alpha, char *why, size_t size);

/* The same by those ways. */
int parity_check_ways(const char *text, const gf_image *in, gf_alpha alpha, const struct parity_way *way,
                      int count, char *why, size_t size);

#endif
