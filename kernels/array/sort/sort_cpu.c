/* The sort on the CPU: least-significant-digit radix sort. A pass counts the digits of each thread's share,
 * gives every (digit, thread) its place, and moves each share in order: stable, and the same with any number
 * of threads. */
#include "array/sort/sort_cpu.h"
#include "array/sort/sort_call.h"
#include "array/sort/sort_order.h"
#include "base/team.h"

#include <string.h>

enum { DIGITS = 256, SORT_PAYS = 1 << 17 };

/* One thread's part of a pass: elements [from, to). */
struct share {
    const void *keys, *values;
    void *keys_to, *values_to;
    int64_t from, to;
    uint64_t flip;
    int shift;
    unsigned digits; /* the bits of the digit that count */
    int64_t *bins;   /* DIGITS of them: counts, then places */
};

/* ---- One type of keys ------------------------------------------------------------------- */

#define DIGIT(name, key) (gf_rank_##name(key, flip) >> s->shift & s->digits)

#define SCATTER(name, K, size, V)                                                                            \
    static void scatter_##name##_##size(const struct share *s)                                               \
    {                                                                                                        \
        const K *keys = s->keys;                                                                             \
        const V *values = s->values;                                                                         \
        K *keys_to = s->keys_to, flip = (K)s->flip;                                                          \
        V *values_to = s->values_to;                                                                         \
        for (int64_t i = s->from; i < s->to; i++) {                                                          \
            K key = keys[i];                                                                                 \
            int64_t to = s->bins[DIGIT(name, key)]++;                                                        \
            keys_to[to] = key;                                                                               \
            values_to[to] = values[i];                                                                       \
        }                                                                                                    \
    }

#define RADIX(name, K)                                                                                       \
    static uint64_t differing_##name(const struct share *s)                                                  \
    {                                                                                                        \
        const K *keys = s->keys;                                                                             \
        K flip = (K)s->flip, first = gf_rank_##name(keys[0], flip), bits = 0;                                \
        for (int64_t i = s->from; i < s->to; i++) {                                                          \
            bits |= (K)(gf_rank_##name(keys[i], flip) ^ first);                                              \
        }                                                                                                    \
        return bits;                                                                                         \
    }                                                                                                        \
    static void count_##name(const struct share *s)                                                          \
    {                                                                                                        \
        const K *keys = s->keys;                                                                             \
        K flip = (K)s->flip;                                                                                 \
        for (int64_t i = s->from; i < s->to; i++) {                                                          \
            s->bins[DIGIT(name, keys[i])]++;                                                                 \
        }                                                                                                    \
    }                                                                                                        \
    static void scatter_##name##_0(const struct share *s)                                                    \
    {                                                                                                        \
        const K *keys = s->keys;                                                                             \
        K *keys_to = s->keys_to, flip = (K)s->flip;                                                          \
        for (int64_t i = s->from; i < s->to; i++) {                                                          \
            K key = keys[i];                                                                                 \
            keys_to[s->bins[DIGIT(name, key)]++] = key;                                                      \
        }                                                                                                    \
    }                                                                                                        \
    SCATTER(name, K, 4, uint32_t)                                                                            \
    SCATTER(name, K, 8, uint64_t)

RADIX(8, uint8_t)
RADIX(16, uint16_t)
RADIX(32, uint32_t)
RADIX(64, uint64_t)
RADIX(f32, uint32_t)
RADIX(f64, uint64_t)

struct key_type {
    uint64_t (*differing)(
        const struct share *s); /* bits in which some rank of the share is not the first key's */
    void (*count)(const struct share *s);
    void (*scatter[3])(const struct share *s); /* by value_size / 4 */
};

#define KEY_TYPE(name)                                                                                       \
    {                                                                                                        \
        differing_##name, count_##name,                                                                      \
        {                                                                                                    \
            scatter_##name##_0, scatter_##name##_4, scatter_##name##_8                                       \
        }                                                                                                    \
    }

static const struct key_type key_types[] = {
    [GF_U8] = KEY_TYPE(8),   [GF_U16] = KEY_TYPE(16),  [GF_S16] = KEY_TYPE(16),
    [GF_U32] = KEY_TYPE(32), [GF_S32] = KEY_TYPE(32),  [GF_U64] = KEY_TYPE(64),
    [GF_S64] = KEY_TYPE(64), [GF_F32] = KEY_TYPE(f32), [GF_F64] = KEY_TYPE(f64),
};

/* ---- Passes ------------------------------------------------------------------------------- */

struct radix {
    const struct gf_sort_call *call;
    const struct key_type *type;
    int32_t threads;
    struct gf_team *team;
    int64_t *bins;                             /* threads x DIGITS */
    const void *keys[3], *values[3];           /* by GF_SORT_IN, GF_SORT_OUT, GF_SORT_SCRATCH */
    void *keys_written[3], *values_written[3]; /* the same without GF_SORT_IN */
};

/* A pass as its threads see it. */
struct pass {
    const struct radix *r;
    int source, target, shift;
    uint64_t differing; /* atomic */
};

/* Returns what one thread works on in a pass. */
static struct share share_of(const struct pass *pass, int32_t thread)
{
    const struct radix *r = pass->r;
    int64_t n = r->call->array.n;
    return (struct share){.keys = r->keys[pass->source],
                          .values = r->values[pass->source],
                          .keys_to = r->keys_written[pass->target],
                          .values_to = r->values_written[pass->target],
                          .from = gf_array_share(n, thread, r->threads),
                          .to = gf_array_share(n, thread + 1, r->threads),
                          .flip = gf_sort_flip(r->call->array.options.type, r->call->descending),
                          .shift = pass->shift,
                          .digits = (unsigned)(~r->call->ignored >> pass->shift) & (DIGITS - 1),
                          .bins = r->bins + (int64_t)thread * DIGITS};
}

static void find_differing(void *argument, int thread, int threads)
{
    struct pass *pass = argument;
    struct share s = share_of(pass, thread);
    (void)threads;
    __atomic_fetch_or(&pass->differing, pass->r->type->differing(&s), __ATOMIC_RELAXED);
}

static uint64_t differing_bits(const struct radix *r)
{
    struct pass pass = {.r = r, .source = GF_SORT_IN, .target = GF_SORT_OUT};
    gf_team_run(r->team, r->threads, find_differing, &pass);
    return pass.differing & ~r->call->ignored;
}

/* Turns counts into places: all threads' shares of digit 0, then of digit 1, ... */
static void place_bins(const struct radix *r)
{
    int64_t at = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        for (int32_t thread = 0; thread < r->threads; thread++) {
            int64_t *bin = &r->bins[(int64_t)thread * DIGITS + digit];
            int64_t count = *bin;
            *bin = at;
            at += count;
        }
    }
}

static void count_share(void *argument, int thread, int threads)
{
    const struct pass *pass = argument;
    struct share s = share_of(pass, thread);
    (void)threads;
    memset(s.bins, 0, DIGITS * sizeof *s.bins);
    pass->r->type->count(&s);
}

static void scatter_share(void *argument, int thread, int threads)
{
    const struct pass *pass = argument;
    struct share s = share_of(pass, thread);
    (void)threads;
    pass->r->type->scatter[pass->r->call->value_size / 4](&s);
}

static void run_pass(const struct radix *r, int source, int target, int shift)
{
    struct pass pass = {.r = r, .source = source, .target = target, .shift = shift};
    gf_team_run(r->team, r->threads, count_share, &pass);
    place_bins(r);
    gf_team_run(r->team, r->threads, scatter_share, &pass);
}

/* A pass whose digit is the same everywhere. */
static void copy_pass(const struct radix *r, int source, int target)
{
    size_t n = (size_t)r->call->array.n;
    memcpy(r->keys_written[target], r->keys[source], n * gf_depth_size(r->call->array.options.type));
    if (r->call->value_size > 0) {
        memcpy(r->values_written[target], r->values[source], n * (size_t)r->call->value_size);
    }
}

static void sort_by_digits(const struct radix *r)
{
    int key_bytes = (int)gf_depth_size(r->call->array.options.type);
    uint64_t differing = differing_bits(r);
    uint32_t run = gf_sort_passes(differing, key_bytes, gf_sort_in_place(r->call), gf_sort_apart(r->call));
    for (int pass = 0; run >> pass != 0; pass++) {
        int source = gf_sort_source(run, pass), target = gf_sort_target(run, pass);
        if ((run >> pass & 1) == 0) {
            continue;
        }
        if ((differing >> (8 * pass) & (DIGITS - 1)) != 0) {
            run_pass(r, source, target, 8 * pass);
        } else {
            copy_pass(r, source, target);
        }
    }
}

/* ---- The variant ---------------------------------------------------------------------------- */

/* Lays out scratch memory, or with memory NULL only measures it. */
static size_t lay_out(const struct gf_sort_call *call, char *memory, struct radix *r)
{
    size_t used = 0, n = (size_t)call->array.n;
    r->threads = gf_array_threads(&call->array, SORT_PAYS);
    r->bins = gf_scratch_take(memory, &used, (size_t)r->threads * DIGITS * sizeof *r->bins);
    r->keys_written[GF_SORT_SCRATCH] =
        gf_scratch_take(memory, &used, n * gf_depth_size(call->array.options.type));
    r->values_written[GF_SORT_SCRATCH] = gf_scratch_take(memory, &used, n * (size_t)call->value_size);
    return used;
}

size_t gf_sort_cpu_scratch(const struct gf_array_call *array)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    struct radix r;
    return gf_sort_counts(call)     ? gf_sort_count_scratch(call)
           : gf_sort_is_quick(call) ? gf_sort_quick_scratch(call)
                                    : lay_out(call, NULL, &r);
}

gf_status gf_sort_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    struct radix r = {.call = call, .type = &key_types[array->options.type]};
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    if (gf_sort_counts(call)) {
        gf_sort_count(call);
        return GF_OK;
    }
    if (gf_sort_is_quick(call)) {
        gf_sort_quick(call);
        return GF_OK;
    }
    lay_out(call, array->scratch, &r);
    r.keys_written[GF_SORT_OUT] = array->out;
    r.values_written[GF_SORT_OUT] = call->values_out;
    for (int buffer = GF_SORT_OUT; buffer <= GF_SORT_SCRATCH; buffer++) {
        r.keys[buffer] = r.keys_written[buffer];
        r.values[buffer] = r.values_written[buffer];
    }
    r.keys[GF_SORT_IN] = array->in;
    r.values[GF_SORT_IN] = call->values;
    r.team = gf_team_create(r.threads);
    sort_by_digits(&r);
    gf_team_destroy(r.team);
    return GF_OK;
}
