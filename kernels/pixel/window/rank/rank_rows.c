/* One SIMD level of the rows of ranks: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. */
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"
#include "pixel/window/rank/rank_cpu.h"

#include <string.h>

/* ---- medians by networks, a block of a row at a time, so that what is in between stays in the nearest cache
 * ---- */

/* Lines of it begin where vectors do: BESIDE is as much as 6 pixels of the widest samples take, and more. */
enum { BLOCK_BYTES = 2048, BESIDE_BYTES = 128 };

#define VALUE_LEAST(to, a, b) v[to] = v[a] < v[b] ? v[a] : v[b];
#define VALUE_MOST(to, a, b)  v[to] = v[a] < v[b] ? v[b] : v[a];

/* Sizes of arrays, and only those. */
#define GF_LEAST(to, a, b)
#define GF_MOST(to, a, b)
#define GF_MADE(i, value)
#include "pixel/window/rank/rank_networks.def"

/* Sorted columns of 3 samples, a vector of them. */
#if GF_SIMD_INT
struct columns {
    gf_vi least, middle, most;
};
#endif

#define SAMPLE     uint8_t
#define NAME(text) text##_u8
#include "pixel/window/rank/rank_rows_squares.h"

#include "pixel/window/rank/rank_rows_median.h"
#undef SAMPLE
#undef NAME
#define SAMPLE     uint16_t
#define NAME(text) text##_u16
#include "pixel/window/rank/rank_rows_squares.h"

#include "pixel/window/rank/rank_rows_median.h"
#undef SAMPLE
#undef NAME
#define SAMPLE                                 uint32_t
#define NAME(text)                             text##_u32
#define squares_u32(rows, out, n, step, ahead) ((int64_t)0)
#include "pixel/window/rank/rank_rows_median.h"
#undef SAMPLE
#undef NAME

/* ---- bytes counted by columns (Perreault and Hebert) ---- */

/* The one of 16 counts that has sample `index`, from which the samples of those before are taken. */
static inline int find_32(const uint32_t *counts, uint32_t *index)
{
    uint32_t below[GF_RANK_NIBBLES + 1] = {0}, sum = 0;
    int found = 0;
    for (int i = 0; i < GF_RANK_NIBBLES; i++) {
        below[i] = sum;
        sum += counts[i];
        found += sum <= *index;
    }
    *index -= below[found];
    return found;
}

#if defined(__SSE2__)
/* Each of eight counts with those before it. */
static inline __m128i running(__m128i v)
{
    v = _mm_add_epi16(v, _mm_slli_si128(v, 2));
    v = _mm_add_epi16(v, _mm_slli_si128(v, 4));
    return _mm_add_epi16(v, _mm_slli_si128(v, 8));
}

static inline int find_16(const uint16_t *counts, uint32_t *index)
{
    const __m128i wanted = _mm_set1_epi16((short)*index), zero = _mm_setzero_si128();
    const __m128i low = running(_mm_loadu_si128((const __m128i *)(const void *)counts));
    const __m128i last = _mm_shuffle_epi32(_mm_shufflehi_epi16(low, 0xff), 0xff);
    const __m128i high =
        _mm_add_epi16(running(_mm_loadu_si128((const __m128i *)(const void *)(counts + 8))), last);
    const __m128i low_before = _mm_cmpeq_epi16(_mm_subs_epu16(low, wanted), zero); /* not above */
    const __m128i high_before = _mm_cmpeq_epi16(_mm_subs_epu16(high, wanted), zero);
    const int before = _mm_movemask_epi8(_mm_packs_epi16(low_before, high_before));
    const int found = __builtin_ctz(~(unsigned)before);
    uint16_t below[GF_RANK_NIBBLES + 1];
    below[0] = 0;
    _mm_storeu_si128((__m128i *)(void *)(below + 1), low);
    _mm_storeu_si128((__m128i *)(void *)(below + 9), high);
    *index -= below[found];
    return found;
}
#else
static inline int find_16(const uint16_t *counts, uint32_t *index)
{
    uint32_t wide[GF_RANK_NIBBLES];
    for (int i = 0; i < GF_RANK_NIBBLES; i++) {
        wide[i] = counts[i];
    }
    return find_32(wide, index);
}
#endif

static inline void take(uint16_t *column, uint8_t byte, uint16_t step)
{
    column[byte >> 4] = (uint16_t)(column[byte >> 4] + step);
    column[GF_RANK_NIBBLES + byte] = (uint16_t)(column[GF_RANK_NIBBLES + byte] + step);
}

static void count(uint16_t *columns, const uint8_t *enter, const uint8_t *leave, int64_t n)
{
    for (int64_t i = 0; i < n && !leave; i++) {
        take(columns + i * GF_RANK_COLUMN, enter[i], 1);
    }
    for (int64_t i = 0; i < n && leave; i++) {
        if (enter[i] != leave[i]) {
            take(columns + i * GF_RANK_COLUMN, enter[i], 1);
            take(columns + i * GF_RANK_COLUMN, leave[i], UINT16_MAX);
        }
    }
}

/* Bits of those of 64 bytes that are `byte`. */
static inline uint64_t equal_bytes(const uint8_t *bytes, uint8_t byte)
{
#if defined(__AVX512BW__)
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512((const void *)bytes), _mm512_set1_epi8((char)byte));
#elif defined(__SSE2__)
    uint64_t found = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i));
        const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)byte)));
        found |= (uint64_t)(uint32_t)mask << (16 * i);
    }
    return found;
#else
    uint64_t found = 0;
    for (int i = 0; i < 64; i++) {
        found |= (uint64_t)(bytes[i] == byte) << i;
    }
    return found;
#endif
}

enum { SEARCHED = 256 }; /* pixels at once */

/* Counts of a column that are added at once. */
typedef uint16_t column_counts __attribute__((vector_size(GF_RANK_NIBBLES * sizeof(uint16_t))));

#define COUNT      uint16_t
#define NAME(text) text##_16
#include "pixel/window/rank/rank_rows_search.h"
#undef COUNT
#undef NAME
#define COUNT      uint32_t
#define NAME(text) text##_32
#include "pixel/window/rank/rank_rows_search.h"

static void search(const struct gf_rank_search *s, uint8_t *bytes, uint32_t *places)
{
    if (s->n <= UINT16_MAX) {
        search_16(s, bytes, places);
    } else {
        search_32(s, bytes, places);
    }
}

/* ---- rests of codes ---- */

static inline void add_one(const struct gf_rank_counts *shape, uint32_t *counts, uint32_t rest, uint32_t step)
{
    for (int32_t level = 0; level < shape->levels; level++) {
        counts[shape->at[level] + (rest >> (4 * level))] += step;
    }
}

static void add(const struct gf_rank_column *column, uint8_t byte, const struct gf_rank_counts *shape,
                uint32_t *counts, uint32_t step)
{
    int64_t i = 0;
    for (; i + 64 <= column->n; i += 64) {
        for (uint64_t found = equal_bytes(column->bytes + i, byte); found; found &= found - 1) {
            add_one(shape, counts, column->codes[i + __builtin_ctzll(found)] & 0xffffffU, step);
        }
    }
    for (; i < column->n; i++) {
        if (column->bytes[i] == byte) {
            add_one(shape, counts, column->codes[i] & 0xffffffU, step);
        }
    }
}

const struct gf_rank_rows GF_LEVEL_NAME(gf_rank_rows) = {{{median_3_u8, median_5_u8, median_7_u8},
                                                          {median_3_u16, median_5_u16, median_7_u16},
                                                          {median_3_u32, median_5_u32, median_7_u32}},
                                                         count,
                                                         search,
                                                         add};
