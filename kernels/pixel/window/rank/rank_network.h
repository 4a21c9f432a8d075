/* Selection networks of the rank kernels on CUDA, made by the compiler: everything is a merge of two sorted
 * lists by comparisons that do not depend on the data (Batcher's odd-even merge, for lists of any lengths),
 * or the choice of one place of two sorted lists. Results that nobody reads are compared by nobody: the
 * compiler leaves out each minimum and maximum without a use, which is what prunes a merge to a selection.
 *
 * OPS has the type `word` and `least`, `most`: a word may be several samples side by side. For C++17, on
 * hosts and devices; test_rank_network.cpp proves the merges by the zero-one principle. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <utility>

#if defined(__CUDACC__)
#define GF_NETWORK_FN     static __device__ __forceinline__
#define GF_NETWORK_UNROLL _Pragma("unroll")
#else
#define GF_NETWORK_FN static inline
#define GF_NETWORK_UNROLL
#endif

/* Comparisons of the places of SIZE values: afterwards the one at low[i] is not above the one at high[i].
 * Value number i of the sorted list lies at order[i]. */
template <int SIZE> struct gf_network {
    int n;
    int16_t low[SIZE * 9], high[SIZE * 9]; /* more than log2 of 2 SIZE a value, while SIZE < 256 */
    int16_t order[SIZE];
};

template <int SIZE> constexpr void gf_network_compare(gf_network<SIZE> &net, int16_t low, int16_t high)
{
    net.low[net.n] = low;
    net.high[net.n] = high;
    net.n++;
}

/* Merges the m places a[0], a[step], ... with the n places of b, both in ascending order of their values,
 * into out, which has the places in the order of what lies there afterwards. */
template <int SIZE>
constexpr void gf_network_merge(gf_network<SIZE> &net, const int16_t *a, int m, const int16_t *b, int n,
                                int step, int16_t *out)
{
    if (m == 0 || n == 0) {
        for (int i = 0; i < m + n; i++) {
            out[i] = m > 0 ? a[i * step] : b[i * step];
        }
        return;
    }
    if (m == 1 && n == 1) {
        gf_network_compare(net, a[0], b[0]);
        out[0] = a[0];
        out[1] = b[0];
        return;
    }
    int16_t even[SIZE] = {}, odd[SIZE] = {};
    const int evens = (m + 1) / 2 + (n + 1) / 2, odds = m / 2 + n / 2;
    gf_network_merge(net, a, (m + 1) / 2, b, (n + 1) / 2, 2 * step, even);
    gf_network_merge(net, m > 1 ? a + step : a, m / 2, n > 1 ? b + step : b, n / 2, 2 * step, odd);
    out[0] = even[0];
    for (int i = 0, at = 1; at < m + n; i++) {
        if (i < odds && i + 1 < evens) {
            gf_network_compare(net, odd[i], even[i + 1]);
        }
        if (i < odds) {
            out[at++] = odd[i];
        }
        if (i + 1 < evens) {
            out[at++] = even[i + 1];
        }
    }
}

template <int M, int N> constexpr gf_network<M + N> gf_network_make()
{
    gf_network<M + N> net = {};
    int16_t places[M + N] = {};
    for (int i = 0; i < M + N; i++) {
        places[i] = static_cast<int16_t>(i);
    }
    gf_network_merge(net, places, M, places + M, N, 1, net.order);
    return net;
}

template <int M, int N> struct gf_merge_network {
    static constexpr gf_network<M + N> net = gf_network_make<M, N>();
};

template <class OPS> GF_NETWORK_FN void gf_network_swap(typename OPS::word &low, typename OPS::word &high)
{
    const typename OPS::word least = OPS::least(low, high);
    high = OPS::most(low, high);
    low = least;
}

#if defined(__CUDACC__)
template <class OPS, class NET, int SIZE, size_t... I>
GF_NETWORK_FN void gf_network_run(typename OPS::word (&v)[SIZE], std::index_sequence<I...>)
{
    (gf_network_swap<OPS>(v[std::integral_constant<int, NET::net.low[I]>::value],
                          v[std::integral_constant<int, NET::net.high[I]>::value]),
     ...);
}

template <class NET, int SIZE, class T, size_t... I>
GF_NETWORK_FN void gf_network_sorted(const T (&v)[SIZE], T (&out)[SIZE], std::index_sequence<I...>)
{
    ((out[I] = v[std::integral_constant<int, NET::net.order[I]>::value]), ...);
}
#endif

/* The sorted lists a and b, merged. */
template <class OPS, int M, int N>
GF_NETWORK_FN void gf_merge(const typename OPS::word (&a)[M], const typename OPS::word (&b)[N],
                            typename OPS::word (&out)[M + N])
{
    using net = gf_merge_network<M, N>;
    typename OPS::word v[M + N];
    GF_NETWORK_UNROLL
    for (int i = 0; i < M; i++) {
        v[i] = a[i];
    }
    GF_NETWORK_UNROLL
    for (int i = 0; i < N; i++) {
        v[M + i] = b[i];
    }
#if defined(__CUDACC__) /* the comparisons are code, and all places registers */
    gf_network_run<OPS, net>(v, std::make_index_sequence<net::net.n>());
    gf_network_sorted<net>(v, out, std::make_index_sequence<M + N>());
#else
    for (int i = 0; i < net::net.n; i++) {
        gf_network_swap<OPS>(v[net::net.low[i]], v[net::net.high[i]]);
    }
    for (int i = 0; i < M + N; i++) {
        out[i] = v[net::net.order[i]];
    }
#endif
}

/* The values v[FROM], ... , v[FROM + N - 1] in ascending order. */
template <class OPS, int FROM, int N, int SIZE>
GF_NETWORK_FN void gf_sort(const typename OPS::word (&v)[SIZE], typename OPS::word (&out)[N])
{
    if constexpr (N == 1) {
        out[0] = v[FROM];
    } else {
        typename OPS::word a[N / 2], b[N - N / 2];
        gf_sort<OPS, FROM, N / 2>(v, a);
        gf_sort<OPS, FROM + N / 2, N - N / 2>(v, b);
        gf_merge<OPS>(a, b, out);
    }
}

/* Value number INDEX, from 0, of the sorted lists a and b together: the least, over how many of a may lie at
 * or below it, of what those, and as many of b as are left, reach. */
template <class OPS, int INDEX, int M, int N>
GF_NETWORK_FN typename OPS::word gf_choose(const typename OPS::word (&a)[M], const typename OPS::word (&b)[N])
{
    constexpr int FIRST = INDEX + 1 > N ? INDEX + 1 - N : 0, LAST = INDEX + 1 < M ? INDEX + 1 : M;
    typename OPS::word least = {};
    GF_NETWORK_UNROLL
    for (int i = FIRST; i <= LAST; i++) {
        const int j = INDEX + 1 - i;
        const typename OPS::word reach = i == 0   ? b[j - 1]
                                         : j == 0 ? a[i - 1]
                                                  : OPS::most(a[i - 1], b[j - 1]);
        least = i == FIRST ? reach : OPS::least(least, reach);
    }
    return least;
}

/* ---- medians of four windows side by side -------------------------------------------------------------- */

/* Columns FROM to FROM + N - 1, each K sorted values, merged. */
template <class OPS, int K, int FROM, int N, class COLUMNS>
GF_NETWORK_FN void gf_columns_merge(const COLUMNS &columns, typename OPS::word (&out)[N * K])
{
    if constexpr (N == 1) {
        GF_NETWORK_UNROLL
        for (int i = 0; i < K; i++) {
            out[i] = columns.at(FROM, i);
        }
    } else {
        constexpr int FIRST = N == 2 ? 1 : N <= 4 ? 2 : N <= 8 ? 4 : 8;
        typename OPS::word a[FIRST * K], b[(N - FIRST) * K];
        gf_columns_merge<OPS, K, FROM, FIRST>(columns, a);
        gf_columns_merge<OPS, K, FROM + FIRST, N - FIRST>(columns, b);
        gf_merge<OPS>(a, b, out);
    }
}

/* The places of the sorted values of some columns that the median of K x K may still have when all others are
 * known: below LOW all are too small, and above HIGH too large. */
template <int K, int COLUMNS> struct gf_median_places {
    static const int median = K * K / 2, rest = K * K - COLUMNS * K;
    static const int LOW = median > rest ? median - rest : 0;
    static const int HIGH = median < COLUMNS * K ? median : COLUMNS * K - 1;
    static const int N = HIGH - LOW + 1;
};

template <int FROM, int N, class T, int SIZE> GF_NETWORK_FN void gf_part(const T (&v)[SIZE], T (&out)[N])
{
    GF_NETWORK_UNROLL
    for (int i = 0; i < N; i++) {
        out[i] = v[FROM + i];
    }
}

/* Two windows: what all four share, two columns more from MORE on that these two share, and one of their own
 * each. */
template <class OPS, int K, int MORE, int ONE, int OTHER, int N, class COLUMNS>
GF_NETWORK_FN void gf_median_pair(const COLUMNS &columns, const typename OPS::word (&core)[N],
                                  typename OPS::word &one, typename OPS::word &other)
{
    using inner = gf_median_places<K, K - 3>;
    using outer = gf_median_places<K, K - 1>;
    typename OPS::word more[2 * K], merged[N + 2 * K], kept[outer::N], column[K];
    gf_columns_merge<OPS, K, MORE, 2>(columns, more);
    gf_merge<OPS>(core, more, merged);
    gf_part<outer::LOW - inner::LOW, outer::N>(merged, kept);
    gf_columns_merge<OPS, K, ONE, 1>(columns, column);
    one = gf_choose<OPS, outer::median - outer::LOW>(kept, column);
    gf_columns_merge<OPS, K, OTHER, 1>(columns, column);
    other = gf_choose<OPS, outer::median - outer::LOW>(kept, column);
}

/* The middle one of a and the sorted pair b. */
template <class OPS>
GF_NETWORK_FN typename OPS::word gf_middle(typename OPS::word a, typename OPS::word low,
                                           typename OPS::word high)
{
    return OPS::most(low, OPS::least(high, a));
}

/* The medians of the 3 x 3 windows that begin at columns FROM and FROM + 1: of the greatest of the least, the
 * median of the medians, and the least of the greatest values of the columns. */
template <class OPS, int FROM, class COLUMNS>
GF_NETWORK_FN void gf_median_3x3(const COLUMNS &columns, typename OPS::word &one, typename OPS::word &other)
{
    typename OPS::word low = columns.at(FROM + 1, 1), high = columns.at(FROM + 2, 1);
    gf_network_swap<OPS>(low, high);
    const typename OPS::word least = OPS::most(columns.at(FROM + 1, 0), columns.at(FROM + 2, 0));
    const typename OPS::word most = OPS::least(columns.at(FROM + 1, 2), columns.at(FROM + 2, 2));
    GF_NETWORK_UNROLL
    for (int i = 0; i < 2; i++) {
        typename OPS::word a = OPS::most(least, columns.at(FROM + 3 * i, 0));
        typename OPS::word b = OPS::least(most, columns.at(FROM + 3 * i, 2));
        gf_network_swap<OPS>(a, b);
        (i == 0 ? one : other) = gf_middle<OPS>(gf_middle<OPS>(columns.at(FROM + 3 * i, 1), low, high), a, b);
    }
}

/* The medians of the K x K windows that begin at columns 0 to 3; K odd. columns.at(c, i): value number i of
 * the sorted column c < K + 3. */
template <class OPS, int K, class COLUMNS>
GF_NETWORK_FN void gf_median_four(const COLUMNS &columns, typename OPS::word (&out)[4])
{
    if constexpr (K == 3) {
        gf_median_3x3<OPS, 0>(columns, out[0], out[1]);
        gf_median_3x3<OPS, 2>(columns, out[2], out[3]);
    } else {
        using inner = gf_median_places<K, K - 3>;
        typename OPS::word all[(K - 3) * K], core[inner::N];
        gf_columns_merge<OPS, K, 3, K - 3>(columns, all);
        gf_part<inner::LOW, inner::N>(all, core);
        gf_median_pair<OPS, K, 1, 0, K>(columns, core, out[0], out[1]);
        gf_median_pair<OPS, K, K, 2, K + 2>(columns, core, out[2], out[3]);
    }
}
