/* The networks of rank_network.h by the zero-one principle: a network of comparisons that sorts, or selects
 * from, all lists of zeros and ones does so for all lists. */
#include "check.h"
#include "pixel/window/rank/rank_network.h"

#include <algorithm>

struct ops {
    using word = uint32_t;
    static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
    static uint32_t most(uint32_t a, uint32_t b) { return a < b ? b : a; }
};

/* Lists of n zeros and ones in ascending order, by how many are ones. */
template <int N> static void fill_sorted(uint32_t (&v)[N], int ones)
{
    for (int i = 0; i < N; i++) {
        v[i] = i >= N - ones;
    }
}

/* Every pair of sorted lists, merged, and every place of them, chosen. */
template <int M, int N> static void check_merge()
{
    uint32_t a[M], b[N], out[M + N];
    for (int p = 0; p <= M; p++) {
        for (int q = 0; q <= N; q++) {
            fill_sorted(a, p);
            fill_sorted(b, q);
            gf_merge<ops>(a, b, out);
            for (int i = 0; i < M + N; i++) {
                CHECK_EQ_INT(out[i], i >= M + N - p - q);
            }
            const uint32_t chosen = gf_choose<ops, N>(a, b);
            CHECK_EQ_INT(chosen, N >= M + N - p - q);
        }
    }
}

template <int K> static void check_sort()
{
    for (uint32_t bits = 0; bits < 1U << K; bits++) {
        uint32_t v[K], out[K];
        for (int i = 0; i < K; i++) {
            v[i] = bits >> i & 1;
        }
        gf_sort<ops, 0, K>(v, out);
        for (int i = 0; i < K; i++) {
            CHECK_EQ_INT(out[i], i >= K - __builtin_popcount(bits));
        }
    }
}

template <int K> struct columns {
    uint32_t v[K + 3][K];
    uint32_t at(int c, int i) const { return v[c][i]; }
};

/* The medians of four windows of columns with that many ones. */
template <int K> static void check_four(const int (&ones)[K + 3])
{
    struct columns<K> sorted;
    uint32_t medians[4];
    for (int c = 0; c < K + 3; c++) {
        fill_sorted(sorted.v[c], ones[c]);
    }
    gf_median_four<ops, K>(sorted, medians);
    for (int w = 0; w < 4; w++) {
        int sum = 0;
        for (int c = 0; c < K; c++) {
            sum += ones[w + c];
        }
        CHECK_EQ_INT(medians[w], 2 * sum > K * K);
    }
}

/* Columns of all numbers of ones where those are few enough, else `draws` of them around the middle, where
 * the medians change. */
template <int K> static void check_windows(int64_t draws)
{
    uint64_t state = K;
    for (int64_t i = 0; i < draws; i++) {
        int ones[K + 3];
        int64_t rest = i;
        for (int &n : ones) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            n = K <= 3 ? static_cast<int>(rest % (K + 1)) : static_cast<int>((state >> 33) % (K + 1));
            rest /= K + 1;
        }
        for (int c = 0; K > 3 && c < K + 3; c++) { /* half of all windows' samples, give or take a few */
            int sum = 0;
            for (int j = 0; j < K; j++) {
                sum += ones[(c + j) % (K + 3)];
            }
            const int wanted = ones[c] + K * K / 2 - sum + static_cast<int>(state >> 60) % 3;
            ones[c] = std::min(std::max(wanted, 0), K);
        }
        check_four<K>(ones);
    }
}

static void merges()
{
    check_merge<1, 1>();
    check_merge<3, 1>();
    check_merge<5, 5>();
    check_merge<7, 14>();
    check_merge<22, 22>();
    check_merge<40, 22>();
    check_merge<90, 90>();
    check_merge<120, 60>();
    check_merge<46, 30>();
}

static void sorts()
{
    check_sort<2>();
    check_sort<3>();
    check_sort<4>();
    check_sort<6>();
    check_sort<8>();
    check_sort<10>();
    check_sort<12>();
    check_sort<14>();
}

static void windows()
{
    check_windows<3>(4096); /* all */
    check_windows<5>(20000);
    check_windows<7>(20000);
    check_windows<9>(10000);
    check_windows<11>(5000);
    check_windows<13>(3000);
    check_windows<15>(2000);
}

static const struct check_case cases[] = {
    {"merges and choices of sorted lists", merges},
    {"sorts of columns", sorts},
    {"medians of four windows", windows},
};

CHECK_MAIN(cases)
