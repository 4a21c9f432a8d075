/* How "auto" cuts lines into passes, and how each is launched. */
#ifndef GF_FOURIER_FFT_LAUNCH_CUDA_CUH
#define GF_FOURIER_FFT_LAUNCH_CUDA_CUH

#include "fourier/fft_filter_cuda.cuh"

constexpr int64_t CAP = 1024;  /* points of one pass of several */
constexpr int64_t CHUNK = 512; /* times MOST_HOLD, or the caller's tile: numbers that wait between passes */
constexpr int64_t LEAST_HOLD = 6144,
                  MOST_HOLD = 29056; /* that a block has room for, on any device and on Hopper */

/* ---- Passes ------------------------------------------------------------------------------------------ */

/* The stages of each pass: those of pass i end at stage end[i]. */
struct cuts {
    int32_t count;
    int32_t end[GF_FFT_STAGES + 1];
};

struct work {
    const struct gf_fft_call *call;
    int64_t hold;     /* numbers that a block has room for */
    int64_t wait;     /* and that wait in memory between passes, about */
    float *buffer[2]; /* between passes */
    float *spectrum;
};

/* As few passes as `most` points a pass allow. */
static cuts cut_at(const struct gf_fft_line *line, int64_t most)
{
    cuts c = {};
    int64_t points = 1;
    for (int32_t s = 0; s < line->stages; s++) {
        if (points * line->stage[s].radix > most && s > 0) {
            c.end[c.count++] = s;
            points = 1;
        }
        points *= line->stage[s].radix;
    }
    c.end[c.count++] = line->stages;
    return c;
}

static const struct gf_fft_line *smooth(const struct gf_fft_line *line)
{
    return line->sum ? line->sum : line;
}

/* One pass where a block has room for a row, or for four columns, a sector of memory; else passes that are
 * about equal.
 */
static cuts cut(const gf_fft_lines_job *job, int64_t hold)
{
    const struct gf_fft_line *line = smooth(job->line);
    if (line->n * (job->columns ? gf_least(4, job->count) : 1) <= hold) {
        return cut_at(line, line->n);
    }
    int64_t most = gf_least(CAP, hold / 8);
    const int32_t count = cut_at(line, most).count;
    while (most > 8 && cut_at(line, most * 7 / 8).count == count) {
        most = most * 7 / 8;
    }
    return cut_at(line, most);
}

/* Tells whether what pairs have become waits in memory to be split. */
static bool splits_apart(const gf_fft_lines_job *job, const cuts &c)
{
    return job->to.kind == GF_FFT_PAIRS && (c.count > 1 || job->line->sum);
}

/* Buffers between passes, and how many lines go through them at a time. */
static int buffers_of(const gf_fft_lines_job *job, const cuts &c, int64_t wait, int64_t *chunk)
{
    const int between = c.count * (job->line->sum ? 2 : 1) - 1 + splits_apart(job, c);
    const int64_t fit = gf_greatest(1, wait / smooth(job->line)->n);
    *chunk = gf_least(job->count, between == 0 ? job->count : fit < 32 ? fit : fit - fit % 32);
    return between > 2 ? 2 : between;
}

static uint32_t magic_of(int64_t divisor)
{
    return divisor > 1 ? static_cast<uint32_t>(((int64_t(1) << 32) + divisor - 1) / divisor) : 0;
}

/* How many of the stages from `s` on go together: up to 18 numbers. */
static int32_t stages_of_step(const struct gf_fft_stage *s, int32_t left, bool large)
{
    const int32_t r1 = s[0].radix, r2 = left > 1 ? s[1].radix : 0, r3 = left > 2 ? s[2].radix : 0;
    if (r2 == 3 && r3 == 3 && (r1 == 2 || (r1 == 3 && large))) {
        return 3;
    }
    if (large && r1 == 4 && r2 == 4 && r3 == 2) {
        return 3;
    }
    const bool two = r1 == 4 ? r2 <= 4 : r1 == 2 ? r2 == 3 || r2 == 5 : r1 == 3 && r2 <= 5;
    return two && r2 > 0 ? 2 : 1;
}

/* `large`: steps of a kernel whose threads have 128 registers. */
static void fill_steps(const work &w, const struct gf_fft_line *line, int32_t from, int32_t end, bool large,
                       gf_fft_pass_args *g)
{
    const gf_fft_complex *const factors = reinterpret_cast<const gf_fft_complex *>(w.call->factors);
    int64_t span = 1;
    for (int32_t s = from; s < end; g->steps++) {
        const struct gf_fft_stage *stage = &line->stage[s];
        gf_fft_step *to = &g->step[g->steps];
        const int32_t stages = stages_of_step(stage, end - s, large);
        to->numbers = 1;
        for (int32_t i = 0; i < 3; i++) {
            to->radix[i] = i < stages ? stage[i].radix : 1;
            to->w[i] = i < stages && stage[i].span > 1 ? factors + stage[i].at : nullptr;
            to->numbers *= static_cast<uint32_t>(to->radix[i]);
        }
        to->kind = gf_fft_step_kind(to->radix[0], to->radix[1], to->radix[2]);
        to->span = static_cast<uint32_t>(span);
        to->each = g->points / to->numbers;
        to->after = to->each / to->span;
        to->after_magic = magic_of(to->after);
        to->span_magic = magic_of(span);
        to->radix_magic = magic_of(to->numbers);
        to->each_magic = magic_of(to->each);
        span *= to->numbers;
        s += stages;
    }
}

/* Lanes of a block: of neighbours 64 bytes at least where there is room for them, else 32; of rows so many
 * that a block has some thousand numbers, and a device some hundred blocks. */
static int64_t width_of(const gf_fft_pass_args *g, int64_t hold)
{
    const int64_t points = g->points;
    int64_t width = 8;
    if (!g->side_by_side) {
        width = gf_greatest(1, gf_least(4096 / points, gf_divide_up(g->lanes, 256)));
    } else if (points * 8 > hold / 2) {
        width = 4;
    } else {
        while (width < 32 && points * width < 1024) {
            width *= 2;
        }
    }
    return gf_least(gf_least(width, g->lanes), hold / points);
}

/* Places of shared memory: after as many points as the first step takes one is left out, and after as many as
 * lie between those of the last, if there is room for that. */
static int64_t lay_places(gf_fft_pass_args *g, int64_t hold)
{
    const uint32_t first = g->steps ? g->step[0].numbers : 1;
    const uint32_t last = g->steps ? g->step[g->steps - 1].span : 1;
    if (first % 4 == 0 && first > 4 && g->width < 16) {
        g->pad_magic[0] = magic_of(first);
        g->pad_magic[1] = last > first && last / first % 2 == 0 ? magic_of(last) : 0;
    }
    if (gf_fft_place(g->pad_magic, g->points) * int64_t(g->width) > hold) {
        g->pad_magic[0] = g->pad_magic[1] = 0;
    }
    const uint32_t places = gf_fft_place(g->pad_magic, g->points), size = sizeof(gf_fft_complex);
    g->point_bytes = g->side_by_side ? g->width * size : size;
    g->lane_bytes = g->side_by_side ? size : places * size;
    for (int32_t s = 0; s < g->steps; s++) {
        g->step[s].apart = gf_fft_place(g->pad_magic, g->step[s].span) * g->point_bytes;
    }
    return int64_t(places) * g->width;
}

/* Threads of a block with so many numbers: 16 each at a time, the times being equal; up to three blocks share
 * a processor. */
static unsigned threads_of(int64_t numbers, int64_t hold)
{
    const int64_t blocks = gf_greatest(1, gf_least(3, hold / numbers)),
                  warps = GF_FFT_MOST_THREADS / GF_WARP / blocks;
    const int64_t needed = gf_divide_up(numbers, 16 * GF_WARP), times = gf_divide_up(needed, warps);
    return static_cast<unsigned>(gf_divide_up(needed, times) * GF_WARP);
}

/* Threads of a block whose steps are large, `most` at most: for each number of butterflies it has. */
static unsigned large_threads(const gf_fft_pass_args &g, int64_t most)
{
    int64_t least = most;
    for (int32_t s = 0; s < g.steps; s++) {
        least = gf_least(least, int64_t(g.step[s].each) * g.width);
    }
    return static_cast<unsigned>(gf_divide_up(least, GF_WARP) * GF_WARP);
}

/* Tells whether neighbouring threads have 64 neighbouring bytes in the first step, and in the last one. */
static bool goes_in_runs(const gf_fft_pass_args &g)
{
    return g.steps > 0 && (g.side_by_side || gf_least(g.step[0].each, g.step[g.steps - 1].span) >= 8);
}

static int32_t is_wide(const gf_fft_ends &e)
{
    return reinterpret_cast<uintptr_t>(e.memory) % 8 == 0 && e.apart % 2 == 0 && e.next % 2 == 0;
}

/* Tells whether registers may read, or write, all n numbers of each line as they are. */
static bool is_plain(const gf_fft_ends &e, int64_t n)
{
    return e.kind == GF_FFT_NUMBERS && !e.table && e.limit >= n;
}

/* Says what pass i does, but for lanes; the floats that lie between them are those of memory. */
static void describe_pass(const work &w, const gf_fft_lines_job *job, const cuts &c, int32_t i, bool large,
                          gf_fft_pass_args &g)
{
    const struct gf_fft_line *line = smooth(job->line);
    const int32_t from = i > 0 ? c.end[i - 1] : 0, end = c.end[i];
    int64_t points = 1;
    for (int32_t s = from; s < end; s++) {
        points *= line->stage[s].radix;
    }
    const int64_t before = from > 0 ? line->stage[from].span : 1, after = line->n / before / points;
    const bool inner = c.count > 1 && !job->columns; /* lanes are parts of a line: values of J, then of K */
    g.before = before;
    g.in_point = before * after;
    g.in_J = before;
    g.out_J = before * points;
    g.in_lane = inner ? 1 : 0;
    g.out_lane = inner ? (before == 1 ? points : 1) : 0;
    g.in_line = inner ? 0 : g.in.next;
    g.out_line = inner ? 0 : g.out.next;
    g.lines = !inner;
    g.lanes = !inner ? job->count : before == 1 ? after : before;
    g.Js = static_cast<uint32_t>(inner && before == 1 ? 1 : after);
    g.points = static_cast<uint32_t>(points);
    g.side_by_side = job->columns || inner;
    g.points_magic = magic_of(points);
    g.half_magic = magic_of(points / 2 + 1);
    fill_steps(w, line, from, end, large, &g);
    g.in.wide = is_wide(g.in);
    g.out.wide = is_wide(g.out);
    g.pairs_in = goes_in_runs(g) && g.in.kind == GF_FFT_PAIRS && g.in.wide && c.count == 1 && !g.in.table;
    g.direct_in = g.pairs_in || (goes_in_runs(g) && is_plain(g.in, line->n) && g.in.wide);
    g.direct_out = goes_in_runs(g) && is_plain(g.out, line->n) && g.out.wide;
}

/* With blocks of so many lanes, and of threads for so many numbers. */
static gf_launch launch_of(const work &w, gf_fft_pass_args &g, int64_t width, int64_t blocks)
{
    gf_launch launch = {};
    g.width = static_cast<uint32_t>(width);
    g.width_magic = magic_of(width);
    g.strips = static_cast<uint32_t>(gf_divide_up(g.lanes, width));
    launch = gf_fft_launch(w.call, int64_t(g.strips) * blocks, 1);
    launch.block = dim3(threads_of(int64_t(g.points) * width, w.hold));
    launch.shared = static_cast<size_t>(lay_places(&g, w.hold)) * sizeof(gf_fft_complex);
    return launch;
}

static gf_status run_pass(const work &w, const gf_fft_lines_job *job, const cuts &c, int32_t i,
                          gf_fft_pass_args g, gf_error *error)
{
    describe_pass(w, job, c, i, false, g);
    const gf_launch launch =
        launch_of(w, g, width_of(&g, w.hold), int64_t(g.Js) * (g.lines ? g.before : job->count));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_pass, launch, g));
    return GF_OK;
}

#endif
