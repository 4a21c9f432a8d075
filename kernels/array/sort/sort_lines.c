/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. */
#include "array/sort/sort_lines.h"

#include "base/cpu_level.h"

#if defined(__AVX2__) && defined(__BMI2__)

#include "array/sort/sort_vectors.h"

#include <string.h>

#define GF_NET_BITS  32
#define GF_NET_COUNT 4
#define GF_NET_KEY   int32_t
#include "array/sort/sort_network.h"
#define GF_NET_BITS  32
#define GF_NET_COUNT 8
#define GF_NET_KEY   int32_t
#include "array/sort/sort_network.h"
#define GF_NET_BITS  64
#define GF_NET_COUNT 2
#define GF_NET_KEY   int64_t
#include "array/sort/sort_network.h"
#define GF_NET_BITS  64
#define GF_NET_COUNT 4
#define GF_NET_KEY   int64_t
#include "array/sort/sort_network.h"
#ifdef __AVX512F__
#define GF_NET_BITS  32
#define GF_NET_COUNT 16
#define GF_NET_KEY   int32_t
#include "array/sort/sort_network.h"
#define GF_NET_BITS  64
#define GF_NET_COUNT 8
#define GF_NET_KEY   int64_t
#include "array/sort/sort_network.h"
#define WIDEST_32 16
#define WIDEST_64 8
#else
#define WIDEST_32 8
#define WIDEST_64 4
#endif

#define GF_QUICK_BITS   32
#define GF_QUICK_COUNT  WIDEST_32
#define GF_QUICK_SMALL  4
#define GF_QUICK_MIDDLE 8
#define GF_QUICK_T      int32_t
#include "array/sort/sort_quick.h"
#define GF_QUICK_BITS   64
#define GF_QUICK_COUNT  WIDEST_64
#define GF_QUICK_SMALL  2
#define GF_QUICK_MIDDLE 4
#define GF_QUICK_T      int64_t
#include "array/sort/sort_quick.h"

const struct gf_sort_lines GF_LEVEL_NAME(gf_sort_lines)[2] = {
    {sort_32, pivot_32, count_32, split_32, finish_32},
    {sort_64, pivot_64, count_64, split_64, finish_64},
};

#else

const struct gf_sort_lines GF_LEVEL_NAME(gf_sort_lines)[2] = {{0}, {0}};

#endif
