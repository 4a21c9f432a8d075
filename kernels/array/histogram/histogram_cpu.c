/* Histograms on the CPU. Each thread takes a part of the array and counts in tables of its own, several of
 * them in turn, so that a run of equal elements does not wait for one counter; then the tables are added up.
 * Bytes are counted by value and moved to their bins at the end; for other types the slots of a block are
 * computed first, in vectors. */
#include "array/histogram/histogram_call.h"
#include "array/histogram/histogram_lines.h"
#include "base/cpu_level.h"
#include "base/team.h"

#include <stdbool.h>
#include <string.h>

enum {
    BLOCK = 384,        /* elements whose slots are known before they are counted; 12 divides it */
    BYTE_TABLES = 8,    /* one a byte of a word; six are used for three channels */
    CACHED = 16 * 1024, /* bytes of tables that leave room for the input in a first-level cache */
    MOST_TABLES = 64 * 1024 * 1024, /* bytes of all tables, before threads are left out */
    JOINED_ALONE = 1 << 16          /* counters of all tables that one thread adds up before others wake */
};
static const int64_t ROUND = INT64_C(12) << 26; /* elements of a thread that u32 counters take */

struct layout {
    int64_t row;     /* counters of a channel */
    int64_t table;   /* counters of all channels */
    int32_t copies;  /* tables of a thread */
    int32_t threads; /* whose tables lie one behind the other */
};

static struct layout layout_for(const struct gf_histogram_call *call)
{
    struct layout p = {.threads = gf_array_threads(&call->array, GF_ARRAY_PAYS)};
    if (call->array.options.type == GF_U8) {
        p.row = 256;
        p.table = 256;
        p.copies = BYTE_TABLES;
        return p;
    }
    p.row = gf_histogram_row(call);
    p.table = p.row * call->channels;
    p.copies = p.table * (int64_t)sizeof(uint32_t) * 4 <= CACHED ? 4 : 1;
    while (p.threads > 1 && p.table * p.copies * p.threads > MOST_TABLES / (int64_t)sizeof(uint32_t)) {
        p.threads--;
    }
    return p;
}

static size_t table_bytes(const struct layout *p)
{
    return (size_t)(p->table * p->copies) * sizeof(uint32_t);
}

size_t gf_histogram_cpu_scratch(const struct gf_array_call *call)
{
    struct layout p = layout_for(gf_histogram_call_of(call));
    return table_bytes(&p) * (size_t)p.threads;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void count_word(uint32_t (*table)[256], const uint8_t *in, const int which[8])
{
    uint64_t word;
    memcpy(&word, in, sizeof word);
    for (int j = 0; j < 8; j++) {
        table[which[j]][word >> (8 * j) & 255]++;
    }
}

/* Byte i of a part, which begins with channel 0, goes to table i mod 8, or i mod 6 with three. */
static void count_bytes(uint32_t (*table)[256], const uint8_t *in, int64_t n, int32_t channels)
{
    int64_t i = 0;
    if (channels == 3) {
        for (; i + 24 <= n; i += 24) {
            count_word(table, in + i, (const int[8]){0, 1, 2, 3, 4, 5, 0, 1});
            count_word(table, in + i + 8, (const int[8]){2, 3, 4, 5, 0, 1, 2, 3});
            count_word(table, in + i + 16, (const int[8]){4, 5, 0, 1, 2, 3, 4, 5});
        }
    } else {
        for (; i + 8 <= n; i += 8) {
            count_word(table, in + i, (const int[8]){0, 1, 2, 3, 4, 5, 6, 7});
        }
    }
    for (; i < n; i++) {
        table[i % (channels == 3 ? 6 : 8)][in[i]]++;
    }
}

static void join_bytes(const struct gf_histogram_call *call, const struct layout *p)
{
    uint32_t slot[256];
    uint64_t *counts = call->array.out;
    const uint32_t(*table)[256] = call->array.scratch;
    gf_histogram_byte_slots(&call->bins, slot);
    for (int32_t t = 0; t < p->threads * BYTE_TABLES; t++) {
        uint64_t *channel = counts + t % BYTE_TABLES % call->channels * gf_histogram_row(call);
        for (int32_t v = 0; v < 256; v++) {
            channel[slot[v]] += table[t][v];
        }
    }
}

/* ---- Other types ------------------------------------------------------------------------------- */

static void count_slots(uint32_t *table, const struct layout *p, const uint32_t *slot, int64_t n)
{
    uint32_t *a = table, *b = a, *c = a, *d = a;
    if (p->copies == 4) {
        b = a + p->table;
        c = b + p->table;
        d = c + p->table;
    }
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a[slot[i]]++;
        b[slot[i + 1]]++;
        c[slot[i + 2]]++;
        d[slot[i + 3]]++;
    }
    for (; i < n; i++) {
        a[slot[i]]++;
    }
}

static const struct gf_histogram_lines *lines_for(gf_depth type)
{
    return &GF_LEVEL_BEST(gf_histogram_lines)[type];
}

/* Elements [first, end) of the array; first is of channel 0. */
static void count_elements(const struct gf_histogram_call *call, const struct layout *p, uint32_t *table,
                           int64_t first, int64_t end)
{
    uint32_t slot[BLOCK], channel[BLOCK];
    gf_depth type = call->array.options.type;
    const struct gf_histogram_lines *lines = lines_for(type);
    for (int32_t k = 0; k < BLOCK; k++) {
        channel[k] = (uint32_t)(k % call->channels * p->row);
    }
    for (int64_t i = first; i < end; i += BLOCK) {
        int64_t n = end - i < BLOCK ? end - i : BLOCK;
        const char *in = (const char *)call->array.in + (size_t)i * gf_depth_size(type);
        lines->slots[call->bins.kind](in, n, &call->bins, slot);
        for (int64_t k = 0; call->channels > 1 && k < n; k++) {
            slot[k] += channel[k];
        }
        count_slots(table, p, slot, n);
    }
}

/* A round: the elements [start, end), `part` of them for each thread. */
struct round {
    const struct gf_histogram_call *call;
    const struct layout *layout;
    int64_t start, end, part;
};

static void join_share(void *argument, int thread, int threads)
{
    const struct round *round = argument;
    const struct layout *p = round->layout;
    uint64_t *counts = round->call->array.out;
    const uint32_t *table = round->call->array.scratch;
    int64_t end = gf_array_share(p->table, thread + 1, threads);
    for (int64_t s = gf_array_share(p->table, thread, threads); s < end; s++) {
        for (int32_t t = 0; t < p->threads * p->copies; t++) {
            counts[s] += table[t * p->table + s];
        }
    }
}

/* ---- All ----------------------------------------------------------------------------------------- */

static void count_part(void *argument, int thread, int threads)
{
    const struct round *round = argument;
    const struct gf_histogram_call *call = round->call;
    const struct layout *p = round->layout;
    char *table = (char *)call->array.scratch + table_bytes(p) * (size_t)thread;
    int64_t first = round->start + thread * round->part, end = first + round->part;
    (void)threads;
    end = end < round->end ? end : round->end;
    memset(table, 0, table_bytes(p));
    if (first >= end) {
        return;
    }
    if (call->array.options.type == GF_U8) {
        count_bytes((uint32_t(*)[256])(void *)table, (const uint8_t *)call->array.in + first, end - first,
                    call->channels);
    } else {
        count_elements(call, p, (uint32_t *)(void *)table, first, end);
    }
}

gf_status gf_histogram_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_histogram_call *call = gf_histogram_call_of(array);
    const struct layout p = layout_for(call);
    struct gf_team *team = gf_team_create(p.threads);
    int64_t n = array->n;
    (void)error;
    memset(array->out, 0, (size_t)(gf_histogram_row(call) * call->channels) * sizeof(uint64_t));
    for (int64_t start = 0; start < n; start += p.threads * ROUND) {
        int64_t left = n - start < p.threads * ROUND ? n - start : p.threads * ROUND;
        int64_t part = (left / p.threads / BLOCK + 1) * BLOCK; /* so that each begins with channel 0 */
        struct round round = {call, &p, start, start + left, part < ROUND ? part : ROUND};
        gf_team_run(team, p.threads, count_part, &round);
        if (array->options.type == GF_U8) {
            join_bytes(call, &p);
        } else {
            bool alone = p.table * p.copies * p.threads < JOINED_ALONE;
            gf_team_run(team, alone ? 1 : p.threads, join_share, &round);
        }
    }
    gf_team_destroy(team);
    return GF_OK;
}
