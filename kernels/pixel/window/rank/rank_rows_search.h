/* Part of rank_rows.c, once for each COUNT that holds the samples of a window: bytes by rank along a row.
 *
 * After Perreault and Hebert: the counts of a window are those of its columns, added. Those of the upper four
 * bits follow the window; those of all bits only where they are asked for, that is, for the upper four that
 * were found: the others catch up when it is their turn. That is done for SEARCHED pixels at once: first the
 * upper four bits of all of them, then for each value of those the counts of its pixels. So no branch hangs
 * on what was just found, which no processor can foresee. */

struct NAME(window) {
    COUNT upper[GF_RANK_NIBBLES];
    COUNT all[GF_RANK_NIBBLES][GF_RANK_NIBBLES];
    int64_t pixel[GF_RANK_NIBBLES]; /* that all[i] is of; -1: none yet */
};

/* Pixels `from` to `from` + n - 1 of a channel; `left` is the first column of pixel `from`. */
struct NAME(block) {
    int64_t from, n, side, apart;
    const uint16_t *left;
    uint8_t upper[SEARCHED];                /* what was found; none beyond n */
    COUNT index[SEARCHED];                  /* of the byte wanted among those with that */
    COUNT lower[SEARCHED][GF_RANK_NIBBLES]; /* counts of those, pixel after pixel */
    uint8_t asked[SEARCHED];                /* the pixels of one value, ascending */
};

/* Vectors: compilers turn the loops into them for one of the two only. */
typedef COUNT NAME(counts) __attribute__((vector_size(GF_RANK_NIBBLES * sizeof(COUNT))));

#define MOVE(into, enter, leave)                                                                             \
    do {                                                                                                     \
        column_counts entered, left_out;                                                                     \
        memcpy(&entered, (enter), sizeof entered);                                                           \
        memcpy(&left_out, (leave), sizeof left_out);                                                         \
        (into) += __builtin_convertvector(entered, NAME(counts)) -                                           \
                  __builtin_convertvector(left_out, NAME(counts));                                           \
    } while (0)

/* The sum of `columns` columns of 16 counts. */
static inline void NAME(gather)(COUNT *counts, const uint16_t *column, int64_t columns, int64_t apart)
{
    NAME(counts) sums = {0};
    for (int64_t k = 0; k < columns; k++, column += apart) {
        column_counts more;
        memcpy(&more, column, sizeof more);
        sums += __builtin_convertvector(more, NAME(counts));
    }
    memcpy(counts, &sums, sizeof sums);
}

static void NAME(search_upper)(struct NAME(window) * w, struct NAME(block) * b, uint32_t wanted)
{
    const int64_t last = (b->side - 1) * b->apart;
    const uint16_t *left = b->left;
    for (int64_t j = 0; j < b->n; j++, left += b->apart) {
        if (b->from + j > 0) {
            NAME(counts) sums;
            memcpy(&sums, w->upper, sizeof sums);
            MOVE(sums, left + last, left - b->apart);
            memcpy(w->upper, &sums, sizeof sums);
        }
        uint32_t index = wanted;
        b->upper[j] = (uint8_t)NAME(find)(w->upper, &index);
        b->index[j] = (COUNT)index;
    }
    memset(b->upper + b->n, GF_RANK_NIBBLES, (size_t)(SEARCHED - b->n));
}

/* Fills `asked` with the pixels of the block whose upper bits are `value`; how many. */
static int64_t NAME(find_asked)(struct NAME(block) * b, uint8_t value)
{
    int64_t n = 0;
    for (int i = 0; i < SEARCHED; i += 64) {
        for (uint64_t found = equal_bytes(b->upper + i, value); found; found &= found - 1) {
            b->asked[n++] = (uint8_t)(i + __builtin_ctzll(found));
        }
    }
    return n;
}

/* Takes the counts of `value` from the pixel that they are of to pixel `last` of the block, and notes them
 * for asked pixel k and those behind it. */
static void NAME(follow)(struct NAME(window) * w, struct NAME(block) * b, uint8_t value, int64_t k,
                         int64_t last)
{
    const int64_t end = (b->side - 1 - GF_FAULT(rank_catch_up)) * b->apart;
    int64_t j = w->pixel[value] + 1 - b->from;
    const uint16_t *left = b->left + GF_RANK_NIBBLES + value * GF_RANK_NIBBLES + j * b->apart;
    NAME(counts) sums;
    memcpy(&sums, w->all[value], sizeof sums);
    for (; j < 0; j++, left += b->apart) {
        MOVE(sums, left + end, left - b->apart);
    }
    for (; j <= last; j++, left += b->apart) {
        MOVE(sums, left + end, left - b->apart);
        memcpy(b->lower[k], &sums, sizeof sums);
        k += b->upper[j] == value;
    }
    memcpy(w->all[value], &sums, sizeof sums);
    w->pixel[value] = b->from + last;
}

/* Counts for each of the n asked pixels: from those of the pixel before, or, where that is far, anew. */
static void NAME(count_asked)(struct NAME(window) * w, struct NAME(block) * b, uint8_t value, int64_t n)
{
    const uint16_t *column = b->left + GF_RANK_NIBBLES + value * GF_RANK_NIBBLES;
    for (int64_t k = 0, end; k < n; k = end) {
        end = k + 1;
        if (w->pixel[value] < 0 || 2 * (b->from + b->asked[k] - w->pixel[value]) > b->side) {
            NAME(gather)(w->all[value], column + b->asked[k] * b->apart, b->side, b->apart);
            memcpy(b->lower[k], w->all[value], sizeof b->lower[k]);
            w->pixel[value] = b->from + b->asked[k];
            continue;
        }
        while (end < n && 2 * (b->asked[end] - b->asked[end - 1]) <= b->side) {
            end++;
        }
        NAME(follow)(w, b, value, k, b->asked[end - 1]);
    }
}

static void NAME(search_columns)(const struct gf_rank_search *s, int64_t channel, uint8_t *bytes,
                                 uint32_t *places)
{
    const int64_t step = s->channels;
    struct NAME(block) b;
    struct NAME(window) w;
    b.side = 2 * s->radius_x + 1;
    b.apart = step * GF_RANK_COLUMN;
    b.left = s->columns + channel * GF_RANK_COLUMN;
    NAME(gather)(w.upper, b.left, b.side, b.apart);
    for (int i = 0; i < GF_RANK_NIBBLES; i++) {
        w.pixel[i] = -1;
    }
    for (b.from = 0; b.from < s->pixels; b.from += SEARCHED, b.left += SEARCHED * b.apart) {
        b.n = s->pixels - b.from < SEARCHED ? s->pixels - b.from : SEARCHED;
        NAME(search_upper)(&w, &b, s->index);
        for (uint8_t value = 0; value < GF_RANK_NIBBLES; value++) {
            const int64_t n = NAME(find_asked)(&b, value);
            NAME(count_asked)(&w, &b, value, n);
            for (int64_t k = 0; k < n; k++) {
                const int64_t at = (b.from + b.asked[k]) * step + channel;
                uint32_t index = b.index[b.asked[k]];
                bytes[at] = (uint8_t)(value * GF_RANK_NIBBLES + NAME(find)(b.lower[k], &index));
                if (places) {
                    places[at] = index;
                }
            }
        }
    }
}

#undef MOVE
/* One sample in and one out. */
static inline void NAME(change)(struct NAME(window) * w, uint8_t enter, uint8_t leave)
{
    w->upper[enter >> 4]++;
    w->all[enter >> 4][enter & 15]++;
    w->upper[leave >> 4]--;
    w->all[leave >> 4][leave & 15]--;
}

/* Thin windows count every sample. */
static void NAME(search_thin)(const struct gf_rank_search *s, int64_t channel, uint8_t *bytes,
                              uint32_t *places)
{
    const int64_t step = s->channels, side = 2 * s->radius_x + 1;
    struct NAME(window) w;

    memset(&w, 0, sizeof w);
    for (int64_t r = 0; r <= 2 * s->radius_y; r++) {
        for (int64_t k = 0; k < side; k++) {
            const uint8_t byte = s->rows[r][k * step + channel];
            w.upper[byte >> 4]++;
            w.all[byte >> 4][byte & 15]++;
        }
    }
    for (int64_t x = 0; x < s->pixels; x++) {
        for (int64_t r = 0; x > 0 && r <= 2 * s->radius_y - GF_FAULT(rank_thin); r++) {
            const uint8_t *row = s->rows[r] + channel;
            NAME(change)(&w, row[(x + side - 1) * step], row[(x - 1) * step]);
        }
        uint32_t index = s->index;
        const int i = NAME(find)(w.upper, &index);
        bytes[x * step + channel] = (uint8_t)(i * GF_RANK_NIBBLES + NAME(find)(w.all[i], &index));
        if (places) {
            places[x * step + channel] = index;
        }
    }
}

static void NAME(search)(const struct gf_rank_search *s, uint8_t *bytes, uint32_t *places)
{
    for (int64_t channel = 0; channel < s->channels; channel++) {
        if (s->columns) {
            NAME(search_columns)(s, channel, bytes, places);
        } else {
            NAME(search_thin)(s, channel, bytes, places);
        }
    }
}
