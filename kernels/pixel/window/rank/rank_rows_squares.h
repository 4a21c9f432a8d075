/* Part of rank_rows.c, once for each SAMPLE of 1 or 2 bytes: medians of 3 x 3. The columns of a vector are
 * sorted once and stay in registers; those beside them are shifted in. */

#if GF_SIMD_INT

static inline struct columns NAME(columns)(const SAMPLE *const *rows, int64_t x)
{
    const gf_vi a = vi_load(rows[0] + x), b = vi_load(rows[1] + x), c = vi_load(rows[2] + x);
    const gf_vi least = NAME(vi_min)(a, b), most = NAME(vi_max)(a, b), middle = NAME(vi_min)(most, c);
    return (struct columns){NAME(vi_min)(least, middle), NAME(vi_max)(least, middle), NAME(vi_max)(most, c)};
}

static inline gf_vi NAME(of_three)(gf_vi a, gf_vi b, gf_vi c)
{
    const gf_vi least = NAME(vi_min)(a, b), most = NAME(vi_max)(a, b);
    return NAME(vi_max)(least, NAME(vi_min)(most, c));
}

/* The medians of the squares whose first column is in `here`; STEP, a number: from pixel to pixel. */
#define SQUARES(STEP)                                                                                        \
    static inline gf_vi NAME(squares_##STEP)(struct columns here, struct columns next)                       \
    {                                                                                                        \
        enum { ONE = (STEP) * sizeof(SAMPLE), TWO = 2 * ONE };                                               \
        const gf_vi least = vi_between(here.least, next.least), most = vi_between(here.most, next.most),     \
                    middle = vi_between(here.middle, next.middle);                                           \
        const gf_vi low = NAME(vi_max)(NAME(vi_max)(here.least, vi_shifted(here.least, least, ONE)),         \
                                       vi_shifted(here.least, least, TWO));                                  \
        const gf_vi mid = NAME(of_three)(here.middle, vi_shifted(here.middle, middle, ONE),                  \
                                         vi_shifted(here.middle, middle, TWO));                              \
        const gf_vi high = NAME(vi_min)(NAME(vi_min)(here.most, vi_shifted(here.most, most, ONE)),           \
                                        vi_shifted(here.most, most, TWO));                                   \
        return NAME(of_three)(low, mid, high);                                                               \
    }
SQUARES(1)
SQUARES(2)
SQUARES(3)
SQUARES(4)
#undef SQUARES

/* A vector of medians from x on, of columns that are sorted where they are needed. */
static inline gf_vi NAME(squares_apart)(const SAMPLE *const *rows, int64_t x, int64_t step)
{
    const struct columns a = NAME(columns)(rows, x), b = NAME(columns)(rows, x + step),
                         c = NAME(columns)(rows, x + 2 * step);
    return NAME(of_three)(NAME(vi_max)(NAME(vi_max)(a.least, b.least), c.least),
                          NAME(of_three)(a.middle, b.middle, c.middle),
                          NAME(vi_min)(NAME(vi_min)(a.most, b.most), c.most));
}

/* Makes all of n samples, or none where they are fewer than a vector's; returns how many. */
static int64_t NAME(squares)(const void *const *lines, void *made, int64_t n, int64_t step, const void *ahead)
{
    enum { LANES = sizeof(gf_vi) / sizeof(SAMPLE) };
    const SAMPLE *const rows[3] = {lines[0], lines[1], lines[2]};
    SAMPLE *out = made;
    const int64_t whole = step > 4 || n + 2 * step < 2 * LANES ? 0 : n + 2 * step - 2 * LANES + 1;
    int64_t x = 0;
    struct columns here;
    if (n < LANES) {
        return 0;
    }
    if (whole > 0) {
        here = NAME(columns)(rows, 0);
    }
    for (; x < whole && x + LANES <= n; x += LANES) {
        const struct columns next = NAME(columns)(rows, x + LANES);
        __builtin_prefetch((const SAMPLE *)ahead + x);
        vi_store(out + x, step == 1   ? NAME(squares_1)(here, next)
                          : step == 2 ? NAME(squares_2)(here, next)
                          : step == 3 ? NAME(squares_3)(here, next)
                                      : NAME(squares_4)(here, next));
        here = next;
    }
    for (; x < n; x += LANES) { /* the last one ends where the row does */
        x = x + LANES <= n ? x : n - LANES;
        vi_store(out + x, NAME(squares_apart)(rows, x, step));
    }
    return n;
}

#else

static int64_t NAME(squares)(const void *const *lines, void *made, int64_t n, int64_t step, const void *ahead)
{
    (void)lines, (void)made, (void)n, (void)step, (void)ahead;
    return 0;
}

#endif
