/* Which depth an array of npy is delivered in, and samples on their way there. */
#pragma once

#include "gpufilter/types.h"

#include <stdint.h>

/* Brings `count` samples, of the host's byte order, to another place and depth. Steps are bytes from one
 * sample to the next; places need no alignment and do not overlap. */
typedef void gf_npy_converter(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step,
                              int64_t count);

struct gf_npy_type {
    gf_depth depth;            /* as delivered */
    gf_npy_converter *convert; /* NULL: as stored, but for the order of bytes and 0 and 255 for bool */
    const char *name;          /* NumPy's, "int16" */
    const char *what;          /* of the conversion, for a note; NULL: none to tell */
};

/* The type of an array of this kind and size, 'i' and 2, with gf_io_limits.result_depths; 0: not read. */
int gf_npy_choose(char kind, int size, uint32_t result_depths, struct gf_npy_type *type);
