#include "bench/bench_counts.h"

#include <string.h>

enum { USUAL_BLOCK = 128 };

/* Each launch joins every element with the one `distance` before it, where there is one. */
static void count_naive(int64_t n, struct bench_counts *c)
{
    for (int64_t distance = 1; distance < n || c->launches < 2; distance *= 2) {
        c->launches++;
        c->additions += n > distance ? n - distance : 0;
    }
}

/* A tree over a power of two of nodes: filled, swept up and down, and copied out. Each sweep joins once at
 * each inner node. */
static void count_efficient(int64_t n, struct bench_counts *c)
{
    c->launches = 2;
    for (int64_t size = 2, distance = 1;; size *= 2, distance *= 2) {
        c->launches += 2;
        if (size >= n) {
            c->additions = 2 * (size - 1);
            return;
        }
    }
}

/* Tiles of `tile` elements by one launch, their totals in the same way, and on each level a launch that adds
 * what lies before each tile. `joins` are those of one tile. */
static void count_levels(int64_t n, int64_t tile, int64_t joins, struct bench_counts *c)
{
    bool first = true;
    for (int64_t left = n; left > 0; first = false) {
        const int64_t tiles = (left + tile - 1) / tile;
        c->launches += 1 + (first || tiles > 1);
        *(first ? &c->additions : &c->carries) += tiles * joins;
        c->carries += tiles > 1 ? left : 0;
        left = tiles > 1 ? tiles : 0;
    }
}

/* How many joins n elements take at doubling distances, and by a tree. */
static int64_t joins_of_steps(int64_t n)
{
    int64_t joins = 0;
    for (int64_t distance = 1; distance < n; distance *= 2) {
        joins += n - distance;
    }
    return joins;
}

static int64_t joins_of_tree(int64_t n)
{
    int64_t size = 2;
    while (size < n) {
        size *= 2;
    }
    return 2 * (size - 1);
}

bool bench_count(const char *primitive, const char *algo, int64_t n, int32_t block,
                 struct bench_counts *counts)
{
    const int64_t threads = block > 0 ? block : USUAL_BLOCK;
    *counts = (struct bench_counts){0};
    if (strcmp(primitive, "scan") != 0 || n <= 0) {
        return false;
    }
    if (!strcmp(algo, "naive")) {
        count_naive(n, counts);
    } else if (!strcmp(algo, "efficient")) {
        count_efficient(n, counts);
    } else if (!strcmp(algo, "hillis-steele")) {
        count_levels(n, threads, joins_of_steps(threads), counts);
    } else if (!strcmp(algo, "blelloch")) {
        count_levels(n, threads, joins_of_tree(threads), counts);
    }
    return counts->launches > 0;
}
