/* "warp" on the CPU, and its entry: rows of the output over threads. */
#include "pixel/warp.h"

#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

#define ALWAYS static inline __attribute__((always_inline))

struct job {
    const struct gf_apply_run *run;
    struct gf_warp_args args;
    const float *table;
};

ALWAYS float load(const void *in, gf_depth depth, int64_t i)
{
    return depth == GF_U8    ? (float)((const uint8_t *)in)[i]
           : depth == GF_U16 ? (float)((const uint16_t *)in)[i]
                             : ((const float *)in)[i];
}

ALWAYS void store(void *out, gf_depth depth, int64_t i, float v)
{
    if (depth == GF_U8) {
        ((uint8_t *)out)[i] = gf_quantise_u8(v);
    } else if (depth == GF_U16) {
        ((uint16_t *)out)[i] = gf_quantise_u16(v);
    } else {
        ((float *)out)[i] = gf_canonical(v);
    }
}

/* Taps of one pixel: where its columns and rows lie, -1 for the constant border, and their weights. */
struct taps {
    int64_t column[GF_WARP_TAPS], row[GF_WARP_TAPS];
    float across[GF_WARP_TAPS], down[GF_WARP_TAPS];
};

ALWAYS void find_taps(const struct job *job, double u, double v, int filter, struct taps *t)
{
    const struct gf_value *in = &job->run->in_values[0];
    const int n = gf_warp_taps(filter);
    const int64_t x = gf_warp_weights(filter, job->table, u, t->across);
    const int64_t y = gf_warp_weights(filter, job->table, v, t->down);
    for (int i = 0; i < n; i++) {
        t->column[i] = gf_border_index(x + i, in->width, job->args.border);
        t->row[i] = gf_border_index(y + i, in->height, job->args.border);
    }
}

ALWAYS void warp_row(const struct job *job, int64_t y, gf_depth depth, int filter, int channels)
{
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const int n = gf_warp_taps(filter);
    char *to = (char *)out->data + (y - out->rows.first) * out->pitch;
    for (int64_t x = 0; x < job->run->out_values[0].width; x++) {
        double u, v;
        if (!gf_warp_place(&job->args, (double)x, (double)y, &u, &v)) {
            for (int c = 0; c < channels; c++) {
                store(to, depth, x * channels + c, job->args.fill[c]);
            }
            continue;
        }
        struct taps t;
        float sum[GF_WARP_CHANNELS] = {0};
        find_taps(job, u, v, filter, &t);
        for (int j = 0; j < n; j++) {
            const char *row = (const char *)in->data + (t.row[j] - in->rows.first) * in->pitch;
            float line[GF_WARP_CHANNELS] = {0};
            for (int i = 0; i < n; i++) {
                const bool outside = t.row[j] < 0 || t.column[i] < 0;
                for (int c = 0; c < channels; c++) {
                    const float p =
                        outside ? job->args.fill[c] : load(row, depth, t.column[i] * channels + c);
                    line[c] = i == 0 ? t.across[0] * p : gf_fma(t.across[i], p, line[c]);
                }
            }
            for (int c = 0; c < channels; c++) {
                const float w = t.down[GF_FAULT(warp_row) ? n - 1 - j : j];
                sum[c] = j == 0 ? w * line[c] : gf_fma(w, line[c], sum[c]);
            }
        }
        for (int c = 0; c < channels; c++) {
            store(to, depth, x * channels + c, sum[c]);
        }
    }
}

ALWAYS void warp_filter(const struct job *job, int64_t y, gf_depth depth, int channels)
{
    switch (job->args.filter) {
    case GF_WARP_NEAREST:
        warp_row(job, y, depth, GF_WARP_NEAREST, channels);
        break;
    case GF_WARP_LINEAR:
        warp_row(job, y, depth, GF_WARP_LINEAR, channels);
        break;
    case GF_WARP_CUBIC:
        warp_row(job, y, depth, GF_WARP_CUBIC, channels);
        break;
    default:
        warp_row(job, y, depth, GF_WARP_LANCZOS, channels);
    }
}

ALWAYS void warp_channels(const struct job *job, int64_t y, gf_depth depth)
{
    switch (job->run->in_values[0].channels) {
    case 1:
        warp_filter(job, y, depth, 1);
        break;
    case 2:
        warp_filter(job, y, depth, 2);
        break;
    case 3:
        warp_filter(job, y, depth, 3);
        break;
    default:
        warp_filter(job, y, depth, 4);
    }
}

static void work(void *argument, int i, int n)
{
    const struct job *job = argument;
    const struct gf_rows rows = job->run->out[0].rows;
    const gf_depth depth = job->run->in_values[0].depth;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int64_t y = rows.first + rows.count * i / n; y < rows.first + rows.count * (i + 1) / n; y++) {
        if (depth == GF_U8) {
            warp_channels(job, y, GF_U8);
        } else if (depth == GF_U16) {
            warp_channels(job, y, GF_U16);
        } else {
            warp_channels(job, y, GF_F32);
        }
    }
    gf_float_mode_restore(&saved);
}

static gf_status warp_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct job job = {.run = run};
    (void)error;
    gf_args_get(&run->apply->args, &job.args, sizeof job.args);
    job.table = job.args.filter == GF_WARP_LANCZOS ? run->in[1].data : NULL;
    gf_team_run(run->team, run->threads, work, &job);
    return GF_OK;
}

const struct gf_kernel gf_kernel_warp = {
    .name = "warp",
    .kind = GF_KERNEL_MAP,
    .apply_cpu = warp_cpu,
    .apply_cuda = GF_CUDA_FN(gf_warp_cuda),
    .judge = gf_judge_warp,
    .words = "pixels interpolated where a matrix finds them",
};
