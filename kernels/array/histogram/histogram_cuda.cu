/* Histograms on CUDA, "auto". A block counts in shared memory and adds what it has to the output once. Bytes
 * are counted by value: each value has 32 counters, one a lane of a warp, each in a bank of its own. So are
 * few bins of other types. More bins have one counter each, up to what the shared memory of a block holds; a
 * few times that are cut into slices: blocks that read the same elements and count different bins. Counters
 * of very many bins lie in global memory. Grids fill the device once and read 16 bytes a thread at a time. */
#include "array/histogram/histogram_guide_cuda.cuh"

/* ---- Bytes ---------------------------------------------------------------------------------------- */

enum { BYTE_WORDS = 256 * GF_HISTOGRAM_BANKS }; /* counters of a channel of bytes */

struct gf_byte_slots {
    uint32_t slot[256];
};

/* The counters of all blocks' values become those of bins; few bins are added up in shared memory first,
 * because many values of a block may add to one. */
GF_DEVICE_FN void gf_histogram_bytes_flush(const struct gf_histogram_params &p, const gf_byte_slots &slots,
                                           const uint32_t *table, uint32_t *folded, bool fold)
{
    for (uint32_t v = threadIdx.x; v < static_cast<uint32_t>(p.channels) * 256; v += blockDim.x) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < GF_HISTOGRAM_BANKS; k++) {
            sum += table[v * GF_HISTOGRAM_BANKS + (v + k) % GF_HISTOGRAM_BANKS];
        }
        const uint32_t s = v / 256 * p.row + slots.slot[v % 256];
        if (sum != 0 && fold) {
            gf_atomic_add(&folded[s], sum);
        } else if (sum != 0) {
            gf_atomic_add(&p.counts[s], static_cast<uint64_t>(sum));
        }
    }
    __syncthreads();
    for (uint32_t s = threadIdx.x; fold && s < p.total; s += blockDim.x) {
        if (folded[s] != 0) {
            gf_atomic_add(&p.counts[s], static_cast<uint64_t>(folded[s]));
        }
    }
}

/* table[channel][value][lane]. The offset in bytes is put together from bit fields: of the channel, 8 of the
 * value, 5 of the lane, 2. */
template <bool THREE>
static __global__ void __launch_bounds__(GF_HISTOGRAM_THREADS, 2)
    gf_histogram_bytes(const struct gf_histogram_params p, const gf_byte_slots slots)
{
    GF_SHARED_DYN(uint32_t, table);
    GF_SHARED(uint32_t, folded, 4 * (256 + GF_HISTOGRAM_EXTRA));
    const bool fold = p.row <= 256 + GF_HISTOGRAM_EXTRA;
    const uint32_t lane = gf_lane();
    for (uint32_t i = threadIdx.x; fold && i < p.total; i += blockDim.x) {
        folded[i] = 0;
    }
    gf_histogram_clear(table, static_cast<uint32_t>(p.channels) * BYTE_WORDS);
    __syncthreads();
    auto count = [&](uint32_t value_at_7, uint32_t base) {
        const uint32_t at = (value_at_7 & 0x7f80u) | base;
        gf_atomic_add(reinterpret_cast<uint32_t *>(reinterpret_cast<unsigned char *>(table) + at), 1u);
    };
    const gf_by_channel<THREE ? 3 : 4> base(p, 1, BYTE_WORDS * 4, lane * 4);
    gf_each_vector(p, 1, GF_STREAM, [&](uint4 v) {
        const uint32_t words[4] = {v.x, v.y, v.z, v.w};
        GF_UNROLL
        for (int k = 0; k < 4; k++) {
            count(words[k] << 7, base[4 * k]);
            count(words[k] >> 1, base[4 * k + 1]);
            count(words[k] >> 9, base[4 * k + 2]);
            count(words[k] >> 17, base[4 * k + 3]);
        }
    });
    gf_each_odd<uint8_t>(p, [&](uint8_t v, uint32_t channel) {
        count(uint32_t(v) << 7, channel * BYTE_WORDS * 4 + lane * 4);
    });
    __syncthreads();
    gf_histogram_bytes_flush(p, slots, table, folded, fold);
}

/* ---- The guide -------------------------------------------------------------------------------------- */

/* Returns how many edges are in cells in front of `cell`. */
GF_DEVICE_FN uint32_t gf_guide_in_front(const struct gf_histogram_params &p, uint32_t cell)
{
    uint32_t low = 0, high = static_cast<uint32_t>(p.bins.count) + 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const bool in_front = gf_guide_cell(p, p.bins.edges[middle]) < cell;
        low = in_front ? middle + 1 : low;
        high = in_front ? high : middle;
    }
    return low;
}

static __global__ void gf_guide_make(const struct gf_histogram_params p, uint32_t *guide)
{
    const uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t last = static_cast<uint32_t>(p.bins.count) - 1;
    if (cell < p.cells) {
        const uint32_t before = gf_guide_in_front(p, cell), within = gf_guide_in_front(p, cell + 1);
        const uint32_t first_bin = before > 0 ? before - 1 : 0, last_bin = within > 0 ? within - 1 : 0;
        const uint32_t low = first_bin < last ? first_bin : last, high = last_bin < last ? last_bin : last;
        if (gf_guide_is_near(p.bins.count)) {
            guide[cell] = low | high << 16;
        } else {
            gf_store8(guide + 2 * cell, make_uint2(low, high));
        }
    }
}

/* ---- Scratch: the edges, then their guide -------------------------------------------------------------- */

static size_t layout(const struct gf_histogram_call *c, void *scratch, double **edges, uint32_t **guide)
{
    const size_t bins = static_cast<size_t>(c->bins.count);
    const size_t words = gf_guide_is_near(c->bins.count) ? 1 : 2;
    size_t used = 0;
    *edges = nullptr;
    *guide = nullptr;
    if (c->bins.edges) {
        *edges = static_cast<double *>(gf_scratch_take(scratch, &used, (bins + 1) * sizeof **edges));
        *guide = static_cast<uint32_t *>(
            gf_scratch_take(scratch, &used, words * gf_guide_cells(c->bins.count) * sizeof **guide));
    }
    return used;
}

extern "C" size_t gf_histogram_cuda_scratch(const struct gf_array_call *call)
{
    double *edges;
    uint32_t *guide;
    return layout(gf_histogram_call_of(call), nullptr, &edges, &guide);
}

gf_status gf_histogram_prepare(const struct gf_array_call *call, struct gf_histogram_params *p,
                               gf_error *error)
{
    const struct gf_histogram_call *c = gf_histogram_call_of(call);
    const int64_t size = static_cast<int64_t>(gf_depth_size(call->options.type));
    const cudaStream_t stream = static_cast<cudaStream_t>(call->queue.stream);
    double *edges;
    uint32_t *guide;
    (void)layout(c, call->scratch, &edges, &guide);
    *p = {};
    p->in = call->in;
    p->n = call->n;
    p->head = gf_head_of(call->in, call->n, size);
    p->vectors = (call->n - p->head) * size / 16;
    p->counts = static_cast<uint64_t *>(call->out);
    p->bins = c->bins;
    p->channels = c->channels;
    p->row = static_cast<uint32_t>(gf_histogram_row(c));
    p->total = p->row * static_cast<uint32_t>(c->channels);
    GF_CUDA_TRY(error, cudaMemsetAsync(p->counts, 0, p->total * sizeof(uint64_t), stream));
    if (c->bins.edges) {
        const size_t bytes = (static_cast<size_t>(c->bins.count) + 1) * sizeof *edges;
        GF_CUDA_TRY(error, cudaMemcpyAsync(edges, c->bins.edges, bytes, cudaMemcpyHostToDevice, stream));
        p->bins.edges = edges;
        p->guide = guide;
    }
    return GF_OK;
}

/* Turns the guide on, and has it made. */
static gf_status make_guide(const struct gf_array_call *call, gf_histogram_params *p, gf_error *error)
{
    double *edges;
    uint32_t *guide;
    (void)layout(gf_histogram_call_of(call), call->scratch, &edges, &guide);
    p->cells = gf_guide_cells(p->bins.count);
    p->cell_scale = p->cells / 2.0 / (p->bins.hi / 2 - p->bins.lo / 2); /* hi - lo may overflow */
    p->cell_scale = p->cell_scale <= 0x1p500 ? p->cell_scale : 0.0;
    p->cell_offset = p->bins.lo * p->cell_scale;
    gf_launch launch = gf_launch_on(call->queue.stream, gf_blocks(p->cells, 256), 256);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_guide_make, launch, *p, guide));
    return GF_OK;
}

/* ---- Which kernel, and how large ----------------------------------------------------------------------- */

enum {
    BLOCK_FEW = 512,          /* threads of a block where several share a multiprocessor */
    RESIDENT = 1024,          /* threads of a multiprocessor; twice that for bytes: their kernel is small */
    COLUMNS_MOST = 64 * 1024, /* bytes of a table with a column for each lane */
    SLICES_MOST = 12,         /* more read the input more often than global counters are slower */
    FEW_COUNTERS = 8192
};

struct gf_histogram_device {
    int64_t processors, block_bytes, all_bytes;
};

static gf_status look_at_device(gf_histogram_device *device, gf_error *error)
{
    int id = 0, processors = 0, block = 0, all = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&id));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, id));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&block, cudaDevAttrMaxSharedMemoryPerBlockOptin, id));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, id));
    *device = {processors, block, all};
    return GF_OK;
}

/* Blocks along x: as many as run at once in `slices` slices, but none that would have next to nothing to
 * read. */
static gf_launch launch_of(const struct gf_array_call *call, const gf_histogram_params &p, int64_t threads,
                           int64_t resident, unsigned slices, size_t shared)
{
    const int64_t worth = p.vectors / (threads * GF_HISTOGRAM_AT_ONCE) + 1;
    const int64_t dense = p.n / p.slice + 1, least = (p.n >> 31) + 1; /* a counter has 32 bits */
    int64_t blocks = resident / slices < 1 ? 1 : resident / slices;
    blocks = blocks < worth ? blocks : worth;
    blocks = blocks < dense ? blocks : dense;
    blocks = blocks > least ? blocks : least;
    gf_launch launch =
        gf_launch_on(call->queue.stream,
                     dim3(static_cast<unsigned>(p.channels == 3 ? (blocks + 2) / 3 * 3 : blocks), slices),
                     static_cast<unsigned>(threads));
    launch.shared = shared;
    return launch;
}

static int64_t block_of(const struct gf_array_call *call, int64_t usual)
{
    return call->options.block ? call->options.block : usual;
}

static gf_status run_bytes(const struct gf_array_call *call, gf_histogram_params *p,
                           const gf_histogram_device &device, gf_error *error)
{
    gf_byte_slots slots;
    gf_histogram_byte_slots(&gf_histogram_call_of(call)->bins, slots.slot);
    const size_t shared = static_cast<size_t>(p->channels) * BYTE_WORDS * 4;
    const int64_t threads = block_of(call, GF_HISTOGRAM_THREADS);
    const int64_t by_memory = device.all_bytes / (static_cast<int64_t>(shared) + 6 * 1024);
    const int64_t by_threads = 2 * RESIDENT / threads;
    const int64_t resident = (by_memory < by_threads ? by_memory : by_threads) * device.processors;
    p->slice = static_cast<uint32_t>(p->channels) * 256;
    const gf_launch launch = launch_of(call, *p, threads, resident, 1, shared);
    GF_CUDA_TRY(error, p->channels == 3 ? GF_LAUNCH((gf_histogram_bytes<true>), launch, *p, slots)
                                        : GF_LAUNCH((gf_histogram_bytes<false>), launch, *p, slots));
    return GF_OK;
}

/* Counters in shared memory, in as few slices as their guide and the option `tile` leave;
 * GF_ERROR_LIMIT-free: false in *fits when there would be too many. */
static gf_status run_shared(const struct gf_array_call *call, gf_histogram_params *p,
                            const gf_histogram_device &device, bool *fits, gf_error *error)
{
    const int64_t bins = p->bins.count, most = device.block_bytes / 4 - 8, tile = call->options.tile;
    const bool near = p->bins.kind == GF_BINS_EDGES && gf_guide_is_near(bins);
    const int64_t guide_words = near ? 2 * (bins + 1) + gf_guide_cells(bins) : 0;
    const int64_t left = most - guide_words, room = tile > 0 && tile < left ? tile : left;
    const int64_t slices = (p->total + room - 1) / room;
    *fits = slices <= SLICES_MOST && (tile > 0 || p->total <= FEW_COUNTERS || p->n >= p->total / 2);
    if (!*fits) {
        return GF_OK;
    }
    const bool columns = slices == 1 && int64_t(p->total) * GF_HISTOGRAM_BANKS * 4 <= COLUMNS_MOST;
    p->columns = columns ? uint32_t(GF_HISTOGRAM_BANKS) : 1;
    p->slice = static_cast<uint32_t>((p->total + slices - 1) / slices);
    const size_t words = (static_cast<size_t>(p->slice) * p->columns + 1 + 3) / 4 * 4;
    const size_t shared = (words + static_cast<size_t>(guide_words)) * 4;
    const bool one = 2 * (static_cast<int64_t>(shared) + 1024) > device.all_bytes;
    const int64_t threads = block_of(call, one ? int64_t(GF_HISTOGRAM_THREADS) : int64_t(BLOCK_FEW));
    const int64_t each = one || threads >= RESIDENT ? 1 : RESIDENT / threads;
    GF_TRY(gf_histogram_launch_shared(
        call->options.type,
        launch_of(call, *p, threads, each * device.processors, static_cast<unsigned>(slices), shared), *p,
        error));
    return GF_OK;
}

extern "C" gf_status gf_histogram_cuda(const struct gf_array_call *call, gf_error *error)
{
    struct gf_histogram_params p;
    gf_histogram_device device = {};
    bool done = false;
    GF_ON_DEVICE(call->queue.device, error)
    GF_TRY(look_at_device(&device, error));
    GF_TRY(gf_histogram_prepare(call, &p, error));
    if (call->options.type == GF_U8) {
        return run_bytes(call, &p, device, error);
    }
    if (p.bins.edges) {
        GF_TRY(make_guide(call, &p, error));
    }
    GF_TRY(run_shared(call, &p, device, &done, error));
    if (done) {
        return GF_OK;
    }
    const int64_t threads = block_of(call, BLOCK_FEW), each = threads >= RESIDENT ? 1 : RESIDENT / threads;
    p.slice = 1;
    p.columns = 1;
    return gf_histogram_launch_global(call->options.type,
                                      launch_of(call, p, threads, each * device.processors, 1, 0), p, error);
}
