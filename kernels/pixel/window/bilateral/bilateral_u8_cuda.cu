/* Bilateral means of u8 pictures of one channel, radius 1 to 4: tiles in shared memory, and alike-weights
 * from a table there.
 *
 * Entry 255 + d of the table is for the difference d with its sign. Each lane has a table of its own, in a
 * bank of its own: what 32 lanes look for lies in other places of a noisy picture, and would meet in the same
 * banks. A sample as the bits of 2^23 + v is shifted and added to find its entry, and is the float v but for
 * 2^23. A lane has eight neighbouring pixels. */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/window/bilateral/bilateral_cuda.cuh"

enum {
    GF_BILATERAL_P = 8,
    GF_BILATERAL_WARPS = 16,
    GF_BILATERAL_THREADS = GF_BILATERAL_WARPS * GF_WARP,
    GF_BILATERAL_TILE = GF_WARP * GF_BILATERAL_P, /* pixels across */
    GF_BILATERAL_ROWS = 64,                       /* of a tile */
    GF_BILATERAL_CHUNK = 16,                      /* bytes that are copied at once; the halo on each side */
    GF_BILATERAL_CHUNKS = GF_BILATERAL_TILE / GF_BILATERAL_CHUNK + 2,
    GF_BILATERAL_LINE = GF_BILATERAL_CHUNKS * GF_BILATERAL_CHUNK,
    GF_BILATERAL_ENTRIES = 511,
    GF_BILATERAL_SHIFT = 7, /* bytes from an entry to the next, of all lanes: 128 */
    GF_BILATERAL_MOST = 4   /* radius */
};
static_assert(1 << GF_BILATERAL_SHIFT == GF_WARP * sizeof(float), "an entry a lane");

/* Near-weights by squared distance. */
struct gf_bilateral_nears {
    float of[GF_BILATERAL_MOST * GF_BILATERAL_MOST + 1];
};

/* ---- before the pixels -------------------------------------------------------------------------------- */

/* alike: 256 floats to work with. */
GF_DEVICE_FN void gf_bilateral_fill_table(const struct gf_bilateral_params &p, float *alike, float *table)
{
    const int32_t thread = static_cast<int32_t>(threadIdx.x);
    if (thread < 256) {
        alike[thread] = gf_bilateral_alike(static_cast<float>(thread) * p.args.reach);
    }
    __syncthreads();
    for (int32_t i = thread; i < GF_BILATERAL_ENTRIES * GF_WARP; i += GF_BILATERAL_THREADS) {
        const int32_t apart = i / GF_WARP - 255;
        table[i] = alike[apart < 0 ? -apart : apart];
    }
}

/* Sixteen samples from column x of a row on, one by one from where the border finds them; row NULL: fill. */
static __device__ __noinline__ void gf_bilateral_gather(const unsigned char *row, int64_t x, int64_t width,
                                                        int32_t border, uint8_t fill, unsigned char *to)
{
    for (int32_t i = 0; i < GF_BILATERAL_CHUNK; i++) {
        const int64_t column = row ? gf_border_index(x + i, width, border) : -1;
        to[i] = column < 0 ? fill : row[column];
    }
}

/* The tile whose first pixel is (x0, y0), and its halo. */
template <int R>
GF_DEVICE_FN void gf_bilateral_load(const struct gf_bilateral_params &p, int64_t x0, int64_t y0, bool wide,
                                    unsigned char *tile)
{
    constexpr int ROWS = GF_BILATERAL_ROWS + 2 * R;
    for (int32_t i = static_cast<int32_t>(threadIdx.x);
         i < (ROWS - GF_FAULT(cuda_bilateral_halo)) * GF_BILATERAL_CHUNKS; i += GF_BILATERAL_THREADS) {
        const int32_t line = i / GF_BILATERAL_CHUNKS, chunk = i % GF_BILATERAL_CHUNKS;
        const int64_t x = x0 + (chunk - 1) * GF_BILATERAL_CHUNK;
        const int64_t y = gf_border_index(y0 - R + line, p.height, p.border);
        const unsigned char *row = y < 0 ? nullptr : p.in.data + y * p.in.pitch;
        unsigned char *to = tile + line * GF_BILATERAL_LINE + chunk * GF_BILATERAL_CHUNK;
        if (x >= p.width + R) {
            continue; /* nobody's */
        }
        if (wide && row && x >= 0 && x + GF_BILATERAL_CHUNK <= p.width) {
            gf_cp_async<GF_BILATERAL_CHUNK>(to, row + x);
        } else {
            gf_bilateral_gather(row, x, p.width, p.border, gf_quantise_u8(p.fill[0]), to);
        }
    }
    gf_cp_async_commit();
}

/* ---- the pixels --------------------------------------------------------------------------------------- */

/* Sample `at` of four words, those of the bytes -4 to 11 beside a lane's first, as the bits of 2^23 + v. */
template <int AT> GF_DEVICE_FN uint32_t gf_bilateral_sample(const uint32_t (&words)[4])
{
    return gf_byte_perm(words[(AT + 4) / 4], 0x4b000000U, 0x7440U | ((AT + 4) % 4));
}

GF_DEVICE_FN void gf_bilateral_words(const unsigned char *from, uint32_t (&words)[4])
{
    const uint2 own = gf_load8(from);
    words[0] = gf_load4(from - 4);
    words[1] = own.x;
    words[2] = own.y;
    words[3] = gf_load4(from + 8);
}

struct gf_bilateral_u8_sums {
    float norm[GF_BILATERAL_P], sum[GF_BILATERAL_P];
};

/* The taps of row DY from DX on. v: its samples from column -R on; below: where the lane's entry for a sample
 * is, less that of the sample itself. */
template <int R, int DX, int DY, int N>
GF_DEVICE_FN void gf_bilateral_taps(const struct gf_bilateral_nears &nears, const unsigned char *table,
                                    const uint32_t (&below)[GF_BILATERAL_P], const uint32_t (&v)[N],
                                    struct gf_bilateral_u8_sums &sums)
{
    constexpr int SQUARED = DX * DX + DY * DY;
    if constexpr (SQUARED <= R * R) {
#pragma unroll
        for (int i = 0; i < GF_BILATERAL_P; i++) {
            const float sample = gf_bits_float(v[R + i + DX]) - 8388608.0F;
            float weight = 1.0F;
            if constexpr (SQUARED > 0) {
                const uint32_t at = (v[R + i + DX] << GF_BILATERAL_SHIFT) + below[i];
                memcpy(&weight, table + static_cast<int32_t>(at), sizeof weight);
                weight = nears.of[SQUARED] * weight;
            }
            sums.norm[i] += weight;
            sums.sum[i] = gf_fma(weight, sample, sums.sum[i]);
        }
    }
    if constexpr (DX < R) {
        gf_bilateral_taps<R, DX + 1, DY>(nears, table, below, v, sums);
    }
}

template <int R, int AT, int N>
GF_DEVICE_FN void gf_bilateral_unpack(const uint32_t (&words)[4], uint32_t (&v)[N])
{
    if constexpr (AT < GF_BILATERAL_P + R) {
        v[AT + R] = gf_bilateral_sample<AT>(words);
        gf_bilateral_unpack<R, AT + 1>(words, v);
    }
}

template <int R, int DY>
GF_DEVICE_FN void gf_bilateral_rows(const struct gf_bilateral_nears &nears, const unsigned char *table,
                                    const unsigned char *from, const uint32_t (&below)[GF_BILATERAL_P],
                                    struct gf_bilateral_u8_sums &sums)
{
    if constexpr (DY <= R) {
        uint32_t words[4], v[GF_BILATERAL_P + 2 * R];
        gf_bilateral_words(from + DY * GF_BILATERAL_LINE, words);
        gf_bilateral_unpack<R, -R>(words, v);
        gf_bilateral_taps<R, -R, DY>(nears, table, below, v, sums);
        gf_bilateral_rows<R, DY + 1>(nears, table, from, below, sums);
    }
}

template <int R>
static __global__ void __launch_bounds__(GF_BILATERAL_THREADS, 2)
    gf_bilateral_u8(const struct gf_bilateral_params p, const struct gf_bilateral_nears nears, bool wide_in,
                    bool wide_out)
{
    GF_SHARED_DYN(float, table);
    GF_SHARED(float, alike, 256);
    GF_SHARED(unsigned char, tile, (GF_BILATERAL_ROWS + 2 * R) * GF_BILATERAL_LINE);
    const int64_t x0 = int64_t(blockIdx.x) * GF_BILATERAL_TILE, y0 = int64_t(blockIdx.y) * GF_BILATERAL_ROWS;
    gf_bilateral_load<R>(p, x0, y0, wide_in, tile);
    gf_bilateral_fill_table(p, alike, table);
    gf_cp_async_wait<0>();
    __syncthreads();
    const int32_t lane = static_cast<int32_t>(gf_lane());
    const int64_t x = x0 + lane * GF_BILATERAL_P;
    const unsigned char *const zero = reinterpret_cast<const unsigned char *>(table + 255 * GF_WARP);
    for (int32_t line = static_cast<int32_t>(gf_warp());
         line < GF_BILATERAL_ROWS && y0 + line < p.height && x < p.width; line += GF_BILATERAL_WARPS) {
        const unsigned char *from =
            tile + (line + R) * GF_BILATERAL_LINE + GF_BILATERAL_CHUNK + lane * GF_BILATERAL_P;
        uint32_t words[4], below[GF_BILATERAL_P];
        struct gf_bilateral_u8_sums sums;
        gf_bilateral_words(from, words);
        gf_bilateral_unpack<0, 0>(words, below);
#pragma unroll
        for (int i = 0; i < GF_BILATERAL_P; i++) {
            below[i] = static_cast<uint32_t>(lane) * sizeof(float) - (below[i] << GF_BILATERAL_SHIFT);
            sums.norm[i] = 0.0F;
            sums.sum[i] = -0.0F;
        }
        gf_bilateral_rows<R, -R>(nears, zero, from, below, sums);
#pragma unroll
        for (int i = 0; i < GF_BILATERAL_P; i++) {
            sums.sum[i] = gf_div(sums.sum[i], sums.norm[i]);
        }
        unsigned char *to = p.out.data + (y0 + line) * p.out.pitch + x;
        const uint2 made = make_uint2(gf_u8_word(sums.sum), gf_u8_word(sums.sum + 4));
        if (wide_out && x + GF_BILATERAL_P <= p.width) {
            gf_store8(to, made, GF_STREAM);
        } else {
            for (int32_t i = 0; i < GF_BILATERAL_P && x + i < p.width; i++) {
                to[i] = static_cast<unsigned char>((i < 4 ? made.x : made.y) >> (i % 4 * 8));
            }
        }
    }
}

/* ---- launch ------------------------------------------------------------------------------------------- */

static int32_t gf_bilateral_radius(const struct gf_pass *pass)
{
    struct gf_bilateral_args args;
    gf_args_get(&pass->window.args.own, &args, sizeof args);
    return args.radius == args.radius_y ? args.radius : 0;
}

bool gf_bilateral_u8_takes(const struct gf_pass *pass)
{
    struct gf_bilateral_args args;
    const int32_t radius = gf_bilateral_radius(pass);
    gf_args_get(&pass->window.args.own, &args, sizeof args);
    return pass->window.depth_in == GF_U8 && pass->window.channels_in == 1 && args.channel[0] == 1 &&
           radius >= 1 && radius <= GF_BILATERAL_MOST && pass->height <= int64_t(65535) * GF_BILATERAL_ROWS;
}

static gf_status gf_bilateral_u8_queue(const struct gf_bilateral_params *p, cudaStream_t stream,
                                       gf_error *error)
{
    const bool wide_in = gf_is_aligned(&p->in, GF_BILATERAL_CHUNK),
               wide_out = gf_is_aligned(&p->out, GF_BILATERAL_P);
    struct gf_bilateral_nears nears = {};
    struct gf_launch launch = {};
    for (int32_t squared = 0; squared <= p->args.radius * p->args.radius; squared++) {
        nears.of[squared] = gf_bilateral_near(p->args.fall, squared);
    }
    launch.shared = GF_BILATERAL_ENTRIES * GF_WARP * sizeof(float);
    launch.block = dim3(GF_BILATERAL_THREADS);
    launch.grid = dim3(gf_blocks(p->width, GF_BILATERAL_TILE), gf_blocks(p->height, GF_BILATERAL_ROWS));
    launch.stream = stream;
    return gf_dispatch_number<1, 4>(p->args.radius, [&](auto radius) -> gf_status {
        constexpr int R = decltype(radius)::value;
        GF_CUDA_TRY(error, GF_LAUNCH(gf_bilateral_u8<R>, launch, *p, nears, wide_in, wide_out));
        return GF_OK;
    });
}

gf_status gf_bilateral_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_scratch_layout *layout, gf_error *error)
{
    return gf_bilateral_launch(args, run, layout, gf_bilateral_u8_queue, error);
}
