#include "pixel/along/formula_along.h"

#include "pixel/cpu/cpu_rows.h"
#include "pixel/judge/reference_parts.h"
#include "signal/signal_cuda.h"

enum { FRAMES = 64 }; /* at a time */

static int32_t outputs(const void *args, int32_t channels)
{
    (void)args;
    return channels;
}

static size_t table_bytes(const void *args)
{
    const struct gf_signal_formula *a = args;
    return (size_t)(GF_FORMULA_READS + a->rows * GF_FORMULA_WIDTH) * sizeof *a->table;
}

static const float *steps_of(const struct gf_signal_formula *a, int32_t channel)
{
    return a->table + GF_FORMULA_READS + (a->rows == 1 ? 0 : channel) * GF_FORMULA_WIDTH;
}

static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_formula *a = args;
    float v[GF_FORMULA_READS + 1];
    for (int64_t i = 0; i < frames * a->channels; i++) {
        v[0] = in[i];
        for (int32_t k = 0; k < a->reads; k++) {
            v[k + 1] = in[(int64_t)a->table[k] * frames + i % frames];
        }
        out[i] = gf_canonical(gf_judge_formula(steps_of(a, (int32_t)(i / frames)), GF_FORMULA_WIDTH, v, 0));
    }
}

/* The row functions of pictures have a pixel's channels side by side: here those that are read. */
static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_formula *a = args;
    const struct gf_cpu_rows *rows = gf_cpu_rows_best();
    const int32_t n = a->reads + 1;
    float v[FRAMES * (GF_FORMULA_READS + 1)], made[FRAMES * (GF_FORMULA_READS + 1)];
    (void)state;
    (void)frames;
    for (int64_t at = 0; at < out->count; at += FRAMES) {
        const int64_t count = out->count - at < FRAMES ? out->count - at : FRAMES;
        const float *x = in->data + (out->first - in->first) + at;
        for (int32_t k = 0; k < a->reads; k++) {
            const float *other = x + (int64_t)a->table[k] * in->pitch;
            for (int64_t i = 0; i < count; i++) {
                v[i * n + k + 1] = other[i];
            }
        }
        for (int32_t c = 0; c < channels; c++) {
            for (int64_t i = 0; i < count; i++) {
                v[i * n] = x[c * in->pitch + i];
            }
            rows->formula(steps_of(a, c), GF_FORMULA_WIDTH, v, made, count, n, 0);
            for (int64_t i = 0; i < count; i++) {
                out->data[c * out->pitch + at + i] = gf_canonical(made[i * n]);
            }
        }
    }
}

const struct gf_signal_kernel gf_signal_formula = {
    .name = "formula",
    .length = gf_signal_same,
    .ready = gf_signal_same,
    .needs = gf_signal_same,
    .state_bytes = gf_signal_no_state,
    .judge = judge,
    .run_cpu = run_cpu,
    .scratch_bytes = gf_signal_formula_cuda_scratch,
    .run_cuda = gf_signal_formula_cuda,
    .table_bytes = table_bytes,
    .outputs = outputs,
};
