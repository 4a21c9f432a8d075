/* The Fourier transform on CUDA, "auto". A CUDA block holds some neighbouring lines, or parts of one, in shared
 * memory and takes them through their stages, two at a time in registers. What does not fit goes through memory
 * several times, after each part of the stages, by the same graph: the first passes read numbers that lie
 * apart, as decimation in time does, and leave transforms, each a run of numbers, which the later ones join. */
#include "fourier/fft_cuda.cuh"

constexpr int MOST_STEPS = 12;            /* of a block */
constexpr unsigned MOST_THREADS = 512;
constexpr int64_t CAP = 1024;             /* points of one pass of several */
constexpr int64_t CHUNK = int64_t(1) << 24; /* numbers that wait in memory between passes */

/* Two stages, or one, in registers. */
struct step {
    int32_t first, second;            /* radices; second 1: there is none */
    uint32_t span;                    /* points of a transform before them */
    uint32_t span_magic, each_magic, radix_magic; /* that divide by span, by butterflies of a lane, by the radix */
    const gf_fft_complex *w1, *w2;    /* factors; w1 NULL: none */
};

/* Some stages of a line of n numbers: those before have left transforms of `before` numbers. A block has
 * `width` lanes of `points` numbers. Number p of a lane is, read, number
 *     (J + after p) before + K, after = n / before / points, of its line, and written, number
 *     J before points + K + before p.
 * Lanes are lines, or with lines 0 values of J (before 1) or K. */
struct pass {
    gf_fft_ends in, out;
    int64_t before, after;
    int64_t lanes;
    uint32_t points, width, strips;
    uint32_t points_magic, width_magic;
    int32_t lines;
    int32_t side_by_side; /* lanes are neighbours in memory, else points are */
    int32_t direct_in, direct_out; /* registers read memory, and write it */
    int32_t steps;
    step step_[MOST_STEPS];
};

GF_DEVICE_FN uint32_t divide(uint32_t a, uint32_t magic)
{
    return magic ? static_cast<uint32_t>(uint64_t(a) * magic >> 32) : a;
}

/* ---- A block ------------------------------------------------------------------------------------------------------- */

/* What a block works on. */
struct place {
    int64_t line, J, K; /* of lane 0 */
    uint32_t lanes;     /* that are there */
};

GF_DEVICE_FN place place_of(const pass &g)
{
    const int64_t strip = blockIdx.x % g.strips, rest = blockIdx.x / g.strips, first = strip * g.width;
    place b = {0, 0, 0, 0};
    b.lanes = static_cast<uint32_t>(gf_least(g.width, g.lanes - first));
    if (g.lines) {
        b.line = first;
        b.J = rest % g.after;
        b.K = rest / g.after;
    } else if (g.before == 1) {
        b.line = rest;
        b.J = first;
    } else {
        b.K = first;
        b.J = rest % g.after;
        b.line = rest / g.after;
    }
    return b;
}

/* The place of lane l. */
GF_DEVICE_FN place lane_of(const pass &g, const place &b, uint32_t l)
{
    return g.lines ? place{b.line + l, b.J, b.K, 1}
                   : g.before == 1 ? place{b.line, b.J + l, b.K, 1} : place{b.line, b.J, b.K + l, 1};
}

GF_DEVICE_FN int64_t number_in(const pass &g, const place &l, uint32_t p)
{
    return (l.J + g.after * p) * g.before + l.K;
}
GF_DEVICE_FN int64_t number_out(const pass &g, const place &l, uint32_t p)
{
    return l.J * g.before * g.points + l.K + g.before * p;
}

/* Where point p of lane l lies in shared memory: numbers that are a power of two apart are in different banks. */
GF_DEVICE_FN uint32_t spot(const pass &g, uint32_t l, uint32_t p)
{
    const uint32_t at = g.side_by_side ? p * g.width + l : l * g.points + p;
    return at ^ ((at >> 4 ^ at >> 8 ^ at >> 12) & 15);
}

/* The point at which number p, from the second step on `from`, is to lie: digits in the other order. */
GF_DEVICE_FN uint32_t reversed(const pass &g, uint32_t p, int from)
{
    uint32_t to = 0;
    for (int s = g.steps - 1; s >= from; s--) {
        const uint32_t radix = static_cast<uint32_t>(g.step_[s].first * g.step_[s].second);
        const uint32_t rest = divide(p, g.step_[s].radix_magic);
        to = to * radix + (p - rest * radix);
        p = rest;
    }
    return to;
}

/* Splits i, of `each` points a lane, into lane and point. */
GF_DEVICE_FN void split(const pass &g, uint32_t i, uint32_t each, uint32_t each_magic, uint32_t *l, uint32_t *p)
{
    const uint32_t q = divide(i, g.side_by_side ? g.width_magic : each_magic);
    *l = g.side_by_side ? i - q * g.width : q;
    *p = g.side_by_side ? q : i - q * each;
}

/* ---- Stages ------------------------------------------------------------------------------------------------------------ */

/* Reads number j of a lane, and those `each` apart. */
template <int R>
GF_DEVICE_FN void read_direct(const pass &g, const place &l, uint32_t j, uint32_t each, gf_fft_complex (&u)[R])
{
    const float *from = g.in.memory + l.line * g.in.next + number_in(g, l, j) * g.in.apart;
    const int64_t apart = g.after * g.before * each * g.in.apart;
    GF_UNROLL
    for (int t = 0; t < R; t++) {
        u[t] = gf_fft_read(from + t * apart, g.in.wide);
    }
    if (g.in.swap) {
        GF_UNROLL
        for (int t = 0; t < R; t++) {
            u[t] = gf_fft_swapped(u[t]);
        }
    }
}

template <int R1, int R2>
GF_DEVICE_FN void stages(const step &s, uint32_t before, uint32_t K, gf_fft_complex (&u)[R1 * R2])
{
    const uint32_t span = s.span * before;
    if (s.w1) {
        GF_UNROLL
        for (int q = 1; q < R1; q++) {
            const gf_fft_complex w = gf_fft_factor(s.w1, static_cast<uint32_t>(q - 1) * span + K);
            GF_UNROLL
            for (int i = 0; i < R2; i++) {
                u[i + R2 * q] = gf_fft_product(u[i + R2 * q], w);
            }
        }
    }
    gf_fft_complex a[R1], b[R2];
    GF_UNROLL
    for (int i = 0; i < R2; i++) {
        GF_UNROLL
        for (int q = 0; q < R1; q++) {
            a[q] = u[i + R2 * q];
        }
        gf_fft_butterfly<R1>::run(a);
        GF_UNROLL
        for (int q = 0; q < R1; q++) {
            u[i + R2 * q] = a[q];
        }
    }
    GF_UNROLL
    for (int k = 0; k < R1 && R2 > 1; k++) {
        b[0] = u[R2 * k];
        GF_UNROLL
        for (int q = 1; q < R2; q++) {
            const uint32_t at = static_cast<uint32_t>((q - 1) * R1 + k) * span + K;
            b[q] = gf_fft_product(u[R2 * k + q], gf_fft_factor(s.w2, at));
        }
        gf_fft_butterfly<R2>::run(b);
        GF_UNROLL
        for (int q = 0; q < R2; q++) {
            u[R2 * k + q] = b[q];
        }
    }
}

/* Step number `now`: each thread takes numbers out of shared memory, or memory, and puts as many back into the
 * same places. */
template <int R1, int R2>
GF_DEVICE_FN void run_step(const pass &g, const place &b, gf_fft_complex *z, int now)
{
    constexpr int R = R1 * R2;
    const step &s = g.step_[now];
    const bool from_memory = now == 0 && g.direct_in, to_memory = now == g.steps - 1 && g.direct_out;
    const uint32_t each = divide(g.points, s.radix_magic), lanes = g.side_by_side ? g.width : b.lanes;
    gf_fft_complex u[R];
    for (uint32_t i = threadIdx.x; i < each * lanes; i += blockDim.x) {
        uint32_t l, j;
        split(g, i, each, s.each_magic, &l, &j);
        if (l >= b.lanes) {
            continue;
        }
        const place lane = lane_of(g, b, l);
        const uint32_t B = from_memory ? reversed(g, j, 1) : divide(j, s.span_magic);
        const uint32_t k = from_memory ? 0 : j - B * s.span, at = B * s.span * R + k;
        if (from_memory) {
            read_direct<R>(g, lane, j, each, u);
        } else {
            GF_UNROLL
            for (int t = 0; t < R; t++) {
                u[t] = z[spot(g, l, at + s.span * static_cast<uint32_t>(t))];
            }
        }
        stages<R1, R2>(s, static_cast<uint32_t>(g.before),
                       k * static_cast<uint32_t>(g.before) + static_cast<uint32_t>(lane.K), u);
        GF_UNROLL
        for (int t = 0; t < R; t++) {
            const uint32_t p = at + s.span * static_cast<uint32_t>(t);
            const gf_fft_complex v = u[R2 * (t % R1) + t / R1];
            if (to_memory) {
                gf_fft_write(g.out.memory + lane.line * g.out.next + number_out(g, lane, p) * g.out.apart,
                             gf_fft_finished(g.out, v), g.out.wide);
            } else {
                z[spot(g, l, p)] = v;
            }
        }
    }
}

GF_DEVICE_FN void load(const pass &g, const place &b, gf_fft_complex *z)
{
    const uint32_t lanes = g.side_by_side ? g.width : b.lanes;
    for (uint32_t i = threadIdx.x; i < g.points * lanes; i += blockDim.x) {
        uint32_t l, p;
        split(g, i, g.points, g.points_magic, &l, &p);
        if (l < b.lanes) {
            const place lane = lane_of(g, b, l);
            const float *line = g.in.memory + lane.line * g.in.next;
            z[spot(g, l, reversed(g, p, 0))] = gf_fft_take(g.in, line, number_in(g, lane, p));
        }
    }
}

GF_DEVICE_FN void store(const pass &g, const place &b, const gf_fft_complex *z)
{
    const uint32_t lanes = g.side_by_side ? g.width : b.lanes;
    for (uint32_t i = threadIdx.x; i < g.points * lanes; i += blockDim.x) {
        uint32_t l, p;
        split(g, i, g.points, g.points_magic, &l, &p);
        if (l >= b.lanes) {
            continue;
        }
        const place lane = lane_of(g, b, l);
        float *line = g.out.memory + lane.line * g.out.next;
        if (g.out.kind != GF_FFT_PAIRS) {
            gf_fft_put(g.out, line, number_out(g, lane, p), z[spot(g, l, p)]);
            continue;
        }
        gf_fft_put_split(g.out, line, p, z[spot(g, l, p)], z[spot(g, l, p ? g.points - p : 0)]);
        if (p == 0) { /* there is one number more than points */
            gf_fft_put_split(g.out, line, g.points, z[spot(g, l, 0)], z[spot(g, l, 0)]);
        }
    }
}

static __global__ void __launch_bounds__(MOST_THREADS) gf_fft_pass(const pass g)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const place b = place_of(g);
    if (!g.direct_in) {
        load(g, b, z);
        __syncthreads();
    }
    for (int now = 0; now < g.steps; now++) {
        switch (8 * g.step_[now].first + g.step_[now].second) {
#define STEP(r1, r2)                                                                                         \
    case 8 * (r1) + (r2):                                                                                    \
        run_step<r1, r2>(g, b, z, now);                                                                      \
        break;
            STEP(4, 4)
            STEP(4, 3)
            STEP(4, 2)
            STEP(4, 1)
            STEP(2, 5)
            STEP(2, 3)
            STEP(2, 1)
            STEP(3, 5)
            STEP(3, 3)
            STEP(3, 1)
            STEP(5, 1)
            STEP(7, 1)
#undef STEP
        }
        if (now < g.steps - 1 || !g.direct_out) {
            __syncthreads();
        }
    }
    if (!g.direct_out) {
        store(g, b, z);
    }
}

/* Splits what a line of pairs has become, h numbers, in memory of its own. */
static __global__ void gf_fft_split(const gf_fft_ends in, const gf_fft_ends out, int64_t h, int64_t count)
{
    const int64_t i = gf_thread_index(), line = i / (h + 1), k = i % (h + 1);
    if (line < count) {
        const float *const from = in.memory + line * in.next;
        gf_fft_put_split(out, out.memory + line * out.next, k,
                         gf_fft_read(from + (k == h ? 0 : k) * in.apart, 1),
                         gf_fft_read(from + (k == 0 ? 0 : h - k) * in.apart, 1));
    }
}

/* ---- Passes ---------------------------------------------------------------------------------------------------------------- */

/* The stages of each pass: those of pass i end at stage end[i]. */
struct cuts {
    int32_t count;
    int32_t end[GF_FFT_STAGES + 1];
};

struct work {
    const struct gf_fft_call *call;
    int64_t hold;     /* numbers that a block has room for */
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

/* One pass where a block has room for a row, or for three columns at least; else passes that are about equal. */
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
static int buffers_of(const gf_fft_lines_job *job, const cuts &c, int64_t *chunk)
{
    const int between = c.count * (job->line->sum ? 2 : 1) - 1 + splits_apart(job, c);
    *chunk = between ? gf_least(job->count, gf_greatest(1, CHUNK / smooth(job->line)->n)) : job->count;
    if (*chunk < job->count && *chunk > 32) {
        *chunk -= *chunk % 32;
    }
    return between > 2 ? 2 : between;
}

static uint32_t magic_of(int64_t divisor)
{
    return divisor > 1 ? static_cast<uint32_t>(((int64_t(1) << 32) + divisor - 1) / divisor) : 0;
}

static bool goes_with(int32_t first, int32_t second)
{
    return first == 4 ? second <= 4 : first == 2 ? second == 3 || second == 5 : first == 3 && second <= 5;
}

static void fill_steps(const work &w, const struct gf_fft_line *line, int32_t from, int32_t end, pass *g)
{
    const gf_fft_complex *const factors = reinterpret_cast<const gf_fft_complex *>(w.call->factors);
    int64_t span = 1;
    for (int32_t s = from; s < end; g->steps++) {
        const struct gf_fft_stage *stage = &line->stage[s];
        step *to = &g->step_[g->steps];
        const bool two = s + 1 < end && goes_with(stage[0].radix, stage[1].radix);
        to->first = stage[0].radix;
        to->second = two ? stage[1].radix : 1;
        to->w1 = stage[0].span > 1 ? factors + stage[0].at : nullptr;
        to->w2 = two ? factors + stage[1].at : nullptr;
        to->span = static_cast<uint32_t>(span);
        to->span_magic = magic_of(span);
        to->radix_magic = magic_of(to->first * to->second);
        to->each_magic = magic_of(g->points / static_cast<uint32_t>(to->first * to->second));
        span *= to->first * to->second;
        s += two ? 2 : 1;
    }
}

/* Lanes of a block: of neighbours 64 bytes at least where there is room for them, else 32; of rows so many that
 * a block has some thousand numbers, and a device some hundred blocks. */
static int64_t width_of(const pass *g, int64_t hold)
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

static void choose_direct(pass *g, int64_t n)
{
    const gf_fft_ends &in = g->in, &out = g->out;
    const step &first = g->step_[0];
    const uint32_t last = g->steps ? g->step_[g->steps - 1].span : 0;
    g->direct_in = g->steps > 0 && in.kind == GF_FFT_NUMBERS && !in.table && in.limit >= n &&
                   (g->side_by_side || g->points / static_cast<uint32_t>(first.first * first.second) >= 8);
    g->direct_out = g->steps > 0 && out.kind == GF_FFT_NUMBERS && !out.table && out.limit >= n &&
                    (g->side_by_side || last >= 8);
}

static gf_status run_pass(const work &w, const gf_fft_lines_job *job, const cuts &c, int32_t i, pass g,
                          gf_error *error)
{
    const struct gf_fft_line *line = smooth(job->line);
    const int32_t from = i > 0 ? c.end[i - 1] : 0, end = c.end[i];
    int64_t points = 1;
    for (int32_t s = from; s < end; s++) {
        points *= line->stage[s].radix;
    }
    g.before = from > 0 ? line->stage[from].span : 1;
    g.after = line->n / g.before / points;
    g.points = static_cast<uint32_t>(points);
    g.lines = job->columns || c.count == 1;
    g.side_by_side = job->columns || c.count > 1;
    g.lanes = g.lines ? job->count : g.before == 1 ? g.after : g.before;
    g.width = static_cast<uint32_t>(width_of(&g, w.hold));
    g.width_magic = magic_of(g.width);
    g.points_magic = magic_of(points);
    fill_steps(w, line, from, end, &g);
    choose_direct(&g, line->n);
    const int64_t strips = gf_divide_up(g.lanes, g.width);
    const int64_t times = g.lines ? g.after * g.before : g.before == 1 ? job->count : g.after * job->count;
    g.strips = static_cast<uint32_t>(strips);
    const int64_t threads = gf_divide_up(points * g.width, 16 * GF_WARP) * GF_WARP;
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(strips * times, 1));
    launch.block = dim3(static_cast<unsigned>(gf_least(threads, MOST_THREADS)));
    launch.shared = static_cast<size_t>(gf_divide_up(points * g.width, 16) * 16) * sizeof(gf_fft_complex);
    launch.stream = static_cast<cudaStream_t>(w.call->array.queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_pass, launch, g));
    return GF_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------------------- */

static gf_fft_ends buffer_ends(const work &w, const gf_fft_lines_job *job, int which)
{
    const int64_t n = smooth(job->line)->n;
    gf_fft_ends e = {};
    e.memory = w.buffer[which];
    e.apart = job->columns ? 2 * job->count : 2;
    e.next = job->columns ? 2 : 2 * n;
    e.limit = n;
    e.wide = 1;
    return e;
}

/* Adds to the ends of a transform what Bluestein's sum does there; `back`: the second of its two. */
static void add_sum(const work &w, const struct gf_fft_line *line, bool back, bool first, bool last, pass *g)
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
        pass g = {};
        g.in = i == 0 ? job->from : buffer_ends(w, job, which ^ 1);
        g.out = ends && !apart ? job->to : buffer_ends(w, job, which);
        if (job->line->sum) {
            add_sum(w, job->line, i >= c.count, i % c.count == 0, i % c.count == c.count - 1, &g);
        }
        GF_TRY(run_pass(w, job, c, i % c.count, g, error));
    }
    if (apart) {
        gf_launch launch = {};
        launch.grid = dim3(gf_blocks(job->count * (job->n + 1), 256));
        launch.block = dim3(256);
        launch.stream = static_cast<cudaStream_t>(w.call->array.queue.stream);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_split, launch, buffer_ends(w, job, which ^ 1), job->to, job->n,
                                     job->count));
    }
    return GF_OK;
}

static gf_status run_lines(const work &w, const gf_fft_lines_job &all, gf_error *error)
{
    const cuts c = cut(&all, w.hold);
    int64_t chunk = 0;
    buffers_of(&all, c, &chunk);
    for (int64_t from = 0; from < all.count; from += chunk) {
        gf_fft_lines_job job = all;
        job.count = gf_least(chunk, all.count - from);
        job.from.memory += from * job.from.next;
        job.to.memory += from * job.to.next;
        GF_TRY(run_chunk(w, &job, c, error));
    }
    return GF_OK;
}

/* ---- A call ---------------------------------------------------------------------------------------------------------------------- */

static gf_status hold_of(const struct gf_array_call *array, int64_t *hold, gf_error *error)
{
    int bytes = 0, device = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    *hold = bytes / static_cast<int64_t>(sizeof(gf_fft_complex)) / 16 * 16;
    *hold = array->options.tile > 0 ? gf_least(*hold, array->options.tile) : *hold;
    return GF_OK;
}

static size_t lay_out(const struct gf_fft_call *call, void *memory, work *w)
{
    size_t used = 0, bytes = 0;
    int most = 0;
    (void)gf_fft_jobs(call, true, nullptr, [&](const gf_fft_lines_job &job) {
        int64_t chunk = 0;
        const int buffers = buffers_of(&job, cut(&job, w->hold), &chunk);
        const size_t needed = static_cast<size_t>(chunk * smooth(job.line)->n) * sizeof(gf_fft_complex);
        most = buffers > most ? buffers : most;
        bytes = buffers > 0 && needed > bytes ? needed : bytes;
        return GF_OK;
    });
    for (int i = 0; i < most; i++) {
        w->buffer[i] = static_cast<float *>(gf_scratch_take(memory, &used, bytes));
    }
    const int64_t copied = gf_fft_copies(call) ? call->plan->half * call->plan->shape.rows : 0;
    w->spectrum = static_cast<float *>(
        gf_scratch_take(memory, &used, static_cast<size_t>(copied) * sizeof(gf_fft_complex)));
    return used;
}

static gf_status begin(const struct gf_array_call *array, work *w, size_t *bytes, gf_error *error)
{
    w->call = gf_fft_call_of(array);
    GF_TRY(hold_of(array, &w->hold, error));
    *bytes = lay_out(w->call, array->scratch, w);
    return GF_OK;
}

/* 0 where the device refuses to say: the run will report why. */
size_t gf_fft_cuda_scratch(const struct gf_array_call *array)
{
    size_t bytes = 0;
    work w = {};
    gf_device_scope scope(array->queue.device);
    return scope.status == cudaSuccess && begin(array, &w, &bytes, nullptr) == GF_OK ? bytes : 0;
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
    size_t bytes = 0;
    work w = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(begin(array, &w, &bytes, error));
    return gf_fft_jobs(w.call, true, w.spectrum,
                       [&](const gf_fft_lines_job &job) { return run_lines(w, job, error); });
}
