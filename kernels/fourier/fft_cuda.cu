/* The Fourier transform on CUDA, "auto". A CUDA block holds some neighbouring lines, or parts of one, in
 * shared memory and takes them through their stages, up to three at a time in registers. What does not fit
 * goes through memory several times, after each part of the stages, by the same graph: the first passes read
 * numbers that lie apart, as decimation in time does, and leave transforms, each a run of numbers, which the
 * later ones join. */
#include "fourier/fft_launch_cuda.cuh"

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
    e.passed = 1;
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

/* ---- A filter ---------------------------------------------------------------------------------------- */

/* Columns there and back in one pass, if a block has room for four neighbours, a sector of memory. */
static bool columns_at_once(const work &w, const gf_fft_lines_job &there, gf_fft_pass_args &g,
                            gf_launch *launch)
{
    const cuts c = cut(&there, w.hold);
    if (there.line->sum || c.count > 1 || there.line->stages == 0 ||
        there.n > (int64_t(1) << 29) / there.from.apart) {
        return false;
    }
    g.in = there.from;
    g.out = there.to;
    describe_pass(w, &there, c, 0, true, g);
    g.row_bytes = static_cast<uint32_t>(g.in.apart * sizeof(float));
    *launch = launch_of(w, g, gf_least(gf_least(4, g.lanes), w.hold / g.points), 1);
    launch->shared = g.points * g.width * sizeof(gf_fft_complex);
    launch->block = dim3(large_threads(g, GF_FFT_LARGE_THREADS));
    return true;
}

static gf_status filter_columns(const work &w, const gf_fft_lines_job &there, const gf_fft_lines_job &back,
                                const struct gf_fft_filter *filter, gf_error *error)
{
    gf_fft_pass_args g = {};
    gf_launch launch;
    if (columns_at_once(w, there, g, &launch)) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_filter_pass, launch, g, filter->weights));
        return GF_OK;
    }
    GF_TRY(run_lines(w, there, error));
    launch = gf_fft_launch(w.call, filter->weights.half * filter->weights.rows, 256);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_weigh, launch, there.to.memory, there.to.apart, filter->weights));
    return run_lines(w, back, error);
}

static gf_fft_frame frame_of(const struct gf_fft_filter *f, const struct gf_fft_picture &picture)
{
    gf_fft_frame frame = {};
    const int32_t edge = f->border == GF_BORDER_REFLECT;
    frame.memory = static_cast<char *>(picture.memory);
    frame.pitch = picture.pitch;
    frame.shown = f->shown;
    frame.depth = picture.depth;
    frame.step = picture.step;
    frame.width = static_cast<int32_t>(f->width);
    frame.height = static_cast<int32_t>(f->height);
    frame.left = static_cast<int32_t>(f->left);
    frame.top = static_cast<int32_t>(f->top);
    if (f->border == GF_BORDER_REPLICATE) {
        frame.right = frame.width - 1;
        frame.bottom = frame.height - 1;
    } else {
        frame.slope = -1;
        frame.low = -edge;
        frame.right = 2 * (frame.width - 1) + edge;
        frame.bottom = 2 * (frame.height - 1) + edge;
    }
    return frame;
}

static gf_status picture_rows(const work &w, const gf_fft_lines_job &job, const struct gf_fft_filter *filter,
                              bool back, gf_error *error)
{
    const gf_fft_frame frame = frame_of(filter, back ? filter->out : filter->in);
    gf_fft_pass_args g = {};
    g.in = job.from;
    g.out = job.to;
    describe_pass(w, &job, cut(&job, w.hold), 0, true, g);
    gf_launch launch = launch_of(w, g, width_of(&g, w.hold), 1);
    launch.block = dim3(large_threads(g, GF_FFT_ROW_THREADS));
    if (back) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_picture_back, launch, g, gf_fft_to_frame{frame}));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fft_picture_there, launch, g, gf_fft_from_frame{frame}));
    }
    return GF_OK;
}

static gf_status run_filter(const work &w, gf_error *error)
{
    const struct gf_fft_call *const call = w.call;
    const struct gf_fft_filter *const filter = call->filter;
    const struct gf_fft_plan *const plan = call->plan;
    const int64_t row = gf_fft_filter_row(plan);
    float *const numbers = static_cast<float *>(call->array.out), *const wanted = numbers + filter->top * row;
    struct gf_fft_call back = *call;
    back.inverse = 1;
    back.scale = plan->scale;
    const gf_fft_lines_job first = gf_fft_rows_job(call, true, numbers, row, numbers, row);
    gf_fft_lines_job last = gf_fft_rows_job(&back, true, wanted, row, wanted, row);
    last.count = filter->height;
    GF_TRY(filter->fused ? picture_rows(w, first, filter, false, error) : run_lines(w, first, error));
    GF_TRY(filter_columns(w, gf_fft_columns_job(call, numbers, row, numbers, row),
                          gf_fft_columns_job(&back, numbers, row, numbers, row), filter, error));
    return filter->fused ? picture_rows(w, last, filter, true, error) : run_lines(w, last, error);
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
    return w.call->filter ? run_filter(w, error)
                          : gf_fft_jobs(w.call, true, w.spectrum, [&](const gf_fft_lines_job &job) {
                                return run_lines(w, job, error);
                            });
}
