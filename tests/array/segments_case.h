/* Segments for tests of what runs on them: how long they are, as offsets. */
#ifndef TESTS_ARRAY_SEGMENTS_CASE_H
#define TESTS_ARRAY_SEGMENTS_CASE_H

#include "array_case.h"

enum segments_kind {
    SEGMENTS_EVEN,   /* of 7 elements, the last shorter */
    SEGMENTS_ONE,    /* one of everything */
    SEGMENTS_EMPTY,  /* all in one, with empty ones in front and behind */
    SEGMENTS_SINGLE, /* of one element each */
    SEGMENTS_MIXED,  /* of 0 to 3, rarely of 30 to 70, more rarely of up to 1200 */
    SEGMENTS_LONG,   /* of 4095, 4096, 4097, 1, 0 and 9000 in turn */
    SEGMENTS_RUNS,   /* of 1 or 2 */
    SEGMENTS_KINDS
};

static inline void *segments_memory(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (!memory) {
        abort();
    }
    return memory;
}

static inline uint64_t segments_draw(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

static inline int64_t segments_length(enum segments_kind kind, int64_t i, uint64_t *state)
{
    static const int64_t lengths[] = {4095, 4096, 4097, 1, 0, 9000};
    const uint64_t drawn = segments_draw(state);
    switch (kind) {
    case SEGMENTS_EVEN:
        return 7;
    case SEGMENTS_EMPTY:
        return i == 100 ? INT64_MAX : 0;
    case SEGMENTS_SINGLE:
        return 1;
    case SEGMENTS_MIXED:
        return drawn % 61 == 0   ? (int64_t)(drawn / 61 % 1200)
               : drawn % 13 == 0 ? 30 + (int64_t)(drawn / 13 % 41)
                                 : (int64_t)(drawn % 4);
    case SEGMENTS_LONG:
        return lengths[i % 6];
    case SEGMENTS_RUNS:
        return 1 + (int64_t)(drawn % 2);
    default:
        return INT64_MAX;
    }
}

/* Offsets of segments that n elements come in; how many there are goes to *count. Some have no elements at
 * the end. Free it. */
static inline int64_t *segments_make(enum segments_kind kind, int64_t n, uint64_t seed, int64_t *count)
{
    int64_t *offsets = (int64_t *)segments_memory(((size_t)n * 4 + 400) * sizeof *offsets);
    int64_t i = 0, at = 0, behind = kind == SEGMENTS_EMPTY ? 150 : kind == SEGMENTS_MIXED ? 3 : 0;
    offsets[0] = 0;
    while (at < n && i < 4 * n + 200) {
        const int64_t length = segments_length(kind, i, &seed);
        at = length < n - at ? at + length : n;
        offsets[++i] = at;
    }
    offsets[i] = n;
    for (; behind > 0; behind--) {
        offsets[++i] = n;
    }
    *count = i;
    return offsets;
}

#endif
