/* What the files of quantize on CUDA share. */
#ifndef GF_QUANTIZE_CUDA_CUH
#define GF_QUANTIZE_CUDA_CUH

#include "base/cuda_status.h"
#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/whole/quantize/quantize.h"

enum {
    GF_QUANTIZE_THREADS = GF_QUANTIZE_MOST, /* a thread a colour, too */
    GF_QUANTIZE_RUN = 32,
    GF_QUANTIZE_CELLS = 16, /* of a thread */
    GF_QUANTIZE_FIELDS = 1 + GF_QUANTIZE_CHANNELS,
    GF_QUANTIZE_ENDS = 2 * GF_QUANTIZE_CHANNELS,
    GF_QUANTIZE_STATES = 3
};

/* What is known of the boxes between two cuts. Atomics add it up, from zeros. */
struct gf_quantize_boxes {
    uint64_t sums[GF_QUANTIZE_MOST][GF_QUANTIZE_FIELDS]; /* pixels, and sums of their places */
    uint32_t ends[GF_QUANTIZE_MOST]
                 [GF_QUANTIZE_ENDS]; /* of each channel the greatest 255 - place, and place */
    uint32_t count[4];               /* how many boxes there are; the rest is never read */
};

/* Pixels of a colour, and what their samples add up to. */
struct gf_quantize_added {
    uint64_t of[GF_QUANTIZE_MOST][GF_QUANTIZE_FIELDS];
};

struct gf_quantize_params {
    const uint8_t *in;
    uint8_t *out;
    int64_t in_pitch, out_pitch, width, height;
    int32_t channels, cells;
    struct gf_quantize_args args;
    const uint32_t *given;
    uint32_t *palette; /* [GF_QUANTIZE_PALETTE] */
    uint64_t *sums;    /* [cells][GF_QUANTIZE_FIELDS] */
    /* [GF_QUANTIZE_STATES]: cut i reads number i, counted modulo GF_QUANTIZE_STATES, makes the next, and
     * clears the one behind it. */
    struct gf_quantize_boxes *boxes;
    struct gf_quantize_added *added; /* [1 + GF_QUANTIZE_ROUNDS] */
    uint32_t *box;                   /* of each cell */
    int16_t *line;                   /* [width][3]: errors of the last row of a band of rows */
};

/* Bytes of what is cleared before pixels are counted: all but the line of errors, which lies behind. */
static inline size_t gf_quantize_cleared(int32_t cells)
{
    return static_cast<size_t>(cells) * (GF_QUANTIZE_FIELDS * sizeof(uint64_t) + sizeof(uint32_t)) +
           GF_QUANTIZE_STATES * sizeof(struct gf_quantize_boxes) +
           (1 + GF_QUANTIZE_ROUNDS) * sizeof(struct gf_quantize_added);
}

/* The index of the nearest of n colours. */
GF_DEVICE_FN int32_t gf_quantize_closest(const uint32_t *colours, int32_t n, int32_t channels,
                                         const int32_t v[4])
{
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < n; i++) {
        const uint32_t colour = colours[i];
        int32_t distance = 0;
        GF_UNROLL
        for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
            const int32_t d = c < channels ? v[c] - int32_t(colour >> 8 * c & 255) : 0;
            distance += d * d;
        }
        const int32_t key = distance * 256 + i;
        best = key < best ? key : best;
    }
    return best & 255;
}

/* Queues what counts the pixels and makes p.palette of them, or of the palette that is given. */
gf_status gf_quantize_find_cuda(const struct gf_quantize_params &p, cudaStream_t stream, gf_error *error);

#endif
