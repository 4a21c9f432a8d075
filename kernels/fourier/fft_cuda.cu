/* The Fourier transform on CUDA, "auto". A CUDA block holds some neighbouring lines, or parts of one, in
 * shared memory and takes them through their stages, two at a time in registers. What does not fit goes
 * through memory several times, after each part of the stages, by the same graph: the first passes read
 * numbers that lie apart, as decimation in time does, and leave transforms, each a run of numbers, which the
 * later ones join. */
#include "fourier/fft_pass_cuda.cuh"

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

/* One pass where a block has room for a row, or for three columns at least; else passes that are about equal.
 */
static cuts cut(const gf_fft_lines_job *job, int64_t hold)
{
    const struct gf_fft_line *line = smooth(job->line);
    if (line->n * (job->columns ? gf_least(3, job->count) : 1) <= hold) {
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
static int32_t stages_of_step(const struct gf_fft_stage *s, int32_t left)
{
    const int32_t r1 = s[0].radix, r2 = left > 1 ? s[1].radix : 0, r3 = left > 2 ? s[2].radix : 0;
    if (r1 == 2 && r2 == 3 && r3 == 3) {
        return 3;
    }
    const bool two = r1 == 4 ? r2 <= 4 : r1 == 2 ? r2 == 3 || r2 == 5 : r1 == 3 && r2 <= 5;
    return two && r2 > 0 ? 2 : 1;
}

static void fill_steps(const work &w, const struct gf_fft_line *line, int32_t from, int32_t end,
                       gf_fft_pass_args *g)
{
    const gf_fft_complex *const factors = reinterpret_cast<const gf_fft_complex *>(w.call->factors);
    int64_t span = 1;
    for (int32_t s = from; s < end; g->steps++) {
        const struct gf_fft_stage *stage = &line->stage[s];
        gf_fft_step *to = &g->step[g->steps];
        const int32_t stages = stages_of_step(stage, end - s);
        to->numbers = 1;
        for (int32_t i = 0; i < 3; i++) {
            to->radix[i] = i < stages ? stage[i].radix : 1;
            to->w[i] = i < stages && stage[i].span > 1 ? factors + stage[i].at : nullptr;
            to->numbers *= static_cast<uint32_t>(to->radix[i]);
        }
        to->kind = gf_fft_step_kind(to->radix[0], to->radix[1], to->radix[2]);
        to->span = static_cast<uint32_t>(span);
        to->each = g->points / to->numbers;
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
    return e.kind == GF_FFT_NUMBERS && e.wide && !e.table && e.limit >= n;
}

static gf_status run_pass(const work &w, const gf_fft_lines_job *job, const cuts &c, int32_t i,
                          gf_fft_pass_args g, gf_error *error)
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
    g.width = static_cast<uint32_t>(width_of(&g, w.hold));
    g.width_magic = magic_of(g.width);
    g.points_magic = magic_of(points);
    g.half_magic = magic_of(points / 2 + 1);
    g.strips = static_cast<uint32_t>(gf_divide_up(g.lanes, g.width));
    fill_steps(w, line, from, end, &g);
    const int64_t places = lay_places(&g, w.hold);
    g.in.wide = is_wide(g.in);
    g.out.wide = is_wide(g.out);
    g.pairs_in = goes_in_runs(g) && g.in.kind == GF_FFT_PAIRS && g.in.wide && c.count == 1 && !g.in.table;
    g.direct_in = g.pairs_in || (goes_in_runs(g) && is_plain(g.in, line->n));
    g.direct_out = goes_in_runs(g) && is_plain(g.out, line->n);
    gf_launch launch = gf_fft_launch(w.call, int64_t(g.strips) * g.Js * (inner ? job->count : before), 1);
    launch.block = dim3(threads_of(points * g.width, w.hold));
    launch.shared = static_cast<size_t>(places) * sizeof(gf_fft_complex);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_pass, launch, g));
    return GF_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------------- */

static gf_fft_ends buffer_ends(const work &w, const gf_fft_lines_job *job, int which)
{
    const int64_t n = smooth(job->line)->n;
    gf_fft_ends e = {};
    e.memory = w.buffer[which];
    e.apart = job->columns ? 2 * job->count : 2;
    e.next = job->columns ? 2 : 2 * n;
    e.limit = n;
    e.scale = 1;
    return e;
}

/* Adds to the ends of a transform what Bluestein's sum does there; `back`: the second of its two. */
static void add_sum(const work &w, const struct gf_fft_line *line, bool back, bool first, bool last,
                    gf_fft_pass_args *g)
{
    const gf_fft_complex *const factors = reinterpret_cast<const gf_fft_complex *>(w.call->factors);
    if (first && !back) {
        g->in.table = factors + line->chirp_at;
    }
    if (last && !back) {
        g->out.table = factors + line->b_at;
        g->out.swap = 2;
    } else if (last) {
        g->out.table = factors + line->chirp_at;
        g->out.swap |= 1;
        g->out.limit = gf_least(g->out.limit, line->n);
    }
}

static gf_status run_chunk(const work &w, const gf_fft_lines_job *job, const cuts &c, gf_error *error)
{
    const bool apart = splits_apart(job, c);
    const int32_t turns = job->line->sum ? 2 : 1, passes = turns * c.count;
    int which = 0;
    for (int32_t i = 0; i < passes; i++, which ^= 1) {
        const bool ends = i == passes - 1;
        gf_fft_pass_args g = {};
        g.in = i == 0 ? job->from : buffer_ends(w, job, which ^ 1);
        g.out = ends && !apart ? job->to : buffer_ends(w, job, which);
        if (job->line->sum) {
            add_sum(w, job->line, i >= c.count, i % c.count == 0, i % c.count == c.count - 1, &g);
        }
        GF_TRY(run_pass(w, job, c, i % c.count, g, error));
    }
    if (apart) {
        const gf_launch launch = gf_fft_launch(w.call, job->count * (job->n + 1), 256);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_split, launch, buffer_ends(w, job, which ^ 1), job->to, job->n,
                                     job->count));
    }
    return GF_OK;
}

static gf_status run_lines(const work &w, const gf_fft_lines_job &all, gf_error *error)
{
    const cuts c = cut(&all, w.hold);
    int64_t chunk = 0;
    buffers_of(&all, c, w.wait, &chunk);
    for (int64_t from = 0; from < all.count; from += chunk) {
        gf_fft_lines_job job = all;
        job.count = gf_least(chunk, all.count - from);
        job.from.memory += from * job.from.next;
        job.to.memory += from * job.to.next;
        GF_TRY(run_chunk(w, &job, c, error));
    }
    return GF_OK;
}

/* ---- A call ------------------------------------------------------------------------------------------ */

static size_t lay_out(const struct gf_fft_call *call, work *w)
{
    size_t used = 0;
    int64_t numbers = 0;
    int most = 0;
    (void)gf_fft_jobs(call, true, nullptr, [&](const gf_fft_lines_job &job) {
        int64_t chunk = 0;
        const int buffers = buffers_of(&job, cut(&job, w->hold), w->wait, &chunk);
        most = buffers > most ? buffers : most;
        numbers = buffers > 0 ? gf_greatest(numbers, chunk * smooth(job.line)->n) : numbers;
        return GF_OK;
    });
    for (int i = 0; i < most; i++) {
        w->buffer[i] = reinterpret_cast<float *>(gf_fft_room(call, &used, numbers));
    }
    w->spectrum = gf_fft_copy_room(call, &used);
    return used;
}

/* With blocks that hold so many numbers. The bytes of scratch that it takes. */
static size_t begin(const struct gf_array_call *array, int64_t hold, work *w)
{
    const int64_t tile = array->options.tile;
    w->call = gf_fft_call_of(array);
    w->hold = tile > 0 ? gf_least(hold, tile) : hold;
    w->wait = CHUNK * (tile > 0 ? tile : MOST_HOLD);
    return lay_out(w->call, w);
}

/* As of blocks that hold least, which takes most: no device is asked, so that none can fail to answer. */
size_t gf_fft_cuda_scratch(const struct gf_array_call *array)
{
    work w = {};
    return begin(array, LEAST_HOLD, &w);
}

gf_status gf_fft_cuda_check(const struct gf_array_call *array, gf_error *error)
{
    if (array->options.tile != 0 && array->options.tile < 128) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "fft, variant auto: tile is %d, must be 0 or at least 128 numbers in a block",
                       array->options.tile);
    }
    return GF_OK;
}

gf_status gf_fft_cuda(const struct gf_array_call *array, gf_error *error)
{
    int shared = 0, device = 0;
    work w = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    begin(array, shared / static_cast<int64_t>(sizeof(gf_fft_complex)) / 16 * 16, &w);
    return gf_fft_jobs(w.call, true, w.spectrum,
                       [&](const gf_fft_lines_job &job) { return run_lines(w, job, error); });
}
