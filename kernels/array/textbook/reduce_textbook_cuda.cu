/* The host's side of the published reductions: which instance, and launches until one word is left. */
#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_result.h"
#include "array/textbook/reduce_textbook_cuda.cuh"
#include "base/device_scope_cuda.h"

/* The last word as a result. */
template <class W>
static __global__ void gf_reduce_textbook_write(const gf_textbook_params p, gf_reduce_how how, int64_t n,
                                                void *out)
{
    const W word = *static_cast<const W *>(p.in);
    struct gf_reduce_part all = gf_reduce_empty(how.op);
    all.n = static_cast<uint64_t>(n);
    if constexpr (std::is_floating_point<W>::value) {
        all.number = static_cast<double>(word);
    } else {
        all.bits = all.rank = word;
    }
    gf_reduce_write(how.op, how.type, &all, out);
}

enum gf_textbook { BASIC, TWO, SHUFFLE };
enum { DEFAULT_BLOCK = 128 };

static int64_t elements_of_block(const struct gf_array_call *call, gf_textbook variant)
{
    const int64_t block = call->options.block ? call->options.block : int32_t(DEFAULT_BLOCK);
    return variant == TWO ? 2 * block : block;
}

/* Words, of at most 64 bits, of the first launch, then of the second: each later one has the room of the one
 * before the last. */
static size_t layout(const struct gf_array_call *call, gf_textbook variant, void *scratch, void *words[2])
{
    const int64_t per = elements_of_block(call, variant);
    size_t used = 0;
    int64_t n = call->n;
    for (int i = 0; i < 2; i++) {
        n = n < 1 ? 1 : (n - 1) / per + 1;
        words[i] = gf_scratch_take(scratch, &used, static_cast<size_t>(n) * sizeof(uint64_t));
    }
    return used;
}

template <class OP>
static gf_status launch_turn(gf_textbook variant, gf_launch launch, const gf_textbook_params &p,
                             gf_error *error)
{
    const size_t shared = launch.block.x * sizeof(typename OP::word);
    launch.shared = variant == SHUFFLE ? 0 : shared;
    GF_CUDA_TRY(error, variant == BASIC ? GF_LAUNCH((gf_reduce_basic<OP>), launch, p)
                       : variant == TWO ? GF_LAUNCH((gf_reduce_two<OP>), launch, p)
                                        : GF_LAUNCH((gf_reduce_shuffle<OP>), launch, p));
    return GF_OK;
}

template <class OP>
static gf_status run_operation(const struct gf_array_call *call, gf_textbook variant, gf_error *error)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    const int64_t per = elements_of_block(call, variant);
    void *words[2];
    const gf_reduce_how how = gf_reduce_how_make(op, call->options.type);
    gf_textbook_params p = {call->in, call->n, nullptr, how.flip};
    gf_launch launch = {};
    (void)layout(call, variant, call->scratch, words);
    launch.block = dim3(static_cast<unsigned>(variant == TWO ? per / 2 : per));
    launch.stream = static_cast<cudaStream_t>(call->queue.stream);
    for (int turn = 0; turn == 0 || p.n > 1; turn++) {
        launch.grid = dim3(p.n < 1 ? 1u : gf_blocks(p.n, per));
        p.out = words[turn % 2];
        GF_TRY(turn == 0 ? launch_turn<OP>(variant, launch, p, error)
                         : launch_turn<typename OP::later>(variant, launch, p, error));
        p.in = p.out;
        p.n = launch.grid.x;
        p.flip = 0; /* words rank already */
    }
    launch.grid = launch.block = dim3(1);
    GF_CUDA_TRY(error,
                GF_LAUNCH((gf_reduce_textbook_write<typename OP::word>), launch, p, how, call->n, call->out));
    return GF_OK;
}

template <uint32_t TYPES, template <class> class OP>
static gf_status run_typed(gf_depth type, const struct gf_array_call *call, gf_textbook variant,
                           gf_error *error)
{
    return gf_dispatch_type<TYPES>(type, error, [&](auto tag) {
        return run_operation<OP<typename decltype(tag)::type>>(call, variant, error);
    });
}

static gf_status run_textbook(const struct gf_array_call *call, gf_textbook variant, gf_error *error)
{
    const gf_depth type = call->options.type, bits = gf_unsigned_of(type);
    const uint32_t numbers = GF_REDUCE_TEXT_TYPES, whole = numbers & GF_TYPES_UNSIGNED;
    const uint32_t logical = whole | GF_TYPE_BIT(GF_F32);
    GF_ON_DEVICE(call->queue.device, error)
    switch (gf_reduce_call_of(call)->op) {
    case GF_REDUCE_SUM:
        return run_typed<numbers, gf_textbook_sum>(type, call, variant, error);
    case GF_REDUCE_PRODUCT:
        return run_typed<numbers, gf_textbook_product>(type, call, variant, error);
    case GF_REDUCE_AND:
        return run_typed<whole, gf_textbook_and>(bits, call, variant, error);
    case GF_REDUCE_OR:
        return run_typed<whole, gf_textbook_or>(bits, call, variant, error);
    case GF_REDUCE_XOR:
        return run_typed<whole, gf_textbook_xor>(bits, call, variant, error);
    case GF_REDUCE_ANY:
        return run_typed<logical, gf_textbook_any>(bits, call, variant, error);
    case GF_REDUCE_ALL:
        return run_typed<logical, gf_textbook_all>(bits, call, variant, error);
    default:
        return run_typed<logical, gf_textbook_least>(bits, call, variant, error);
    }
}

#define GF_TEXTBOOK(name, variant)                                                                           \
    extern "C" size_t gf_reduce_##name##_scratch(const struct gf_array_call *call)                           \
    {                                                                                                        \
        void *words[2];                                                                                      \
        return layout(call, variant, nullptr, words);                                                        \
    }                                                                                                        \
    extern "C" gf_status gf_reduce_##name##_cuda(const struct gf_array_call *call, gf_error *error)          \
    {                                                                                                        \
        return run_textbook(call, variant, error);                                                           \
    }
GF_TEXTBOOK(basic, BASIC)
GF_TEXTBOOK(two, TWO)
GF_TEXTBOOK(shuffle, SHUFFLE)
