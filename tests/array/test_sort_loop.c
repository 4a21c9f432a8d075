/* Introsort (array/sort/sort_intro.h): against an adversary it stays sorted, and in the order of n log n. */
#include "check.h"

#include "array/textbook/sort_loop.h"
#include "gpufilter/sort.h"

#include <stdint.h>

enum { N = 1 << 14 };

/* M. D. McIlroy's "A Killer Adversary for Quicksort" (1999): what elements are is decided when they are
 * compared, so that every pivot turns out to be among the least. */
static struct {
    int32_t value[N];
    int32_t solid, candidate;
    int64_t compared;
} adversary;
#define GAS N /* not yet decided: greater than all that are */

static bool comes_before(int32_t x, int32_t y)
{
    adversary.compared++;
    if (adversary.value[x] == GAS && adversary.value[y] == GAS) {
        adversary.value[x == adversary.candidate ? x : y] = adversary.solid++;
    }
    if (adversary.value[x] == GAS) {
        adversary.candidate = x;
    } else if (adversary.value[y] == GAS) {
        adversary.candidate = y;
    }
    return adversary.value[x] < adversary.value[y];
}

#define GF_INTRO_T      int32_t
#define GF_INTRO(word)  word##_places
#define GF_INTRO_BEFORE comes_before
#include "array/sort/sort_intro.h"

static int32_t places[N];

static void run_adversary(void)
{
    adversary.solid = adversary.candidate = 0;
    adversary.compared = 0;
    for (int32_t i = 0; i < N; i++) {
        adversary.value[i] = GAS;
        places[i] = i;
    }
    sort_places(places, N);
}

static void never_quadratic(void)
{
    run_adversary();
    int wrong = 0;
    for (int32_t i = 1; i < N; i++) {
        wrong += adversary.value[places[i - 1]] > adversary.value[places[i]];
    }
    CHECK_EQ_INT(wrong, 0);
    /* 2 log2 n levels of partitions, and a heapsort of the rest at 2 n log2 n */
    CHECK_MSG(adversary.compared < INT64_C(5) * N * 14, "%lld comparisons", (long long)adversary.compared);
    CHECK_MSG(adversary.compared > INT64_C(2) * N * 14, "%lld comparisons: no adversary",
              (long long)adversary.compared);
}

/* Keys that made it slow are sorted: its heapsort must run. */
static void killers_are_sorted(void)
{
    static uint32_t keys[N], sorted[N];
    static uint64_t wide[N];
    static struct gf_sort_pair pairs[N];
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    run_adversary();
    for (int32_t i = 0; i < N; i++) {
        keys[i] = (uint32_t)adversary.value[i];
        wide[i] = keys[i];
        pairs[i] = (struct gf_sort_pair){keys[i] / 2, i};
    }
    options.array = (gf_array_options){.algo = "cpu-loop", .type = GF_U32};
    CHECK(gf_sort((gf_queue){GF_DEVICE_CPU, NULL}, &options, keys, NULL, N, sorted, NULL, NULL, 0, &error) ==
          GF_OK);
    gf_sort_loop_u64(wide, N);
    gf_sort_loop_pairs(pairs, N);
    int wrong = 0;
    for (int32_t i = 1; i < N; i++) {
        wrong += sorted[i - 1] > sorted[i] || wide[i - 1] > wide[i] || pairs[i - 1].key > pairs[i].key ||
                 (pairs[i - 1].key == pairs[i].key && pairs[i - 1].index >= pairs[i].index) ||
                 sorted[i] != wide[i];
    }
    CHECK_EQ_INT(wrong, 0);
}

static const struct check_case cases[] = {
    {"an adversary does not make it quadratic", never_quadratic},
    {"what an adversary makes is sorted", killers_are_sorted},
};
CHECK_MAIN(cases)
