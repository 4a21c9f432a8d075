/* Pictures whose rows begin at multiples of 16 bytes, as lines that warps take in chunks of 16 bytes a lane.
 * The rows of a packed picture are one line. */
#ifndef GF_PIXEL_TAP_LINES_CUDA_CUH
#define GF_PIXEL_TAP_LINES_CUDA_CUH

#include "pixel/tap/tap_cuda.cuh"

enum {
    GF_CHUNK_VECTORS = 3, /* of a lane: so a chunk has whole pixels of 1 to 4 channels */
    GF_CHUNK = GF_CHUNK_VECTORS * GF_WARP * 16
};

struct gf_lines {
    const unsigned char *data;
    int64_t pitch, bytes, count; /* bytes of a line */
    int64_t width;               /* pixels of a line of several */
    uint32_t chunks;             /* of a line */
};

/* False: a picture that cannot be taken so, or not by 32-bit numbers. */
static inline bool gf_lines_make(const struct gf_surface *picture, int64_t width, int64_t height,
                                 struct gf_lines *lines)
{
    const int64_t row = width * picture->channels * gf_sample_bytes(picture->depth);
    const bool packed = picture->pitch == row || height == 1;
    const int64_t bytes = packed ? row * height : row, count = packed ? 1 : height;
    const int64_t chunks = (bytes + GF_CHUNK - 1) / GF_CHUNK;
    *lines = {picture->data, picture->pitch, bytes, count, width, static_cast<uint32_t>(chunks)};
    return picture->channels <= 4 && reinterpret_cast<uintptr_t>(picture->data) % 16 == 0 &&
           (packed || picture->pitch % 16 == 0) && chunks * count <= INT32_MAX;
}

/* A lane's share of a chunk: bytes at `at` + k * 512 of line `line`, `left` of them or fewer. */
struct gf_chunk {
    int64_t line, at, left;
    uint4 vectors[GF_CHUNK_VECTORS];
};

GF_DEVICE_FN int64_t gf_chunk_left(const struct gf_chunk &chunk, int k)
{
    return chunk.left - k * (GF_WARP * 16);
}

/* Loads a vector; of one that is not whole, what there is, and zeros. */
GF_DEVICE_FN struct gf_chunk gf_chunk_load(const struct gf_lines &lines, uint32_t unit)
{
    struct gf_chunk chunk;
    chunk.line = unit / lines.chunks;
    chunk.at = int64_t(unit - static_cast<uint32_t>(chunk.line) * lines.chunks) * GF_CHUNK + gf_lane() * 16;
    chunk.left = lines.bytes - chunk.at;
    const unsigned char *const from = lines.data + chunk.line * lines.pitch + chunk.at;
#pragma unroll
    for (int k = 0; k < GF_CHUNK_VECTORS; k++) {
        const int64_t left = gf_chunk_left(chunk, k);
        chunk.vectors[k] = make_uint4(0, 0, 0, 0);
        if (left >= 16) {
            chunk.vectors[k] = gf_load16(from + k * GF_WARP * 16, GF_STREAM);
        } else if (left > 0) {
            uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
            for (int j = 0; j < 16; j++) {
                words[j / 4] |= j < left ? uint32_t(from[k * GF_WARP * 16 + j]) << (j % 4 * 8) : 0U;
            }
            chunk.vectors[k] = make_uint4(words[0], words[1], words[2], words[3]);
        }
    }
    return chunk;
}

/* tap_lines_cuda.cu. Counts a HIST tap, which was cleared; *taken: there is a kernel for it. */
gf_status gf_count_launch(const struct gf_lines *lines, const struct gf_surface *picture,
                          const struct gf_hist_params *h, cudaStream_t stream, bool *taken, gf_error *error);

/* STATS of bytes from their counts, [channels][259], and one look at the picture for positions, which ends
 * where both are found. scratch: gf_stats_of_counts_scratch bytes, all zero. */
size_t gf_stats_of_counts_scratch(int32_t channels);
gf_status gf_stats_of_counts_launch(const struct gf_lines *lines, const struct gf_surface *picture,
                                    const uint64_t *counts, int32_t mask, void *scratch,
                                    struct gf_stats_block *out, cudaStream_t stream, gf_error *error);

#endif
