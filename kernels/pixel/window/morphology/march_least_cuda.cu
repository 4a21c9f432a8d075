/* Rectangles of least and greatest samples that fit the chip: the launch of march_least_cuda.cuh, with
 * whatever programs around it through memory. */
#include "pixel/window/morphology/march_least_cuda.cuh"

#include "pixel/window/morphology/march_least_cuda.h"
#include "pixel/window/morphology/morphology.h"
#include "pixel/window/morphology/spans_cuda.h"

enum { GF_LEAST_TALL = 10 }; /* rows above and below */

/* Words that begin so many samples beside a lane's own. */
template <class T, int W> static struct gf_least_term<W> gf_least_term_make(int64_t samples) {
    struct gf_least_term<W> term = {
    };
    const int64_t bytes = samples * int64_t(sizeof(T)), shift = gf_modulo(bytes, 4);
    for (int i = 0; i <= W; i++) {
        const int64_t word = (bytes - shift) / 4 + i, place = gf_modulo(word, W);
        term.at[i] = static_cast<int32_t>(place * GF_WARP + (word - place) / W);
    }
    term.shift = static_cast<uint32_t>(8 * shift);
    return term;
}

/* How the window of a pixel is put together: spans of `span` pixels that begin `shift` pixels before theirs:
 * one is the pixel's own, then the others, and their number. */
struct gf_least_plan {
    int64_t shift;
    int32_t terms;
    int64_t at[3]; /* from the own one on */
};

/* The plan of fewest terms, with a shift that `step` divides. A plan of more than 3 terms is none. */
static struct gf_least_plan gf_least_plan_make(int64_t left, int64_t window, int64_t span, int64_t step)
{
    struct gf_least_plan best = {0, INT32_MAX, {}};
    for (int64_t shift = 0; shift < span; shift += step) {
        const int64_t own = left - shift, rest = window - own - span; /* before it, and behind it */
        const int64_t terms = (own + span - 1) / span + (rest + span - 1) / span;
        if (own < 0 || rest < 0 || terms >= best.terms) {
            continue;
        }
        best.shift = shift;
        best.terms = 0;
        for (int64_t k = 1; (k - 1) * span < own && best.terms < 3; k++) {
            best.at[best.terms++] = k * span < own ? -k * span : -own;
        }
        for (int64_t k = 1; (k - 1) * span < rest && best.terms < 3; k++) {
            best.at[best.terms++] = k * span < rest ? k * span : rest;
        }
        best.terms = static_cast<int32_t>(terms);
    }
    return best;
}

template <class CHUNK>
static void gf_least_terms_make(const struct gf_morphology_args &args, struct gf_least_params<CHUNK> *p)
{
    using T = typename CHUNK::sample;
    constexpr int W = CHUNK::W;
    const int64_t apart = 8 * int64_t(sizeof(T)) * p->channels;
    p->near = W == 4 && args.left == 1 && args.right == 1 && apart < 32 ? static_cast<uint32_t>(apart) : 0;
    const int64_t window = int64_t(args.left) + args.right + 1;
    int64_t span = 1;
    for (p->levels = 0; 4 * span < window; p->levels++) {
        span *= 4;
    }
    struct gf_least_plan plan = gf_least_plan_make(args.left, window, span, 4);
    p->quads = apart == 8 && p->levels > 0 && plan.terms <= 3;
    if (!p->quads) {
        plan = gf_least_plan_make(args.left, window, span, 1);
    }
    int64_t of_level = 1;
    for (int32_t level = 0; level < p->levels; level++, of_level *= 4) {
        const int64_t before = plan.shift / of_level % 4;
        for (int64_t k = 0; k < 3; k++) {
            p->level[level][k] =
                gf_least_term_make<T, W>((k < before ? k - before : k - before + 1) * of_level * p->channels);
        }
    }
    p->terms = plan.terms;
    for (int32_t k = 0; k < plan.terms; k++) {
        p->last[k] = gf_least_term_make<T, W>(plan.at[k] * p->channels);
    }
}

/* Bytes of a chunk. Low windows of u8 take as long as the rows around their sums; tall ones hold many rows.
 */
static int32_t gf_least_chunk_bytes(gf_depth depth, const struct gf_morphology_args &args)
{
    return depth == GF_U8 && args.up + args.down >= GF_LEAST_TALL ? 8 : 16;
}

/* Bytes of dynamic shared memory of a warp. */
static size_t gf_least_warp_bytes(int32_t chunk, const struct gf_morphology_args &args)
{
    const int64_t ring = chunk == 8 ? 8 : 6;
    return static_cast<size_t>((ring + args.up + args.down + 1) * GF_WARP * chunk);
}

bool gf_march_least_takes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    struct gf_morphology_args args;
    gf_args_get(&window->args.own, &args, sizeof args);
    const int64_t widest = args.left > args.right ? args.left : args.right;
    const int64_t reach = widest * window->channels_in;
    const int32_t chunk = gf_least_chunk_bytes(window->depth_in, args);
    bool fills_alike = true; /* a chunk is filled with one sample */
    for (int32_t c = 1; c < window->channels_in; c++) {
        fills_alike = fills_alike && memcmp(&window->fill[c], &window->fill[0], sizeof(float)) == 0;
    }
    return reach <= HALO_LANES * chunk / gf_sample_bytes(window->depth_in) &&
           2 * reach <= PATCHES * GF_WARP && gf_least_warp_bytes(chunk, args) <= SLOT_BYTES &&
           pass->width <= SIDE / window->channels_in && pass->height <= SIDE &&
           (fills_alike || window->border != GF_BORDER_CONSTANT);
}

template <class CHUNK>
static gf_status gf_march_least_queue(const struct gf_pass_args *args, const struct gf_run *run,
                                      const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    const int64_t chunk = CHUNK::P;
    struct gf_pass_args with = *args;
    struct gf_morphology_args m;
    struct gf_least_params<CHUNK> p = {
    };
    struct gf_spans spans;
    struct gf_launch launch = {};
    gf_args_get(&window->args.own, &m, sizeof m);
    gf_spans_make(&spans, &with, run, m.invert);
    if (!gf_only_prepares(run)) {
        GF_TRY(gf_window_input(&with, run, layout, error));
        gf_spans_make(&spans, &with, run, m.invert);
        gf_spans_begin_output(&spans, args, static_cast<unsigned char *>(run->scratch) + layout->middle);
    }
    p.channels = window->channels_in;
    p.up = m.up;
    p.down = m.down;
    p.rows = m.up + m.down + 1;
    p.reach = (m.left > m.right ? m.left : m.right) * p.channels;
    p.halo_left = static_cast<int32_t>((m.left * p.channels + chunk - 1) / chunk);
    p.halo_right = static_cast<int32_t>((m.right * p.channels + chunk - 1) / chunk);
    p.flip = m.invert;
    gf_least_terms_make(m, &p);
    struct gf_pass_args alone = with; /* without the programs */
    alone.in = spans.in;
    alone.out = spans.out;
    const uint32_t fill = gf_least_bits<typename CHUNK::sample>(spans.fill[0], m.invert);
    gf_march_params_make<CHUNK>(&alone, run, fill, &p.march);
    p.march.width *= p.channels;
    const size_t bytes = gf_least_warp_bytes(4 * CHUNK::W, m);
    const int warps = 4 * bytes <= SLOT_BYTES ? 4 : 2 * bytes <= SLOT_BYTES ? 2 : 1;
    launch.block = dim3(static_cast<unsigned>(warps * GF_WARP));
    launch.stream = gf_run_stream(run);
    launch.shared = static_cast<size_t>(warps) * bytes;
    launch.grid.x = gf_blocks(p.march.width, (GF_WARP - p.halo_left - p.halo_right) * chunk * warps);
    const int32_t least = p.rows + p.rows / 2; /* rows beyond a segment are taken twice */
    GF_TRY(gf_segments_make(run, gf_march_least<CHUNK>, warps * GF_WARP, launch.grid.x, args->height,
                            least > 8 ? least : 8, p.rows, &launch, &p.march.segments, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_march_least<CHUNK>, launch, p));
    return gf_spans_end_output(&spans, &with, error);
}

gf_status gf_march_least_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                const struct gf_scratch_layout *layout, gf_error *error)
{
    struct gf_morphology_args m;
    gf_args_get(&run->pass->window.args.own, &m, sizeof m);
    switch (run->pass->window.depth_in) {
    case GF_U8:
        return gf_least_chunk_bytes(GF_U8, m) == 8
                   ? gf_march_least_queue<gf_least_chunk<uint8_t, 8>>(args, run, layout, error)
                   : gf_march_least_queue<gf_least_chunk<uint8_t, 16>>(args, run, layout, error);
    case GF_U16:
        return gf_march_least_queue<gf_least_chunk<uint16_t, 16>>(args, run, layout, error);
    default:
        return gf_march_least_queue<gf_least_chunk<uint32_t, 16>>(args, run, layout, error);
    }
}
