/* Distances and weights of any type, for code that is not in a hurry. */
#pragma once

#include "gpufilter/types.h"

#include <math.h>
#include <stdbool.h>

union gf_distance {
    int64_t whole;
    float single;
    double wide;
};

static inline union gf_distance gf_distance_infinite(gf_depth weights)
{
    union gf_distance d = {.whole = INT64_MAX};
    if (weights == GF_F32) {
        d.single = INFINITY;
    } else if (weights == GF_F64) {
        d.wide = (double)INFINITY;
    }
    return d;
}

static inline union gf_distance gf_distance_at(gf_depth weights, const void *distances, int64_t v)
{
    union gf_distance d = {.whole = 0};
    if (weights == GF_F32) {
        d.single = ((const float *)distances)[v];
    } else if (weights == GF_F64) {
        d.wide = ((const double *)distances)[v];
    } else {
        d.whole = ((const int64_t *)distances)[v];
    }
    return d;
}

static inline void gf_distance_set(gf_depth weights, void *distances, int64_t v, union gf_distance d)
{
    if (weights == GF_F32) {
        ((float *)distances)[v] = d.single;
    } else if (weights == GF_F64) {
        ((double *)distances)[v] = d.wide;
    } else {
        ((int64_t *)distances)[v] = d.whole;
    }
}

static inline bool gf_distance_less(gf_depth weights, union gf_distance a, union gf_distance b)
{
    return weights == GF_F32 ? a.single < b.single : weights == GF_F64 ? a.wide < b.wide : a.whole < b.whole;
}

/* A distance, longer by a weight. What is unreachable stays so, whatever the weight. */
static inline int64_t gf_distance_add_whole(int64_t d, int64_t weight)
{
    int64_t sum;
    if (d == INT64_MAX) {
        return d;
    }
    return __builtin_add_overflow(d, weight, &sum) ? (weight < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static inline union gf_distance gf_distance_add(gf_depth type, union gf_distance d, const void *weights,
                                                int64_t e)
{
    switch (type) {
    case GF_F32:
        d.single += ((const float *)weights)[e];
        break;
    case GF_F64:
        d.wide += ((const double *)weights)[e];
        break;
    case GF_S32:
        d.whole = gf_distance_add_whole(d.whole, ((const int32_t *)weights)[e]);
        break;
    default:
        d.whole = gf_distance_add_whole(d.whole, ((const int64_t *)weights)[e]);
        break;
    }
    return d;
}

/* Tells whether a weight is one that only Bellman and Ford's algorithm takes: negative or no number. */
static inline bool gf_weight_is_bad(gf_depth type, const void *weights, int64_t e)
{
    switch (type) {
    case GF_F32:
        return !(((const float *)weights)[e] >= 0);
    case GF_F64:
        return !(((const double *)weights)[e] >= 0);
    case GF_S32:
        return ((const int32_t *)weights)[e] < 0;
    default:
        return ((const int64_t *)weights)[e] < 0;
    }
}
