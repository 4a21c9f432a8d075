/* Arrays to run a primitive on: made, not read. The same arrays for `prim`, `bench` and the tests. */
#pragma once

#include "gpufilter/types.h"

typedef enum array_data {
    ARRAY_RANDOM,    /* every bit pattern of integers; floats in [0, 1), multiples of 2^-24 (f64: 2^-53) */
    ARRAY_UNIQUE,    /* 0 to n - 1, shuffled; integers of fewer values than n: i modulo 2^bits, shuffled */
    ARRAY_SORTED,    /* ascending, with repetitions */
    ARRAY_REVERSE,   /* the same, descending */
    ARRAY_CONSTANT,  /* 42 everywhere */
    ARRAY_RAMP,      /* i modulo the number of values of the type; floats: i */
    ARRAY_TWOVALUED, /* 0 or 200, at random */
    ARRAY_DENSITY,   /* not 0 with the given probability, else 0 */
    ARRAY_RUNS,      /* runs of equal elements, which ascend: a run begins with the given probability */
    ARRAY_SPECIAL,   /* tests only: extremes, 0, 1; floats: NaN of both signs, -0, infinities, subnormals */
    ARRAY_DATA_COUNT
} array_data;

/* "random", ...; "density" stands for "density:P", "runs" for "runs:MEAN". NULL past the last. */
const char *array_data_name(array_data data);

/* Fills data[0..n) with elements of `type`, the same for the same arguments on every machine. density: for
 * ARRAY_DENSITY and ARRAY_RUNS, 0 to 1. */
void array_data_fill(void *data, gf_depth type, int64_t n, array_data kind, double density, uint64_t seed);

/* The same for the elements [from, to) only, so that threads can share an array. */
void array_data_fill_part(void *data, gf_depth type, int64_t n, array_data kind, double density,
                          uint64_t seed, int64_t from, int64_t to);

/* How long rows are, or loops, or lists. */
typedef enum array_lengths {
    LENGTHS_EVEN, /* each the mean */
    LENGTHS_ZIPF, /* the i-th longest in proportion to 1 / i, in random order: few hold most */
    LENGTHS_COUNT
} array_lengths;

/* "even", "zipf"; NULL past the last. */
const char *array_lengths_name(array_lengths lengths);

/* Writes offsets[0..n]: n lengths added up from 0, whose sum is n * mean, at most 2^48. The same for the same
 * arguments on every machine. */
void array_lengths_fill(int64_t *offsets, int64_t n, int64_t mean, array_lengths kind, uint64_t seed);

/* How long the inner loops of a ragged loop are, of at most `most` iterations. */
typedef enum array_counts {
    COUNTS_SKEW, /* most * x, x of density eps + (1 - eps) C exp(-k x) on [0, 1), eps = 0.01, drawn exactly */
    COUNTS_ZIPF  /* most / i, i = 1, 2, 3 ... in random order */
} array_counts;

/* Fills counts[0..n). skew: k of COUNTS_SKEW, 0: uniform. The same for the same arguments, but for the last
 * bit of the C library's logarithm. */
void array_counts_fill(int32_t *counts, int64_t n, int32_t most, array_counts kind, double skew,
                       uint64_t seed);

/* Sizes around the edges of warps, blocks, tiles and powers of two, ascending from 0; the first `count` of
 * them are at most `most`. */
const int64_t *array_data_sizes(int64_t most, int32_t *count);
