/* A sort of sixteen vectors in registers, without a branch. Include it once for each kind of vector:
 *
 *   GF_NET_BITS, GF_NET_COUNT  its lanes: bits of one, and how many
 *   GF_NET_KEY                 int32_t or int64_t
 *
 * makes  static void gf_network_BITSxCOUNT(GF_NET_KEY *keys)  for 16 x COUNT keys, aligned to a vector. It
 * undefines the three.
 *
 * Lanes are columns of sixteen keys, each sorted by itself: no lane needs to change its place. Then columns
 * are merged, two, four and so on (K. E. Batcher, 1968), a column behind the other; at last rows and columns
 * change places. */
#define GF_NET_PASTE(a, bits, count)  a##_##bits##x##count
#define GF_NET_EXPAND(a, bits, count) GF_NET_PASTE(a, bits, count)
#define GF_NET(a)                     GF_NET_EXPAND(a, GF_NET_BITS, GF_NET_COUNT)
#define GF_NET_V                      GF_NET_EXPAND(gf, GF_NET_BITS, GF_NET_COUNT)
#define GF_NET_LANES_(count, from, m) GF_LANES_##count(from, m)
#define GF_NET_LANES(count, from, m)  GF_NET_LANES_(count, from, m)
#define GF_NET_SHUFFLE(a, b, from, m) __builtin_shufflevector(a, b, GF_NET_LANES(GF_NET_COUNT, from, m))

#define GF_NET_ORDER(a, b)                                                                                   \
    do {                                                                                                     \
        const GF_NET_V least_ = GF_NET(gf_min)(v[a], v[b]);                                                  \
        v[b] = GF_NET(gf_max)(v[a], v[b]);                                                                   \
        v[a] = least_;                                                                                       \
    } while (0)

#ifndef GF_ARRAY_SORT_NETWORK_H
#define GF_ARRAY_SORT_NETWORK_H

/* M. W. Green's network for 16 (1969), of 60 comparisons; do4 takes four pairs, do2 two. */
#define GF_NETWORK_16(do4, do2)                                                                              \
    do4(0, 1, 2, 3, 4, 5, 6, 7) do4(8, 9, 10, 11, 12, 13, 14, 15) do4(0, 2, 1, 3, 4, 6, 5, 7)                \
        do4(8, 10, 9, 11, 12, 14, 13, 15) do4(0, 4, 1, 5, 2, 6, 3, 7) do4(8, 12, 9, 13, 10, 14, 11, 15)      \
            do4(0, 8, 1, 9, 2, 10, 3, 11) do4(4, 12, 5, 13, 6, 14, 7, 15) do4(5, 10, 6, 9, 3, 12, 13, 14)    \
                do2(4, 8, 7, 11) do4(1, 2, 1, 4, 7, 13, 2, 8) do2(11, 14, 2, 4)                              \
                    do4(5, 6, 9, 10, 11, 13, 3, 8) do4(7, 12, 6, 8, 10, 12, 3, 5) do2(7, 9, 3, 4)            \
                        do4(5, 6, 7, 8, 9, 10, 11, 12) do2(6, 7, 8, 9)
#endif

#define GF_NET_DO2(a, b, c, d)                                                                               \
    GF_NET_ORDER(a, b);                                                                                      \
    GF_NET_ORDER(c, d);
#define GF_NET_DO4(a, b, c, d, e, f, g, h) GF_NET_DO2(a, b, c, d) GF_NET_DO2(e, f, g, h)

static inline __attribute__((always_inline)) void GF_NET(columns)(GF_NET_V *v)
{
    GF_NETWORK_16(GF_NET_DO4, GF_NET_DO2)
}

/* Within columns, keys that lie `apart` rows apart, then half of that, and so on. */
static inline __attribute__((always_inline)) void GF_NET(rows)(GF_NET_V *v)
{
    for (int r = 0; r < 8; r++) {
        GF_NET_ORDER(r, r + 8);
    }
    for (int r = 0; r < 8; r++) {
        GF_NET_ORDER(r / 4 * 8 + r % 4, r / 4 * 8 + r % 4 + 4);
    }
    for (int r = 0; r < 8; r++) {
        GF_NET_ORDER(r / 2 * 4 + r % 2, r / 2 * 4 + r % 2 + 2);
    }
    for (int r = 0; r < 8; r++) {
        GF_NET_ORDER(2 * r, 2 * r + 1);
    }
}

/* Folds 2m columns, whose halves are sorted: the first half's first key with the second's last, and so on. */
#define GF_NET_FOLD(m)                                                                                       \
    for (int r = 0; r < 8; r++) {                                                                            \
        const GF_NET_V a = v[r], b = GF_NET_SHUFFLE(v[15 - r], v[15 - r], GF_LANE_OTHER, 2 * (m)-1);         \
        const GF_NET_V least = GF_NET(gf_min)(a, b), greatest = GF_NET(gf_max)(a, b);                        \
        const GF_NET_V other = GF_NET_SHUFFLE(greatest, least, GF_LANE_PICK, m);                             \
        v[r] = GF_NET_SHUFFLE(least, greatest, GF_LANE_PICK, m);                                             \
        v[15 - r] = GF_NET_SHUFFLE(other, other, GF_LANE_OTHER, 2 * (m)-1);                                  \
    }

/* Columns m apart. */
#define GF_NET_APART(m)                                                                                      \
    for (int r = 0; r < 16; r++) {                                                                           \
        const GF_NET_V a = v[r], b = GF_NET_SHUFFLE(a, a, GF_LANE_OTHER, m);                                 \
        v[r] = GF_NET_SHUFFLE(GF_NET(gf_min)(a, b), GF_NET(gf_max)(a, b), GF_LANE_PICK, m);                  \
    }

/* The bit m of rows and the bit m of columns change places. */
#define GF_NET_TURN(m)                                                                                       \
    for (int r = 0; r < 8; r++) {                                                                            \
        const int k = r / (m)*2 * (m) + r % (m);                                                             \
        const GF_NET_V a = v[k], b = v[k + (m)];                                                             \
        v[k] = GF_NET_SHUFFLE(a, b, GF_LANE_FIRST, m);                                                       \
        v[k + (m)] = GF_NET_SHUFFLE(a, b, GF_LANE_SECOND, m);                                                \
    }

/* Vector `at` of the result, once all of a column's low bits of rows are bits of lanes. */
#define GF_NET_AT(at) ((at) / (16 / GF_NET_COUNT) + (at) % (16 / GF_NET_COUNT) * GF_NET_COUNT)

static __attribute__((noinline)) void GF_NET(gf_network)(GF_NET_KEY *keys)
{
    GF_NET_V *at = (GF_NET_V *)(void *)keys, v[16];
    for (int r = 0; r < 16; r++) {
        v[r] = at[r];
    }
    GF_NET(columns)(v);
    GF_NET_FOLD(1)
    GF_NET(rows)(v);
#if GF_NET_COUNT >= 4
    GF_NET_FOLD(2)
    GF_NET_APART(1)
    GF_NET(rows)(v);
#endif
#if GF_NET_COUNT >= 8
    GF_NET_FOLD(4)
    GF_NET_APART(2)
    GF_NET_APART(1)
    GF_NET(rows)(v);
#endif
#if GF_NET_COUNT >= 16
    GF_NET_FOLD(8)
    GF_NET_APART(4)
    GF_NET_APART(2)
    GF_NET_APART(1)
    GF_NET(rows)(v);
    GF_NET_TURN(8)
#endif
#if GF_NET_COUNT >= 8
    GF_NET_TURN(4)
#endif
#if GF_NET_COUNT >= 4
    GF_NET_TURN(2)
#endif
    GF_NET_TURN(1)
    for (int r = 0; r < 16; r++) {
        at[r] = v[GF_NET_AT(r)];
    }
}

#undef GF_NET_BITS
#undef GF_NET_COUNT
#undef GF_NET_KEY
