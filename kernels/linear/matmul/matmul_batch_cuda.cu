/* Batches of products on CUDA: tiles as of a single one, as small as the products ask for; and for the
 * smallest a kernel of their own. */
#include "linear/matmul/matmul_tile_cuda.cuh"

/* For batches: products that the large tile would be too large for; the last is of one warp. */
template <class T> using gf_matmul_of_64 = gf_matmul_shape<T, 64, 64, 8, 4, sizeof(T) == 8 ? 2 : 4, 3>;
template <class T> using gf_matmul_of_32 = gf_matmul_shape<T, 32, 32, 8, 4, sizeof(T) == 8 ? 2 : 4, 3>;

template <class S, class T>
static __global__ void __launch_bounds__(S::THREADS, S::TM *S::TN > 16 ? 2 : 768 / S::THREADS)
    gf_matmul_batch(const gf_matmul_args g)
{
    GF_SHARED(typename S::wide, lefts, S::STAGES * S::BK * S::LEFT);
    GF_SHARED(typename S::wide, rights, S::STAGES * S::BK * S::BN);
    gf_matmul_block<S, T, true>(g, gf_matmul_all(), lefts, rights);
}

/* Many products of at most TINY_SIDE rows, columns and steps, as many in a block as its threads have elements
 * for, four of a row each; their matrices come into shared memory, with rows that begin a bank further. */
constexpr int TINY_SIDE = 16, TINY_THREADS = 256, TINY_PITCH = TINY_SIDE + 1;

/* Products of a block. */
template <class T> constexpr int TINY_MOST = sizeof(T) == 8 ? 8 : 16;

template <class T>
static __global__ void __launch_bounds__(TINY_THREADS) gf_matmul_tiny(const gf_matmul_args g, int together)
{
    using element = gf_matmul_element<T>;
    const int PRODUCT = TINY_SIDE * TINY_PITCH;
    GF_SHARED(typename element::wide, lefts, TINY_MOST<T> * PRODUCT);
    GF_SHARED(typename element::wide, rights, TINY_MOST<T> * PRODUCT);
    const int m = static_cast<int>(g.m), k = static_cast<int>(g.k), n = static_cast<int>(g.n);
    const int64_t first = int64_t(blockIdx.x) * together;
    const int here = static_cast<int>(g.batch - first < together ? g.batch - first : together);
    const T *const a = static_cast<const T *>(g.a), *const b = static_cast<const T *>(g.b);
    /* The index that runs fastest is the one along which elements lie together. */
    const bool a_down = g.a_row == 1 && g.a_column != 1, b_down = g.b_row == 1 && g.b_column != 1;
    for (int at = static_cast<int>(gf_thread()); at < here * m * k; at += TINY_THREADS) {
        const int p = at / (m * k), e = at % (m * k);
        const int i = a_down ? e % m : e / k, l = a_down ? e / m : e % k;
        lefts[p * PRODUCT + i * TINY_PITCH + l] =
            element::widen(a[(first + p) * g.step_a + i * g.a_row + l * g.a_column], g.signed_a);
    }
    for (int at = static_cast<int>(gf_thread()); at < here * k * n; at += TINY_THREADS) {
        const int p = at / (k * n), e = at % (k * n);
        const int l = b_down ? e % k : e / n, j = b_down ? e / k : e % n;
        rights[p * PRODUCT + l * TINY_PITCH + j] =
            element::widen(b[(first + p) * g.step_b + l * g.b_row + j * g.b_column], g.signed_b);
    }
    __syncthreads();
    /* A thread has every quarter-th element of a row, so that what a row writes lies together. */
    const int quarter = (n + 3) / 4, at = static_cast<int>(gf_thread());
    const int p = at / (m * quarter), i = at % (m * quarter) / quarter, j = at % quarter;
    if (p >= here) {
        return;
    }
    const typename element::wide *const left = lefts + p * PRODUCT + i * TINY_PITCH;
    const typename element::wide *const right = rights + p * PRODUCT + j;
    typename element::sum sum[4] = {};
    for (int l = 0; l < k; l++) {
        GF_UNROLL
        for (int e = 0; e < 4; e++) {
            if (j + e * quarter < n) {
                sum[e] = gf_matmul_add(left[l], right[l * TINY_PITCH + e * quarter], sum[e]);
            }
        }
    }
    typename element::sum *const c =
        static_cast<typename element::sum *>(g.c) + (first + p) * g.step_c + i * g.ldc;
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        if (j + e * quarter < n - GF_FAULT(cuda_matmul_tiny)) {
            c[j + e * quarter] = gf_matmul_finish(sum[e]);
        }
    }
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

/* Launches by the size of a product: the smallest tile that has it whole. */
template <class T>
static gf_status launch_batch(const struct gf_array_call *array, const gf_matmul_args &g, gf_error *error)
{
    if (g.m <= TINY_SIDE && g.k <= TINY_SIDE && g.n <= TINY_SIDE) {
        const int each = static_cast<int>(g.m * ((g.n + 3) / 4));
        const int together = TINY_THREADS / each < TINY_MOST<T> ? TINY_THREADS / each : TINY_MOST<T>;
        gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(g.batch, together), TINY_THREADS);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_tiny<T>), c, g, together));
    } else if (g.m <= 32 && g.n <= 32) {
        using S = gf_matmul_of_32<T>;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_batch<S, T>), gf_matmul_launch<S>(array, g), g));
    } else if (g.m <= 64 || g.n <= 64) {
        using S = gf_matmul_of_64<T>;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_batch<S, T>), gf_matmul_launch<S>(array, g), g));
    } else {
        using S = gf_matmul_large<T>;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_batch<S, T>), gf_matmul_launch<S>(array, g), g));
    }
    return GF_OK;
}

gf_status gf_matmul_batch_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        return launch_batch<typename decltype(tag)::type>(array, g, error);
    });
}
