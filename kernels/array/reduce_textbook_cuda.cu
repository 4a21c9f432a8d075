/* The published reductions, corrected: `basic` (a tree in shared memory), `two-per-thread` (the first
 * addition while loading, the last steps inside a warp) and `shuffle` (registers of a warp, then of the
 * warps' results). Each launch leaves one word a block; launches follow until one is left.
 * docs/primitives/reduce.md names what was wrong with them. */
#include "array/reduce_cuda.cuh"
#include "base/device_scope_cuda.h"

/* Every operation works on 64-bit words: integers modulo 2^64, the bits of an f64, or ranks. */
enum gf_word_op {
    GF_WORD_ADD,
    GF_WORD_MULTIPLY,
    GF_WORD_AND,
    GF_WORD_OR,
    GF_WORD_LEAST,
    GF_WORD_ADD_F64,
    GF_WORD_MULTIPLY_F64
};

struct gf_textbook_params {
    const void *in; /* elements, or in later launches words */
    int64_t n;
    uint64_t *out; /* one word a block */
    enum gf_word_op op;
    int32_t greatest;
    uint64_t neutral;
};

GF_DEVICE_FN uint64_t gf_word_join(enum gf_word_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case GF_WORD_ADD:
        return a + b;
    case GF_WORD_MULTIPLY:
        return a * b;
    case GF_WORD_AND:
        return a & b;
    case GF_WORD_OR:
        return a | b;
    case GF_WORD_LEAST:
        return b < a ? b : a;
    case GF_WORD_ADD_F64:
        return gf_double_bits(gf_bits_double(a) + gf_bits_double(b));
    default:
        return gf_double_bits(gf_bits_double(a) * gf_bits_double(b));
    }
}

/* A word of an earlier launch, told from a u64 element. */
struct gf_partial {
    uint64_t bits;
};

/* Element i, or what changes nothing past the end. */
template <class T> GF_DEVICE_FN uint64_t gf_word_at(const gf_textbook_params &p, int64_t i)
{
    if (i >= p.n) {
        return p.neutral;
    }
    const T v = static_cast<const T *>(p.in)[i];
    if constexpr (std::is_same<T, gf_partial>::value) {
        return v.bits;
    } else {
        if (p.op == GF_WORD_LEAST) {
            const typename gf_order<T>::key rank = gf_rank(v, p.greatest);
            const bool is_nan = std::is_floating_point<T>::value && v != v;
            return is_nan ? ~uint64_t(0) : rank;
        }
        return std::is_floating_point<T>::value ? gf_double_bits(static_cast<double>(v))
                                                : static_cast<uint64_t>(v);
    }
}

/* words[0] = the whole of words[0..blockDim.x), down to `stop` words, for blocks of any number of threads. */
GF_DEVICE_FN void gf_shared_tree(enum gf_word_op op, uint64_t *words, unsigned stop)
{
    for (unsigned step = 512; step >= stop; step /= 2) {
        if (threadIdx.x < step && threadIdx.x + step < blockDim.x) {
            words[threadIdx.x] = gf_word_join(op, words[threadIdx.x], words[threadIdx.x + step]);
        }
        __syncthreads();
    }
}

GF_DEVICE_FN uint64_t gf_warp_tree(enum gf_word_op op, uint64_t word)
{
    for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
        word = gf_word_join(op, word, gf_shfl_down(word, step));
    }
    return word;
}

template <class T> static __global__ void gf_reduce_basic(const gf_textbook_params p)
{
    GF_SHARED_DYN(uint64_t, words);
    words[threadIdx.x] = gf_word_at<T>(p, gf_thread_index());
    __syncthreads();
    gf_shared_tree(p.op, words, 1);
    if (threadIdx.x == 0) {
        p.out[blockIdx.x] = words[0];
    }
}

template <class T> static __global__ void gf_reduce_two(const gf_textbook_params p)
{
    GF_SHARED_DYN(uint64_t, words);
    const int64_t i = int64_t(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
    words[threadIdx.x] = gf_word_join(p.op, gf_word_at<T>(p, i), gf_word_at<T>(p, i + blockDim.x));
    __syncthreads();
    gf_shared_tree(p.op, words, GF_WARP);
    if (threadIdx.x < GF_WARP) { /* the last 32 words, a barrier of the warp between reading and writing */
        uint64_t word = words[threadIdx.x];
        for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
            const uint64_t other = threadIdx.x < step ? words[threadIdx.x + step] : p.neutral;
            gf_syncwarp();
            word = gf_word_join(p.op, word, other);
            words[threadIdx.x] = word;
            gf_syncwarp();
        }
        if (threadIdx.x == 0) {
            p.out[blockIdx.x] = word;
        }
    }
}

template <class T> static __global__ void gf_reduce_shuffle(const gf_textbook_params p)
{
    GF_SHARED(uint64_t, words, GF_WARP);
    uint64_t word = gf_warp_tree(p.op, gf_word_at<T>(p, gf_thread_index()));
    if (gf_lane() == 0) {
        words[gf_warp()] = word;
    }
    __syncthreads();
    if (gf_warp() == 0) {
        word = gf_warp_tree(p.op, gf_lane() < blockDim.x / GF_WARP ? words[gf_lane()] : p.neutral);
        if (gf_lane() == 0) {
            p.out[blockIdx.x] = word;
        }
    }
}

/* The last word as a result. */
static __global__ void gf_reduce_textbook_write(const gf_textbook_params p, gf_reduce_how how, int64_t n,
                                                void *out)
{
    struct gf_reduce_part all = gf_reduce_empty(how.op);
    all.n = static_cast<uint64_t>(n);
    all.bits = all.rank = p.out[0];
    all.number = gf_bits_double(p.out[0]);
    gf_reduce_write(how.op, how.type, &all, out);
}

enum gf_textbook { BASIC, TWO, SHUFFLE };
enum { DEFAULT_BLOCK = 128 };

static int64_t elements_of_block(const struct gf_array_call *call, gf_textbook variant)
{
    const int64_t block = call->options.block ? call->options.block : int32_t(DEFAULT_BLOCK);
    return variant == TWO ? 2 * block : block;
}

/* Words of the first launch, then of the second: each later one has the room of the one before the last. */
static size_t layout(const struct gf_array_call *call, gf_textbook variant, void *scratch, uint64_t *words[2])
{
    const int64_t per = elements_of_block(call, variant);
    size_t used = 0;
    int64_t n = call->n;
    for (int i = 0; i < 2; i++) {
        n = n < 1 ? 1 : (n - 1) / per + 1;
        words[i] = static_cast<uint64_t *>(
            gf_scratch_take(scratch, &used, static_cast<size_t>(n) * sizeof(uint64_t)));
    }
    return used;
}

static gf_textbook_params params_of(const struct gf_array_call *call)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    const bool is_float = gf_reduce_is_float(call->options.type);
    gf_textbook_params p = {};
    p.in = call->in;
    p.n = call->n;
    p.greatest = op == GF_REDUCE_MAX;
    switch (op) {
    case GF_REDUCE_SUM:
        p.op = is_float ? GF_WORD_ADD_F64 : GF_WORD_ADD;
        break;
    case GF_REDUCE_PRODUCT:
        p.op = is_float ? GF_WORD_MULTIPLY_F64 : GF_WORD_MULTIPLY;
        p.neutral = is_float ? gf_double_bits(1.0) : 1;
        break;
    case GF_REDUCE_AND:
        p.op = GF_WORD_AND;
        p.neutral = ~uint64_t(0);
        break;
    case GF_REDUCE_OR:
        p.op = GF_WORD_OR;
        break;
    default:
        p.op = GF_WORD_LEAST;
        p.neutral = ~uint64_t(0);
        break;
    }
    return p;
}

template <class T>
static cudaError_t launch_one(gf_textbook variant, gf_launch launch, const gf_textbook_params &p)
{
    switch (variant) {
    case BASIC:
        launch.shared = launch.block.x * sizeof(uint64_t);
        return GF_LAUNCH((gf_reduce_basic<T>), launch, p);
    case TWO:
        launch.shared = launch.block.x * sizeof(uint64_t);
        return GF_LAUNCH((gf_reduce_two<T>), launch, p);
    default:
        return GF_LAUNCH((gf_reduce_shuffle<T>), launch, p);
    }
}

/* The first launch reads elements, later ones words. */
static gf_status launch_turn(const struct gf_array_call *call, gf_textbook variant, const gf_launch &launch,
                             const gf_textbook_params &p, bool first, gf_error *error)
{
    if (!first) {
        GF_CUDA_TRY(error, launch_one<gf_partial>(variant, launch, p));
        return GF_OK;
    }
    return gf_dispatch_type<GF_TYPES_ALL>(call->options.type, error, [&](auto tag) -> gf_status {
        GF_CUDA_TRY(error, launch_one<typename decltype(tag)::type>(variant, launch, p));
        return GF_OK;
    });
}

static gf_status run_textbook(const struct gf_array_call *call, gf_textbook variant, gf_error *error)
{
    uint64_t *words[2];
    GF_ON_DEVICE(call->queue.device, error)
    (void)layout(call, variant, call->scratch, words);
    const int64_t per = elements_of_block(call, variant);
    gf_textbook_params p = params_of(call);
    gf_launch launch = {};
    launch.block = dim3(static_cast<unsigned>(variant == TWO ? per / 2 : per));
    launch.stream = static_cast<cudaStream_t>(call->queue.stream);
    for (int turn = 0; turn == 0 || p.n > 1; turn++) {
        launch.grid = dim3(p.n < 1 ? 1u : gf_blocks(p.n, per));
        p.out = words[turn % 2];
        GF_TRY(launch_turn(call, variant, launch, p, turn == 0, error));
        p.in = p.out;
        p.n = launch.grid.x;
    }
    launch.grid = launch.block = dim3(1);
    launch.shared = 0;
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    const gf_reduce_how how = {op, call->options.type, p.greatest};
    GF_CUDA_TRY(error, GF_LAUNCH(gf_reduce_textbook_write, launch, p, how, call->n, call->out));
    return GF_OK;
}

#define GF_TEXTBOOK(name, variant)                                                                           \
    extern "C" size_t gf_reduce_##name##_scratch(const struct gf_array_call *call)                           \
    {                                                                                                        \
        uint64_t *words[2];                                                                                  \
        return layout(call, variant, nullptr, words);                                                        \
    }                                                                                                        \
    extern "C" gf_status gf_reduce_##name##_cuda(const struct gf_array_call *call, gf_error *error)          \
    {                                                                                                        \
        return run_textbook(call, variant, error);                                                           \
    }
GF_TEXTBOOK(basic, BASIC)
GF_TEXTBOOK(two, TWO)
GF_TEXTBOOK(shuffle, SHUFFLE)
