/* The k greatest or least on the CPU. Each thread goes through a share of the array and keeps what is better
 * than the k-th of all it has kept so far: in the order of the places, so that of equal elements the first
 * stay. When its room is full, the k-th is found by digits of the ranks, and the others are dropped. What all
 * threads kept is then in the order of the places, and sorted, stably. */
#include "array/sort/sort_order.h"
#include "array/top_k/top_k_call.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <stdbool.h>
#include <string.h>

enum { LOOK = 64 /* elements that are looked at together */ };

/* What a thread has kept: ranks and places. */
struct kept {
    uint64_t *ranks, *places;
    int64_t count;
    uint64_t limit; /* only lower ranks are kept, where it is not open */
    bool open;
};

struct job {
    const struct gf_top_k_call *call;
    uint64_t flip;
    int threads;
    int64_t room; /* for elements, of each thread */
    uint64_t *ranks, *places;
    int64_t *counts;
    struct gf_sort_call sort; /* of what all kept */
};

/* ---- Dropping ----------------------------------------------------------------------------------------- */

/* The k-th lowest of the ranks, k from 1 on; *equal: how many of those that equal it are among the k. */
static uint64_t find_kth(const struct kept *s, int64_t k, int64_t *equal)
{
    uint64_t prefix = 0, known = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        int64_t bins[256] = {0};
        int digit = 0;
        for (int64_t i = 0; i < s->count; i++) {
            bins[s->ranks[i] >> shift & 255] += (s->ranks[i] & known) == prefix;
        }
        for (; k > bins[digit]; digit++) {
            k -= bins[digit];
        }
        prefix |= (uint64_t)digit << shift;
        known |= (uint64_t)255 << shift;
    }
    *equal = k;
    return prefix;
}

/* Keeps the k best. */
static void drop(struct kept *s, int64_t k)
{
    int64_t equal = 0, to = 0;
    if (s->count < k || k == 0) {
        return;
    }
    const uint64_t kth = find_kth(s, k, &equal);
    for (int64_t i = 0; i < s->count; i++) {
        const bool stays = s->ranks[i] < kth || (s->ranks[i] == kth && equal-- > GF_FAULT(top_k_tie));
        s->ranks[to] = s->ranks[i];
        s->places[to] = s->places[i];
        to += stays;
    }
    s->count = to;
    s->limit = kth;
    s->open = false;
}

/* ---- Looking ------------------------------------------------------------------------------------------ */

/* look: whether any of LOOK elements is better than the limit. take: keeps those of [from, to) that are. */
#define TOP_K(name, K)                                                                                       \
    static bool look_##name(const K *in, K limit, K flip)                                                    \
    {                                                                                                        \
        K any = 0;                                                                                           \
        for (int i = 0; i < LOOK; i++) {                                                                     \
            any |= (K)(gf_rank_##name(in[i], flip) < limit);                                                 \
        }                                                                                                    \
        return any != 0;                                                                                     \
    }                                                                                                        \
    static void take_##name(const struct job *job, struct kept *s, int64_t from, int64_t to)                 \
    {                                                                                                        \
        const K *in = job->call->array.in, flip = (K)job->flip;                                              \
        for (int64_t i = from; i < to;) {                                                                    \
            const int64_t end = to - i < LOOK ? to : i + LOOK;                                               \
            if (!s->open && end - i == LOOK && !look_##name(in + i, (K)s->limit, flip)) {                    \
                i = end;                                                                                     \
                continue;                                                                                    \
            }                                                                                                \
            if (s->count > job->room - LOOK) {                                                               \
                drop(s, job->call->k);                                                                       \
            }                                                                                                \
            for (; i < end; i++) {                                                                           \
                const uint64_t rank = gf_rank_##name(in[i], flip);                                           \
                s->ranks[s->count] = rank;                                                                   \
                s->places[s->count] = (uint64_t)i;                                                           \
                s->count += s->open || rank < s->limit;                                                      \
            }                                                                                                \
        }                                                                                                    \
    }

TOP_K(8, uint8_t)
TOP_K(16, uint16_t)
TOP_K(32, uint32_t)
TOP_K(64, uint64_t)
TOP_K(f32, uint32_t)
TOP_K(f64, uint64_t)

static void (*const takes[])(const struct job *, struct kept *, int64_t, int64_t) = {
    [GF_U8] = take_8,   [GF_U16] = take_16, [GF_S16] = take_16,  [GF_U32] = take_32,  [GF_S32] = take_32,
    [GF_U64] = take_64, [GF_S64] = take_64, [GF_F32] = take_f32, [GF_F64] = take_f64,
};

static void keep_share(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t n = job->call->array.n;
    struct kept s = {job->ranks + thread * job->room, job->places + thread * job->room, 0, 0, true};
    takes[job->call->array.options.type](job, &s, gf_array_share(n, thread, threads),
                                         gf_array_share(n, thread + 1, threads));
    drop(&s, job->call->k);
    job->counts[thread] = s.count;
}

/* ---- The call ------------------------------------------------------------------------------------------ */

static size_t lay_out(const struct gf_array_call *array, void *memory, struct job *job)
{
    size_t used = 0;
    *job = (struct job){.call = gf_top_k_call_of(array)};
    const int64_t k = job->call->k, most = array->n / 2 / (k + LOOK);
    const int threads = gf_array_threads(array, GF_ARRAY_PAYS);
    job->flip = gf_sort_flip(array->options.type, job->call->descending);
    job->threads = most < 1 ? 1 : most < threads ? (int)most : threads; /* else they keep all there is */
    job->room = 2 * k + LOOK;
    if (job->threads == 1 && job->room > array->n + LOOK) {
        job->room = array->n + LOOK;
    }
    const size_t all = (size_t)(job->room * job->threads);
    job->counts = gf_scratch_take(memory, &used, (size_t)job->threads * sizeof(int64_t));
    job->ranks = gf_scratch_take(memory, &used, all * sizeof(uint64_t));
    job->places = gf_scratch_take(memory, &used, all * sizeof(uint64_t));
    job->sort = (struct gf_sort_call){.array = *array, .value_size = sizeof(uint64_t)};
    job->sort.array.options.type = GF_U64;
    job->sort.array.n = k * job->threads < array->n ? k * job->threads : array->n; /* at most */
    job->sort.array.in = job->sort.array.out = job->ranks;
    job->sort.values = job->sort.values_out = job->places;
    job->sort.array.scratch_bytes = gf_sort_cpu_scratch(&job->sort.array);
    job->sort.array.scratch = gf_scratch_take(memory, &used, job->sort.array.scratch_bytes);
    return used;
}

size_t gf_top_k_cpu_scratch(const struct gf_array_call *array)
{
    struct job job;
    return lay_out(array, NULL, &job);
}

/* Brings together what the threads kept, and sorts it. */
static gf_status sort_kept(struct job *job, gf_error *error)
{
    int64_t count = job->counts[0];
    for (int thread = 1; thread < job->threads; thread++) {
        const size_t bytes = (size_t)job->counts[thread] * sizeof(uint64_t);
        memmove(job->ranks + count, job->ranks + thread * job->room, bytes);
        memmove(job->places + count, job->places + thread * job->room, bytes);
        count += job->counts[thread];
    }
    job->sort.array.n = count;
    return gf_sort_cpu(&job->sort.array, error);
}

gf_status gf_top_k_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_top_k_call *call = gf_top_k_call_of(array);
    const size_t size = gf_depth_size(array->options.type), place_size = (size_t)call->places_size;
    struct job job;
    if (call->k == 0) {
        return GF_OK;
    }
    lay_out(array, array->scratch, &job);
    gf_team_run_once(job.threads, keep_share, &job);
    GF_TRY(sort_kept(&job, error));
    for (int64_t i = 0; i < call->k; i++) { /* by places: a rank does not tell the bits of a NaN */
        memcpy((char *)array->out + (size_t)i * size, (const char *)array->in + job.places[i] * size, size);
        if (call->places) { /* little end first */
            memcpy((char *)call->places + (size_t)i * place_size, &job.places[i], place_size);
        }
    }
    return GF_OK;
}
