/* Keys of a warp, each compared with the one before it: where runs begin, as bits. */
#ifndef GF_ARRAY_RUNS_COMPARE_CUDA_CUH
#define GF_ARRAY_RUNS_COMPARE_CUDA_CUH

#include "array/keyed/run_length_call.h"
#include "base/gf_cuda.h"
#include "base/planted_fault.h"

/* Equal by value; every NaN equals every NaN. */
template <class T> GF_DEVICE_FN bool gf_keys_are_equal(T a, T b)
{
    return a == b || (a != a && b != b);
}

/* The warp's rows from key `first` on: keys[r] is this lane's of row r, and bit l of heads[r] is 1 where lane
 * l's begins a run. */
template <int ROWS, class T>
GF_DEVICE_FN void gf_runs_compare(const T *in, int64_t n, int64_t first, T *keys, uint32_t *heads)
{
    T before[ROWS];
    GF_UNROLL
    for (int r = 0; r < ROWS; r++) {
        const int64_t i = first + r * GF_WARP + gf_lane();
        keys[r] = i < n ? in[i] : T(0);
        before[r] = i > 0 && i < n ? in[i - 1] : T(0); /* which lies in the same lines */
    }
    GF_UNROLL
    for (int r = 0; r < ROWS; r++) {
        const int64_t i = first + r * GF_WARP + gf_lane();
        const bool seam = GF_FAULT(cuda_runs_seam) && i == GF_RUNS_TILE;
        heads[r] = gf_ballot(i < n && (i == 0 || seam || !gf_keys_are_equal(before[r], keys[r])));
    }
}

#endif
