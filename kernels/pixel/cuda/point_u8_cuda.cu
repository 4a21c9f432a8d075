/* Passes without a window over u8 pictures: 16 bytes an access, programs as tables, one HIST counted on the
 * way. A thread has a chunk of pixels; the last chunk of a row, and rows at other addresses, go byte by byte.
 */
#include "pixel/cuda/point_u8_cuda.cuh"
#include "pixel/cuda/point_u8_moved_cuda.h"

template <int C, int CI>
static __global__ void __launch_bounds__(GF_CHUNK_THREADS)
    gf_point_u8(const struct gf_pass_args a, const struct gf_chunk_params p)
{
    GF_SHARED(uint8_t, table, C * 256);
    GF_SHARED(uint32_t, counts, C * 256);
    gf_chunks_run<C, CI>(
        a, p, table, counts,
        [&](int64_t y, int64_t at, int32_t live, uint32_t(&w)[gf_chunk_shape<C, CI>::words_in]) {
            const unsigned char *from = a.in.data + y * a.in.pitch;
            gf_chunk_load(from + at * CI, p.wide_in, live * CI, w);
        });
}

static bool gf_is_packed(const struct gf_surface *s, int64_t width)
{
    return !s->data || s->pitch == width * s->channels;
}

template <int C, int CI>
static gf_status gf_chunks_launch(const struct gf_pass_args *args, struct gf_chunk_params p,
                                  const struct gf_run *run, gf_error *error)
{
    struct gf_pass_args a = *args;
    struct gf_launch launch = {};
    if (gf_is_packed(&a.in, a.width) && gf_is_packed(&a.out, a.width)) {
        a.width = a.width * a.height; /* one long row */
        a.height = 1;
        a.in.pitch = a.out.pitch = 0;
    }
    p.chunks = (a.width + gf_chunk_shape<C, CI>::pixels - 1) / gf_chunk_shape<C, CI>::pixels;
    p.wide_in = gf_is_aligned(&a.in, 16);
    p.wide_out = gf_is_aligned(&a.out, 16);
    GF_TRY(gf_chunks_grid(a, p, run, gf_point_u8<C, CI>, &launch, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_u8<C, CI>), launch, a, p));
    return GF_OK;
}

gf_status gf_point_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                             const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_u8_plan chosen = gf_u8_plan_make(run->pass), *const plan = &chosen;
    struct gf_chunk_params p = {};
    p.table_in = plan->tables[0];
    p.table_out = plan->tables[1];
    if (plan->tap == GF_NONE && plan->tables[0] != plan->tables[1]) {
        const struct gf_pass *pass = run->pass;
        p.step = plan->tables[0] ? gf_u8_step_make(run, &pass->pre, plan->gray)
                                 : gf_u8_step_make(run, &pass->post, 0);
    }
    if (plan->tap != GF_NONE) {
        p.counts = static_cast<uint64_t *>(run->taps[plan->tap]);
        p.counts_mask = run->pass->taps[plan->tap].mask;
    }
    if (gf_pass_is_moved(run)) {
        return gf_point_u8_moved_launch(args, p, plan, run, error);
    }
    return gf_chunks_by_shape(plan, [&](auto shape) {
        return gf_chunks_launch<decltype(shape)::channels, decltype(shape)::channels_in>(args, p, run, error);
    });
}
