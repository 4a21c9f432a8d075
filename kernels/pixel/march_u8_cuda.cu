/* Marches over u8 pictures with a separable window of radius up to 8: rows to the products of
 * march_tiles_cuda.cuh and back, programs as tables on the way. */
#include "pixel/march_tiles_cuda.cuh"

/* What a warp works on. */
struct gf_tiles_at {
    int32_t sample, y0, y1; /* first sample of its strip; rows */
    int32_t byte;           /* of a row, with which its lines begin */
};

/* Patches of a lane: samples of the line beside the picture, and those that the border puts there. to -1:
 * none; from -1: the fill. */
struct gf_tiles_patches {
    int32_t to[2], from[2];
    uint8_t fill[2];
};

GF_DEVICE_FN struct gf_tiles_patches gf_tiles_patches_make(const struct gf_tiles_params &p,
                                                           int32_t line_sample, int32_t line)
{
    struct gf_tiles_patches patches = {{-1, -1}, {-1, -1}, {0, 0}};
    const int32_t n = static_cast<int32_t>(gf_lane()), c = p.channels;
    for (int32_t side = 0; side < 2 && n < c * p.radius_x && p.border != GF_BORDER_WRAP; side++) {
        const int32_t pixel = side == 0 ? -1 - n / c : p.samples / c + n / c, channel = n % c;
        const int64_t source = gf_border_index(pixel, p.samples / c, p.border);
        const int32_t to = pixel * c + channel - line_sample;
        const int32_t from = static_cast<int32_t>(source) * c + channel - line_sample;
        if (to >= 0 && to < line && (source < 0 || (from >= 0 && from < line))) {
            patches.to[side] = to;
            patches.from[side] = source < 0 ? -1 : from;
            patches.fill[side] = p.fill[channel];
        }
    }
    return patches;
}

/* Bytes of pixels beside the picture of a border that wraps. */
static __device__ __noinline__ void gf_tiles_wrap(int64_t width, int32_t size, int32_t radius,
                                                  const unsigned char *row, int32_t byte, int32_t line,
                                                  unsigned char *to)
{
    for (int32_t n = static_cast<int32_t>(gf_lane()); n < 2 * radius * size; n += GF_WARP) {
        const int64_t pixel = n / size < radius ? n / size - radius : width + n / size - radius;
        const int64_t at = pixel * size + n % size - byte;
        if (at >= 0 && at < line) {
            to[at] = row[gf_border_index(pixel, width, GF_BORDER_WRAP) * size + n % size];
        }
    }
}

/* Brings 16 rows from row y on their way. */
GF_DEVICE_FN void gf_tiles_bring(const struct gf_pass_args &a, const struct gf_tiles_params &p,
                                 const struct gf_tiles_at &at, int32_t y, unsigned char *to)
{
    const int32_t row_bytes = static_cast<int32_t>(a.width) * a.in.channels,
                  lane = static_cast<int32_t>(gf_lane());
    const int32_t begin = at.byte < 0 ? -at.byte : 0;
    const int32_t end = row_bytes - at.byte < p.line ? row_bytes - at.byte : p.line;
    for (int32_t r = 0; r < GF_TILE; r++, to += p.line) {
        int32_t source = y + r;
        if (static_cast<uint32_t>(source) >= static_cast<uint32_t>(p.height)) {
            source = gf_strip_row(source, p.height, p.border);
            if (source < 0) {
                continue; /* of fill */
            }
        }
        const unsigned char *const row = a.in.data + int64_t(source) * a.in.pitch, *const from =
                                                                                       row + at.byte;
        if (p.wide_in) {
            int32_t b = lane * 8;
            for (; b + 8 <= end; b += GF_WARP * 8) {
                if (b >= begin) {
                    gf_cp_async<8>(to + b, from + b);
                }
            }
            for (; b < end; b++) { /* one lane's */
                to[b] = from[b];
            }
        } else {
            for (int32_t b = begin + lane; b < end; b += GF_WARP) {
                to[b] = from[b];
            }
        }
        if (p.border == GF_BORDER_WRAP && (begin > 0 || end < p.line)) {
            gf_tiles_wrap(a.width, a.in.channels, p.radius_x, row, at.byte, p.line, to);
        }
    }
}

/* Four samples through the tables of their channels; c: the first one's. */
GF_DEVICE_FN uint32_t gf_tiles_table(const uint8_t *table, int32_t channels, int32_t c, uint32_t word)
{
    if (channels == 1) {
        return gf_table_word(table, word);
    }
    uint32_t v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = table[256 * c + static_cast<int32_t>(word >> (8 * i) & 0xff)];
        c = c + 1 == channels ? 0 : c + 1;
    }
    return gf_pack4(v[0], v[1], v[2], v[3]);
}

GF_DEVICE_FN int32_t gf_tiles_channel(int32_t sample, int32_t channels)
{
    const int32_t c = sample % channels;
    return c < 0 ? c + channels : c;
}

/* 16 rows of pixels to lines of samples: gray, then the table. */
template <int LINE>
GF_DEVICE_FN void gf_tiles_convert(const struct gf_tiles_params &p, const uint8_t *table, int32_t line_sample,
                                   const unsigned char *raw, unsigned char *lines)
{
    const int32_t lane = static_cast<int32_t>(gf_lane());
    if (p.channels == 1) {
        const int32_t unit = p.tables.gray ? 12 : 4;
        for (int32_t u = lane; u < GF_TILE * LINE / 4; u += GF_WARP) {
            uint32_t q[1];
            gf_bytes_take<1>(p.tables, table, raw + u * unit, q);
            gf_store4(lines + 4 * u, q[0]);
        }
    } else if (p.tables.gray) {
        for (int32_t u = lane; u < GF_TILE * LINE / 8; u += GF_WARP) {
            uint32_t q[2], w[2];
            gf_bytes_take<2>(p.tables, table, raw + u * 16, q);
            gf_join<2>(q, w);
            gf_store8(lines + 8 * u, make_uint2(w[0], w[1]));
        }
    } else {
        for (int32_t u = lane; u < GF_TILE * LINE / 4; u += GF_WARP) {
            const int32_t c = gf_tiles_channel(line_sample + 4 * u % LINE, p.channels);
            gf_store4(lines + 4 * u, gf_tiles_table(table, p.channels, c, gf_load4(raw + 4 * u)));
        }
    }
}

/* What lies beside the picture, from the lines; rows of fill. */
template <int LINE>
GF_DEVICE_FN void gf_tiles_patch(const struct gf_tiles_params &p, const struct gf_tiles_patches &patches,
                                 int32_t line_sample, int32_t y, unsigned char *lines)
{
    if (p.border == GF_BORDER_CONSTANT && (y < 0 || y + GF_TILE > p.height)) {
        for (int32_t i = static_cast<int32_t>(gf_lane()); i < GF_TILE * LINE; i += GF_WARP) {
            if (static_cast<uint32_t>(y + i / LINE) >= static_cast<uint32_t>(p.height)) {
                lines[i] = p.fill[gf_tiles_channel(line_sample + i % LINE, p.channels)];
            }
        }
    }
#pragma unroll
    for (int side = 0; side < 2; side++) {
        for (int32_t r = 0; r < GF_TILE && patches.to[side] >= 0; r++) {
            lines[r * LINE + patches.to[side]] =
                patches.from[side] < 0 ? patches.fill[side] : lines[r * LINE + patches.from[side]];
        }
    }
}

/* Four results from `sample` of a row on, the first `live` in the picture, through table and tap to memory.
 */
GF_DEVICE_FN void gf_tiles_put(const struct gf_tiles_params &p, const struct gf_march_shared &shared,
                               uint32_t word, int32_t sample, int32_t live, unsigned char *row,
                               int32_t &highs)
{
    const struct gf_march_tables &t = p.tables;
    const int32_t c = p.channels == 1 ? 0 : sample % p.channels;
    if (t.step.is) {
        const uint32_t bits = gf_step_bits(word, t.step.carry);
        word = t.step.low + bits * static_cast<uint32_t>(t.step.rise);
        highs += __popc(bits & (live >= GF_UNIT ? ~0U : (1U << (8 * live)) - 1U));
    } else if (t.out) {
        word = gf_tiles_table(shared.out, p.channels, c, word);
    }
    if (t.counts && !(t.step.is && p.channels == 1)) {
        int32_t channel = c;
        for (int32_t i = 0; i < (live < GF_UNIT ? live : int32_t(GF_UNIT)); i++) {
            gf_atomic_add(&shared.counts[256 * channel + static_cast<int32_t>(word >> (8 * i) & 0xff)], 1u);
            channel = channel + 1 == p.channels ? 0 : channel + 1;
        }
    }
    if (row) {
        if (p.wide_out && live >= GF_UNIT) {
            gf_store4(row + sample, word, GF_STREAM);
        } else {
            for (int32_t i = 0; i < live && i < GF_UNIT; i++) {
                row[sample + i] = static_cast<unsigned char>(word >> (8 * i));
            }
        }
    }
}

/* One tile: its sums beside each other are kept for the next step; with those of the last, results of 16 rows
 * from row y on, none where y is above the segment. */
template <int K, bool SIGNED>
GF_DEVICE_FN void gf_tiles_step(const struct gf_pass_args &a, const struct gf_tiles_params &p,
                                const struct gf_march_shared &shared,
                                const struct gf_tiles_matrix (&across)[K], const struct gf_tiles_matrix &down,
                                const struct gf_tiles_at &at, const unsigned char *lines, uint32_t *kept,
                                int32_t sample, int32_t y, int32_t &samples, int32_t &highs)
{
    constexpr int PLANES = gf_tiles_kept<SIGNED>::planes, LINE = gf_tiles_shape<K>::line;
    const int32_t g = static_cast<int32_t>(gf_lane()) / 4;
    int32_t upper[4], lower[4];
    uint32_t result[2][4] = {};
    gf_tiles_across<K, SIGNED>(p, across, lines, upper);
    gf_tiles_across<K, SIGNED>(p, across, lines + 8 * LINE, lower);
#pragma unroll
    for (int q = 0; q < 2; q++) {
        uint32_t above[PLANES], below[PLANES];
        gf_tiles_pack<PLANES>(upper[2 * q], upper[2 * q + 1], lower[2 * q], lower[2 * q + 1], below);
#pragma unroll
        for (int i = 0; i < PLANES; i++) {
            uint32_t *const own = kept + (q * PLANES + i) * GF_WARP;
            above[i] = *own;
            *own = below[i];
        }
        if (y >= at.y0) {
            gf_tiles_down<SIGNED, PLANES>(p, down, above, below, result[q]);
        }
    }
    const int32_t live = p.samples - sample;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int32_t row = y + g + 8 * half;
        if (y >= at.y0 && row < at.y1 && live > 0) {
            const uint32_t word = gf_pack4(result[0][2 * half], result[0][2 * half + 1], result[1][2 * half],
                                           result[1][2 * half + 1]);
            samples += live < GF_UNIT ? live : int32_t(GF_UNIT);
            gf_tiles_put(p, shared, word, sample, live,
                         a.out.data ? a.out.data + int64_t(row) * a.out.pitch : nullptr, highs);
        }
    }
}

template <int K, bool SIGNED>
GF_DEVICE_FN void gf_tiles_march(const struct gf_pass_args &a, const struct gf_tiles_params &p,
                                 const struct gf_march_shared &shared, const int16_t *weights,
                                 const struct gf_tiles_at &at, unsigned char *room)
{
    constexpr int LINE = gf_tiles_shape<K>::line, LEFT = gf_tiles_shape<K>::left;
    const int32_t lane = static_cast<int32_t>(gf_lane());
    const int32_t line_sample = at.sample - LEFT;
    unsigned char *const other = room + GF_TILE * p.line; /* where rows go that are not where they came */
    uint32_t *const kept = reinterpret_cast<uint32_t *>(other + GF_TILE * LINE) + lane;
    struct gf_tiles_matrix across[K], down;
#pragma unroll
    for (int k = 0; k < K; k++) {
        gf_tiles_matrix_make<false>(weights, LEFT - 32 * k, across[k]);
    }
    gf_tiles_matrix_make<true>(weights + 2 * GF_TILE_REACH, 0, down);
    const struct gf_tiles_patches patches = gf_tiles_patches_make(p, line_sample, LINE);
    int32_t samples = 0, highs = 0;
    int32_t y = at.y0 - GF_TILE / 2 + (GF_FAULT(cuda_segment_seam) && at.y0 > 0);
    unsigned char *now = room, *next = p.converts ? room : other;
    gf_tiles_bring(a, p, at, y, now);
    gf_cp_async_commit();
    for (; y - GF_TILE / 2 < at.y1; y += GF_TILE) {
        gf_cp_async_wait<0>();
        gf_syncwarp();
        unsigned char *const lines = p.converts ? other : now;
        if (p.converts) {
            gf_tiles_convert<LINE>(p, shared.in, line_sample, now, lines);
            gf_syncwarp();
        }
        if (y + GF_TILE / 2 < at.y1) {
            gf_tiles_bring(a, p, at, y + GF_TILE, next);
        }
        gf_cp_async_commit();
        gf_tiles_patch<LINE>(p, patches, line_sample, y, lines);
        gf_syncwarp();
        for (int32_t tile = 0; tile < GF_TILES - GF_FAULT(cuda_strip_seam); tile++) {
            const int32_t sample = at.sample + tile * GF_TILE;
            if (sample < p.samples) {
                gf_tiles_step<K, SIGNED>(a, p, shared, across, down, at,
                                         lines + lane / 4 * LINE + tile * GF_TILE + lane % 4 * 4,
                                         kept + tile * (gf_tiles_kept<SIGNED>::words * GF_WARP),
                                         sample + lane % 4 * 4, y - GF_TILE / 2, samples, highs);
            }
        }
        if (!p.converts) {
            unsigned char *const last = now;
            now = next;
            next = last;
        }
    }
    if (p.tables.counts && p.tables.step.is && p.channels == 1) {
        const int32_t all[1] = {highs};
        gf_step_count<1>(p.tables, shared.counts, samples, all);
    }
}

template <int K, bool SIGNED>
static __global__ void __launch_bounds__(GF_TILE_THREADS)
    gf_march_tiles(const struct gf_pass_args a, const struct gf_tiles_params p, int32_t room)
{
    GF_SHARED_DYN(unsigned char, rooms);
    GF_SHARED(uint8_t, table_in, 4 * 256);
    GF_SHARED(uint8_t, table_out, 4 * 256);
    GF_SHARED(uint32_t, counts, 4 * 256);
    GF_SHARED(int16_t, weights, 4 * GF_TILE_REACH);
    const struct gf_march_shared shared = {table_in, table_out, counts};
    if (p.tables.in) {
        gf_table_make(a, a.pre, p.tables.gray, p.channels, table_in);
    }
    if (p.tables.out && !p.tables.step.is) {
        gf_table_make(a, a.post, 0, p.channels, table_out);
    }
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < 256 * p.channels && p.tables.counts;
         i += GF_TILE_THREADS) {
        counts[i] = 0;
    }
    gf_tiles_weights(p.wx, p.radius_x, p.channels, weights);
    gf_tiles_weights(p.wy, p.radius_y, 1, weights + 2 * GF_TILE_REACH);
    __syncthreads();
    const int64_t strip = int64_t(blockIdx.x) * GF_TILE_WARPS + gf_warp();
    if (strip * GF_TILE_STRIP < p.samples) {
        const int32_t n = static_cast<int32_t>(strip), y0 = static_cast<int32_t>(blockIdx.y) * p.segment;
        const struct gf_tiles_at at = {n * GF_TILE_STRIP, y0,
                                       p.height - y0 < p.segment ? p.height : y0 + p.segment,
                                       p.first + n * p.step};
        gf_tiles_march<K, SIGNED>(a, p, shared, weights, at, rooms + static_cast<int32_t>(gf_warp()) * room);
    }
    if (p.tables.counts) {
        __syncthreads();
        gf_count_flush(counts, p.channels, p.tables.counts_mask, p.tables.counts);
    }
}

/* ---- launch ---------------------------------------------------------------------------------------------- */

template <int K>
static gf_status gf_tiles_params_make(const struct gf_pass_args *args, const struct gf_run *run,
                                      struct gf_tiles_params *p, bool *is_signed, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_separable_args *s = &window->args.separable;
    const int16_t *wx = static_cast<const int16_t *>(run->host_blocks[window->blocks[0]]);
    const int16_t *wy = static_cast<const int16_t *>(run->host_blocks[window->blocks[1]]);
    const int32_t channels = window->channels_in, left = gf_tiles_shape<K>::left;
    if (!wx || !wy) {
        return gf_fail(error, GF_ERROR_INTERNAL, "separable: the weights are not a constant block");
    }
    gf_march_tables_make(run, &p->tables);
    p->samples = static_cast<int32_t>(args->width) * channels;
    p->height = static_cast<int32_t>(args->height);
    p->channels = channels;
    p->border = window->border;
    p->radius_x = s->radius_x;
    p->radius_y = s->radius_y;
    memcpy(p->wx, wx, static_cast<size_t>(2 * s->radius_x + 1) * sizeof *wx);
    memcpy(p->wy, wy, static_cast<size_t>(2 * s->radius_y + 1) * sizeof *wy);
    for (int32_t i = 0; i <= 2 * GF_TILE_RADIUS; i++) {
        *is_signed = *is_signed || p->wx[i] < 0 || p->wy[i] < 0;
    }
    p->shift_x = s->shift_x - 7;
    p->half_x = 1 << (s->shift_x - 8);
    p->shift_y = s->shift_y + 7;
    p->half_y = 1 << (s->shift_y + 6 + GF_FAULT(cuda_rounding_up));
    p->line = gf_tiles_shape<K>::line / channels * args->in.channels;
    p->first = -left / channels * args->in.channels;
    p->step = GF_TILE_STRIP / channels * args->in.channels;
    if (!p->tables.gray) {
        p->line = gf_tiles_shape<K>::line;
        p->first = -left;
        p->step = GF_TILE_STRIP;
    }
    p->converts = p->tables.gray || p->tables.in;
    p->wide_in = gf_is_aligned(&args->in, 8);
    p->wide_out = gf_is_aligned(&args->out, 4);
    for (int32_t c = 0; c < channels; c++) {
        p->fill[c] = gf_quantise_u8(window->fill[c]);
    }
    return GF_OK;
}

template <int K, bool SIGNED>
static gf_status gf_tiles_run(const struct gf_pass_args *args, const struct gf_run *run,
                              struct gf_tiles_params *p, gf_error *error)
{
    struct gf_launch launch = {};
    const int32_t room = gf_tiles_room<K, SIGNED>(*p);
    launch.block = dim3(GF_TILE_THREADS);
    launch.stream = gf_run_stream(run);
    launch.shared = static_cast<size_t>(GF_TILE_WARPS * room);
    const unsigned across = gf_blocks(p->samples, GF_TILE_STRIP * GF_TILE_WARPS);
    GF_TRY(gf_strip_segment(run, gf_march_tiles<K, SIGNED>, GF_TILE_THREADS, across, args->height, &launch,
                            &p->segment, error));
    p->segment =
        p->segment > INT32_MAX - GF_TILE ? p->segment : (p->segment + GF_TILE - 1) / GF_TILE * GF_TILE;
    launch.grid = dim3(across, gf_blocks(args->height, p->segment));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_march_tiles<K, SIGNED>), launch, *args, *p, room));
    return GF_OK;
}

template <int K>
static gf_status gf_tiles_queue(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    struct gf_tiles_params p = {};
    bool is_signed = false;
    GF_TRY(gf_tiles_params_make<K>(args, run, &p, &is_signed, error));
    return is_signed ? gf_tiles_run<K, true>(args, run, &p, error)
                     : gf_tiles_run<K, false>(args, run, &p, error);
}

bool gf_march_u8_takes(const struct gf_pass *pass)
{
    const struct gf_separable_args *s = &pass->window.args.separable;
    return pass->window.depth_in == GF_U8 && gf_march_takes_bytes(pass) &&
           pass->width <= GF_STRIP_SIDE / GF_MAX_CHANNELS && s->radius_x <= GF_TILE_RADIUS &&
           s->radius_y <= GF_TILE_RADIUS && s->radius_x * pass->window.channels_in <= gf_tiles_shape<2>::left;
}

static gf_status gf_march_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                    const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    return window->args.separable.radius_x * window->channels_in <= gf_tiles_shape<1>::left
               ? gf_tiles_queue<1>(args, run, error)
               : gf_tiles_queue<2>(args, run, error);
}

const struct gf_cuda_way gf_way_march_u8 = {gf_march_u8_launch, nullptr, false, true, true};
