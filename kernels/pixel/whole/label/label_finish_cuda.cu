/* label on CUDA: the pixels of the result, and the measures of regions (label_cuda.cuh). Measures are
 * integers, so that it does not matter in which order they are added. */
#include "base/gf_order.h"
#include "pixel/whole/label/label_cuda.cuh"

enum gf_label_measure {
    GF_LABEL_AREA,
    GF_LABEL_SUM_X, /* coordinates are the tile's: sums of a tile take 32 bits */
    GF_LABEL_SUM_Y,
    GF_LABEL_SUM_V,
    GF_LABEL_LEFT,
    GF_LABEL_TOP,
    GF_LABEL_RIGHT,
    GF_LABEL_BOTTOM,
    GF_LABEL_LEAST,
    GF_LABEL_GREATEST,
    GF_LABEL_MEASURES,
    GF_LABEL_AT_ONCE = 512 /* parts of a tile that are measured together */
};

GF_DEVICE_FN uint32_t gf_label_key(float v)
{
    return gf_key_f32(v);
}
GF_DEVICE_FN uint32_t gf_label_key(uint16_t v)
{
    return v;
}
GF_DEVICE_FN uint32_t gf_label_key(uint8_t v)
{
    return v;
}

/* What is measured of runs of one part. */
struct gf_label_sum {
    uint32_t area, sum_x, sum_y, sum_v, left, top, right, bottom, least, greatest;
};

GF_DEVICE_FN struct gf_label_sum gf_label_nothing()
{
    return {0, 0, 0, 0, 0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0, 0xFFFFFFFFu, 0};
}

GF_DEVICE_FN uint32_t gf_label_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
GF_DEVICE_FN uint32_t gf_label_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

GF_DEVICE_FN void gf_label_join(struct gf_label_sum *to, const struct gf_label_sum &part)
{
    to->area += part.area;
    to->sum_x += part.sum_x;
    to->sum_y += part.sum_y;
    to->sum_v += part.sum_v;
    to->left = gf_label_min(to->left, part.left);
    to->top = gf_label_min(to->top, part.top);
    to->right = gf_label_max(to->right, part.right);
    to->bottom = gf_label_max(to->bottom, part.bottom);
    to->least = gf_label_min(to->least, part.least);
    to->greatest = gf_label_max(to->greatest, part.greatest);
}

/* measures: [GF_LABEL_MEASURES][GF_LABEL_AT_ONCE], those of one part. */
GF_DEVICE_FN void gf_label_add(uint32_t *measures, const struct gf_label_sum &part)
{
    gf_atomic_add(measures + GF_LABEL_AREA * GF_LABEL_AT_ONCE, part.area);
    gf_atomic_add(measures + GF_LABEL_SUM_X * GF_LABEL_AT_ONCE, part.sum_x);
    gf_atomic_add(measures + GF_LABEL_SUM_Y * GF_LABEL_AT_ONCE, part.sum_y);
    gf_atomic_add(measures + GF_LABEL_SUM_V * GF_LABEL_AT_ONCE, part.sum_v);
    gf_atomic_min(measures + GF_LABEL_LEFT * GF_LABEL_AT_ONCE, part.left);
    gf_atomic_min(measures + GF_LABEL_TOP * GF_LABEL_AT_ONCE, part.top);
    gf_atomic_max(measures + GF_LABEL_RIGHT * GF_LABEL_AT_ONCE, part.right);
    gf_atomic_max(measures + GF_LABEL_BOTTOM * GF_LABEL_AT_ONCE, part.bottom);
    gf_atomic_min(measures + GF_LABEL_LEAST * GF_LABEL_AT_ONCE, part.least);
    gf_atomic_max(measures + GF_LABEL_GREATEST * GF_LABEL_AT_ONCE, part.greatest);
}

/* Reduces over the lanes of a warp. */
GF_DEVICE_FN struct gf_label_sum gf_label_reduce(const struct gf_label_sum &own)
{
    return {gf_reduce_add(own.area),    gf_reduce_add(own.sum_x),  gf_reduce_add(own.sum_y),
            gf_reduce_add(own.sum_v),   gf_reduce_min(own.left),   gf_reduce_min(own.top),
            gf_reduce_max(own.right),   gf_reduce_max(own.bottom), gf_reduce_min(own.least),
            gf_reduce_max(own.greatest)};
}

/* The slot that most lanes have; a lane without one has GF_LABEL_NO_SLOT. */
GF_DEVICE_FN uint32_t gf_label_common(uint32_t slot)
{
    const uint32_t same = gf_match_any(slot);
    const uint32_t lanes = slot == GF_LABEL_NO_SLOT ? 0 : static_cast<uint32_t>(__popc(same));
    return gf_reduce_max(lanes << 16 | slot) & 0xFFFFu;
}

/* Adds up the runs of a word that are of parts from `from` on. Most are of the part that is common in the
 * warp: they stay in registers. */
template <class T>
GF_DEVICE_FN void gf_label_measure_word(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                        uint32_t in, uint32_t begins, uint32_t from, uint32_t *measures)
{
    const uint32_t x = threadIdx.x % GF_LABEL_WORDS * GF_WARP, y = threadIdx.x / GF_LABEL_WORDS;
    const char *const row = p.in + (tile.y + y) * p.in_pitch;
    const uint16_t *const slots = gf_label_slots(p, tile.x + x, tile.y + y);
    const uint32_t common = gf_label_common(in ? slots[0] : GF_LABEL_NO_SLOT);
    struct gf_label_sum most = gf_label_nothing();
    int rank = 0;
    for (uint32_t left = in; left; rank++) {
        const struct gf_label_stretch run(in, begins, gf_label_lowest(left));
        const uint32_t slot = slots[rank], n = static_cast<uint32_t>(__popc(run.bits));
        const uint32_t first = x + static_cast<uint32_t>(run.first);
        left &= ~run.bits;
        if (slot - from >= GF_LABEL_AT_ONCE) {
            continue;
        }
        struct gf_label_sum own = {
            n, n * first + n * (n - 1) / 2, n * y, 0, first, y, first + n - 1, y, 0xFFFFFFFFu, 0};
        for (uint32_t i = first; i < first + n; i++) {
            const T v = reinterpret_cast<const T *>(row)[(tile.x + i) * p.channels];
            const uint32_t key = gf_label_key(v);
            own.sum_v += std::is_integral<T>::value ? key : 0;
            own.least = gf_label_min(own.least, key);
            own.greatest = gf_label_max(own.greatest, key);
        }
        if (slot == common) {
            gf_label_join(&most, own);
        } else {
            gf_label_add(measures + (slot - from), own);
        }
    }
    most = gf_label_reduce(most);
    if (gf_lane() == 0 && most.area > 0) {
        gf_label_add(measures + (common - from), most);
    }
}

/* What a tile has measured of a part goes to its region. A part that is all of it stores it. */
GF_DEVICE_FN void gf_label_add_part(const struct gf_label_tile &tile, const uint32_t *measures,
                                    struct gf_region *to)
{
    const uint64_t area = measures[GF_LABEL_AREA * GF_LABEL_AT_ONCE];
    const uint32_t x = static_cast<uint32_t>(tile.x), y = static_cast<uint32_t>(tile.y);
    struct gf_region part;
    part.area = area;
    part.sum_x = area * x + measures[GF_LABEL_SUM_X * GF_LABEL_AT_ONCE];
    part.sum_y = area * y + measures[GF_LABEL_SUM_Y * GF_LABEL_AT_ONCE];
    part.sum_v = measures[GF_LABEL_SUM_V * GF_LABEL_AT_ONCE];
    part.left = x + measures[GF_LABEL_LEFT * GF_LABEL_AT_ONCE];
    part.top = y + measures[GF_LABEL_TOP * GF_LABEL_AT_ONCE];
    part.right = x + measures[GF_LABEL_RIGHT * GF_LABEL_AT_ONCE];
    part.bottom = y + measures[GF_LABEL_BOTTOM * GF_LABEL_AT_ONCE];
    part.least = measures[GF_LABEL_LEAST * GF_LABEL_AT_ONCE];
    part.greatest = measures[GF_LABEL_GREATEST * GF_LABEL_AT_ONCE];
    if (to->area == area) {
        *to = part;
        return;
    }
    gf_atomic_add(&to->sum_x, part.sum_x);
    gf_atomic_add(&to->sum_y, part.sum_y);
    gf_atomic_add(&to->sum_v, part.sum_v);
    gf_atomic_min(&to->left, part.left);
    gf_atomic_min(&to->top, part.top);
    gf_atomic_max(&to->right, part.right);
    gf_atomic_max(&to->bottom, part.bottom);
    gf_atomic_min(&to->least, part.least);
    gf_atomic_max(&to->greatest, part.greatest);
}

/* The colours of a warp's pixels from x on: 24 lanes write four bytes each, of two neighbouring pixels, where
 * those are whole words of memory. */
GF_DEVICE_FN void gf_label_write_colours(const struct gf_label_params &p, char *row, int64_t x,
                                         uint32_t colour)
{
    char *const to = row + 3 * x;
    if (x + GF_WARP <= p.width && reinterpret_cast<uintptr_t>(to) % 4 == 0) {
        const unsigned pixel = gf_lane() < 24 ? gf_lane() * 4 / 3 : 0, shift = gf_lane() % 3 * 8;
        const uint32_t own = gf_shfl(colour, pixel);
        const uint32_t next = gf_shfl(colour, pixel + !GF_FAULT(cuda_label_colour));
        if (gf_lane() < 24) {
            gf_store4(to + 4 * gf_lane(), own >> shift | next << (24 - shift), GF_STREAM);
        }
    } else if (x + gf_lane() < p.width) {
        for (int channel = 0; channel < 3; channel++) {
            to[3 * gf_lane() + channel] = static_cast<char>(colour >> 8 * channel);
        }
    }
}

/* A warp writes its words, a lane a pixel of each. numbers: of the tile's parts, or their colours. */
template <class T>
GF_DEVICE_FN void gf_label_write(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                 uint32_t in, uint32_t begins, const uint32_t *numbers)
{
    const uint32_t upto = (2u << gf_lane()) - 1;
    for (unsigned i = 0; i < GF_WARP; i++) {
        const uint32_t word = gf_shfl(in, i), runs = gf_shfl(begins, i);
        const int64_t first = tile.x + i % GF_LABEL_WORDS * GF_WARP, x = first + gf_lane();
        const int64_t y = tile.y + gf_warp() * (GF_WARP / GF_LABEL_WORDS) + i / GF_LABEL_WORDS;
        if (first >= p.width || y >= p.height) {
            continue;
        }
        const bool is_in = word >> gf_lane() & 1;
        const uint32_t number = is_in ? numbers[gf_label_slots(p, first, y)[__popc(runs & upto) - 1]] : 0;
        char *const row = p.out + y * p.out_pitch;
        if (p.args.output == GF_LABEL_COLOURS) {
            gf_label_write_colours(p, row, first, number);
            continue;
        }
        if (x >= p.width) {
            continue; /* the others of the warp are met again at the next word */
        }
        if (p.args.output == GF_LABEL_NUMBERS) {
            gf_store4(reinterpret_cast<uint32_t *>(row) + x, number, GF_STREAM);
        } else {
            const T made =
                p.args.output == GF_LABEL_MASK ? static_cast<T>(p.white) : gf_label_sample<T>(p, x, y);
            reinterpret_cast<T *>(row)[x] = number ? made : T(0);
        }
    }
}

template <class T, bool EQUAL>
static __global__ void __launch_bounds__(gf_label_shape<EQUAL>::THREADS)
    gf_label_finish(const struct gf_label_params p)
{
    constexpr unsigned THREADS = gf_label_shape<EQUAL>::THREADS;
    GF_SHARED(uint32_t, numbers, GF_LABEL_NODES);
    GF_SHARED(uint32_t, measures, GF_LABEL_MEASURES * GF_LABEL_AT_ONCE);
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    const uint32_t parts = p.parts[blockIdx.x];
    uint32_t in, begins;
    for (uint32_t i = threadIdx.x; i < parts; i += THREADS) {
        numbers[i] = p.area[p.parent[tile.base + i]];
    }
    gf_label_load<T, EQUAL>(p, tile, &in, &begins);
    for (uint32_t from = 0; from < parts; from += GF_LABEL_AT_ONCE) {
        const uint32_t left = parts - from, some = gf_label_min(left, GF_LABEL_AT_ONCE);
        for (uint32_t i = threadIdx.x; i < GF_LABEL_MEASURES * GF_LABEL_AT_ONCE; i += THREADS) {
            const uint32_t kind = i / GF_LABEL_AT_ONCE;
            measures[i] =
                kind == GF_LABEL_LEFT || kind == GF_LABEL_TOP || kind == GF_LABEL_LEAST ? 0xFFFFFFFFu : 0;
        }
        __syncthreads();
        gf_label_measure_word<T>(p, tile, in, begins, from, measures);
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < some; i += THREADS) {
            if (numbers[from + i]) {
                gf_label_add_part(tile, measures + i, p.regions + numbers[from + i] - 1);
            }
        }
        __syncthreads();
    }
    if (p.args.output == GF_LABEL_COLOURS) {
        for (uint32_t i = threadIdx.x; i < parts; i += THREADS) {
            numbers[i] = numbers[i] ? gf_label_colour(numbers[i]) : 0;
        }
    }
    __syncthreads();
    gf_label_write<T>(p, tile, in, begins, numbers);
}

gf_status gf_label_queue_finish(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                                gf_error *error)
{
    return gf_label_dispatch(p, depth, stream, error,
                             [&](auto tag, auto equal, const struct gf_launch &launch) -> gf_status {
                                 using T = typename decltype(tag)::type;
                                 constexpr bool EQUAL = decltype(equal)::value != 0;
                                 GF_CUDA_TRY(error, GF_LAUNCH((gf_label_finish<T, EQUAL>), launch, *p));
                                 return GF_OK;
                             });
}
