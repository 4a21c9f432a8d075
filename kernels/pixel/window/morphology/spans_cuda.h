/* Least samples of spans in memory, of any size: what windows of least and greatest samples do where they do
 * not fit the chip. Private to the CUDA backend. Samples are keys, as in least_cuda.cuh. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

/* A picture of keys in scratch: rows of `pitch` bytes, a multiple of 4, behind the last of which
 * GF_SPANS_BEHIND more can be read. */
enum { GF_SPANS_BEHIND = 16 };
struct gf_spans_plane {
    unsigned char *data;
    int64_t pitch, rows;
};

/* Bytes of a plane of so many rows of so many samples. */
static inline size_t gf_spans_pitch(int64_t samples, gf_depth depth)
{
    return static_cast<size_t>((samples * gf_sample_bytes(depth) + 15) / 16 * 16);
}
static inline size_t gf_spans_bytes(int64_t samples, int64_t rows, gf_depth depth)
{
    return (gf_spans_pitch(samples, depth) * static_cast<size_t>(rows) + GF_SPANS_BEHIND + 255) / 256 * 256;
}

/* What a window of a run needs: filled once, then handed to the functions below. */
struct gf_spans {
    const struct gf_run *run;
    struct gf_surface in, out; /* the window's input and output */
    int64_t width, height;     /* pixels */
    int64_t left, up; /* planes begin that much left of the picture; offsets of rows count from there */
    int32_t border;
    uint32_t flip;
    uint32_t fill[GF_MAX_CHANNELS]; /* keys */
};
void gf_spans_make(struct gf_spans *spans, const struct gf_pass_args *args, const struct gf_run *run,
                   uint32_t flip);

/* The picture's keys, `samples` a row, which begin `left` pixels left of it. */
gf_status gf_spans_extend(const struct gf_spans *spans, const struct gf_spans_plane *to, int64_t samples,
                          gf_error *error);

/* Each of `samples` samples of a row the least of those at four offsets: samples to the right (dx), rows
 * below (dy). outside: rows of `from` are those of the picture, read by the border's rule from -up on. to
 * NULL: into the window's output. */
struct gf_spans_step {
    int64_t dx[4], dy[4];
    int64_t samples;
    bool outside;
};
gf_status gf_spans_least(const struct gf_spans *spans, const struct gf_spans_step *step,
                         const struct gf_spans_plane *from, const struct gf_spans_plane *to, gf_error *error);

/* Each pixel of the output the least of runs (footprint.h), from planes of spans of 1, 2, 4, ... pixels,
 * `plane` bytes apart. */
gf_status gf_spans_runs(const struct gf_spans *spans, const struct gf_spans_plane *level, size_t plane,
                        const int16_t *runs, int32_t count, gf_error *error);

/* Bytes of the window's output in scratch, where a program comes behind it. */
size_t gf_spans_output_bytes(const struct gf_pass *pass);

/* Sets spans->out to where the window's output goes: the picture, or `scratch`; and then runs the program
 * behind it. */
bool gf_spans_begin_output(struct gf_spans *spans, const struct gf_pass_args *args, void *scratch);
gf_status gf_spans_end_output(const struct gf_spans *spans, const struct gf_pass_args *args, gf_error *error);
