/* points on the CPU: every thread counts its part of the picture, and then writes from where the parts before
 * it end. */
#include "base/team.h"
#include "pixel/points.h"

enum { PARTS_A_THREAD = 4 };

struct work {
    const struct gf_apply_run *run;
    struct gf_points_args args;
    uint64_t *counts; /* of each part; then where it begins */
    uint64_t most;    /* rows there is room for */
    bool writes;
};

/* What is found goes here; places NULL: it is only counted. */
struct found {
    uint64_t count, most;
    uint32_t *places;
    float *values;
    int32_t measured;
};

#define DEFINE_SCAN(type)                                                                                    \
    static void scan_##type(const struct work *work, int64_t y, int64_t x, int64_t end, struct found *found) \
    {                                                                                                        \
        const struct gf_plane *in = &work->run->in[0];                                                       \
        int32_t channels = work->run->in_values[0].channels;                                                 \
        float lo = work->args.lo, hi = work->args.hi;                                                        \
        const type *pixel = (const type *)((const char *)in->data + y * in->pitch) + x * channels;           \
        for (; x < end; x++, pixel += channels) {                                                            \
            bool is = true;                                                                                  \
            for (int32_t c = 0; c < channels; c++) {                                                         \
                float v = (float)pixel[c];                                                                   \
                is = is && ((v >= lo && v <= hi) || !(work->args.mask >> c & 1));                            \
            }                                                                                                \
            if (is && found->places && found->count < found->most) {                                         \
                float *values = found->values + found->count * (uint64_t)found->measured;                    \
                found->places[2 * found->count] = (uint32_t)x;                                               \
                found->places[2 * found->count + 1] = (uint32_t)y;                                           \
                for (int32_t c = 0; c < channels; c++) {                                                     \
                    if (work->args.mask >> c & 1) {                                                          \
                        *values++ = (float)pixel[c];                                                         \
                    }                                                                                        \
                }                                                                                            \
            }                                                                                                \
            found->count += is;                                                                              \
        }                                                                                                    \
    }
DEFINE_SCAN(uint8_t)
DEFINE_SCAN(uint16_t)
DEFINE_SCAN(float)

static void scan_part(void *argument, int i, int n)
{
    const struct work *work = argument;
    const struct gf_rect *roi = &work->args.roi;
    const struct gf_apply_run *run = work->run;
    gf_depth depth = run->in_values[0].depth;
    void (*scan)(const struct work *, int64_t, int64_t, int64_t, struct found *) =
        depth == GF_U8    ? scan_uint8_t
        : depth == GF_U16 ? scan_uint16_t
                          : scan_float;
    struct found found = {.most = work->most, .measured = __builtin_popcount(work->args.mask)};
    if (work->writes) {
        found.count = work->counts[i];
        found.places = run->out[1].data;
        found.values = run->out[2].data;
        if (found.count >= found.most) {
            return;
        }
    }
    int64_t pixels = roi->w * roi->h, end = pixels / n * (i + 1) + (i + 1 == n ? pixels % n : 0);
    for (int64_t at = pixels / n * i; at < end;) {
        int64_t y = at / roi->w, x = at % roi->w;
        int64_t count = roi->w - x < end - at ? roi->w - x : end - at;
        scan(work, roi->y + y, roi->x + x, roi->x + x + count, &found);
        at += count;
    }
    if (!work->writes) {
        work->counts[i] = found.count;
    }
}

static size_t points_scratch(const struct gf_apply_run *run)
{
#if GF_HAVE_CUDA
    if (run->queue.device >= 0) {
        return gf_points_cuda_scratch(run);
    }
#endif
    return (size_t)run->threads * PARTS_A_THREAD * sizeof(uint64_t);
}

static gf_status points_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work = {.run = run,
                        .counts = run->scratch,
                        .most = (uint64_t)(run->out_values[1].width / run->out_values[1].row)};
    int parts = run->threads * PARTS_A_THREAD;
    uint64_t before = 0, *counts = run->out[0].data;
    gf_args_get(&run->apply->args, &work.args, sizeof work.args);
    gf_team_run(run->team, parts, scan_part, &work);
    for (int i = 0; i < parts; i++) {
        uint64_t count = work.counts[i];
        work.counts[i] = before;
        before += count;
    }
    work.writes = true;
    gf_team_run(run->team, parts, scan_part, &work);
    counts[0] = before < work.most ? before : work.most;
    counts[1] = before;
    return GF_OK;
}

const struct gf_kernel gf_kernel_points = {
    .name = "points",
    .kind = GF_KERNEL_WHOLE,
    .apply_cpu = points_cpu,
    .apply_cuda = GF_CUDA_FN(gf_points_cuda),
    .apply_scratch = points_scratch,
    .judge = gf_judge_points,
    .words = "pixels to a table of points",
};
