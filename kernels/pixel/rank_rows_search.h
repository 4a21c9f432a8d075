/* Part of rank_rows.c, once for each COUNT that holds the samples of a window: bytes by rank along a row.
 *
 * After Perreault and Hebert: the counts of a window are those of its columns, added. Those of the upper four
 * bits follow the window; those of all bits only where they are asked for, that is, for the upper four that
 * were found: the others catch up when it is their turn. */

struct NAME(window) {
    COUNT upper[GF_RANK_NIBBLES];
    COUNT all[GF_RANK_NIBBLES][GF_RANK_NIBBLES];
    int64_t pixel[GF_RANK_NIBBLES]; /* that all[i] is of; -1: none yet */
};

static inline void NAME(move)(COUNT *counts, const uint16_t *enter, const uint16_t *leave)
{
    COUNT moved[GF_RANK_NIBBLES]; /* apart from what is read, so that they are vectors */
    for (int i = 0; i < GF_RANK_NIBBLES; i++) {
        moved[i] = (COUNT)(counts[i] + enter[i] - leave[i]);
    }
    memcpy(counts, moved, sizeof moved);
}

/* The sum of `columns` columns of 16 counts. */
static inline void NAME(gather)(COUNT *counts, const uint16_t *column, int64_t columns, int64_t apart)
{
    COUNT sums[GF_RANK_NIBBLES] = {0};
    for (int64_t k = 0; k < columns; k++, column += apart) {
        for (int i = 0; i < GF_RANK_NIBBLES; i++) {
            sums[i] = (COUNT)(sums[i] + column[i]);
        }
    }
    memcpy(counts, sums, sizeof sums);
}

static void NAME(search_columns)(const struct gf_rank_search *s, int64_t channel, uint8_t *bytes,
                                 uint32_t *places)
{
    const int64_t step = s->channels, apart = step * GF_RANK_COLUMN, side = 2 * s->radius_x + 1;
    const uint16_t *left = s->columns + channel * GF_RANK_COLUMN; /* the window's first column */
    struct NAME(window) w;

    NAME(gather)(w.upper, left, side, apart);
    for (int i = 0; i < GF_RANK_NIBBLES; i++) {
        w.pixel[i] = -1;
    }
    for (int64_t x = 0; x < s->pixels; x++, left += apart) {
        if (x > 0) {
            NAME(move)(w.upper, left + (side - 1) * apart, left - apart);
        }
        uint32_t index = s->index;
        const int i = NAME(find)(w.upper, &index);
        const uint16_t *column = left + GF_RANK_NIBBLES + (ptrdiff_t)i * GF_RANK_NIBBLES;
        int64_t behind = x - w.pixel[i];
        if (w.pixel[i] < 0 || 2 * behind > side) {
            NAME(gather)(w.all[i], column, side, apart);
        } else {
            for (; behind > GF_FAULT(rank_catch_up); behind--) {
                const uint16_t *to = column - (behind - 1) * apart;
                NAME(move)(w.all[i], to + (side - 1) * apart, to - apart);
            }
        }
        w.pixel[i] = x;
        bytes[x * step + channel] = (uint8_t)(i * GF_RANK_NIBBLES + NAME(find)(w.all[i], &index));
        if (places) {
            places[x * step + channel] = index;
        }
    }
}

/* One sample in and one out. */
static inline void NAME(change)(struct NAME(window) * w, uint8_t enter, uint8_t leave)
{
    w->upper[enter >> 4]++;
    w->all[enter >> 4][enter & 15]++;
    w->upper[leave >> 4]--;
    w->all[leave >> 4][leave & 15]--;
}

/* Of thin windows every sample is counted. */
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
        for (int64_t r = 0; x > 0 && r <= 2 * s->radius_y; r++) {
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
