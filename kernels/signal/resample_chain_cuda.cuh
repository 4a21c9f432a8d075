/* What a warp does in resampling: its 8 outputs of each of its periods, chain by chain. Part of
 * resample_cuda.cu. */
#ifndef GF_SIGNAL_RESAMPLE_CHAIN_CUDA_CUH
#define GF_SIGNAL_RESAMPLE_CHAIN_CUDA_CUH

#include "signal/resample_table.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

enum {
    RESAMPLE_THREADS = 256,
    WARPS = RESAMPLE_THREADS / GF_WARP,
    PERIODS = 8, /* of a lane */
    RESAMPLE_EACH = GF_RESAMPLE_GROUP,
    CHAINS = GF_SUM_CHAINS,
    STAGE = GF_RESAMPLE_STAGE, /* frames */
    STAGES = 4,                /* that are on their way or used */
    STAGE_FLOATS = STAGE * RESAMPLE_EACH,
    LANE_FLOATS = STAGE_FLOATS / GF_WARP
};

struct resample_params {
    struct gf_source in;
    struct gf_sink out;
    int64_t up, down;
    int64_t first_period;
    int32_t period, step; /* outputs and frames of a period */
    int32_t taps, centre;
    int32_t least;          /* periods from an output's to that of the first frame it reads, rounded down */
    int32_t rows, stride;   /* of frames in shared memory: a row has a period's, and odd `stride` places */
    int32_t floats;         /* of all rows */
    int32_t frames, before; /* of a chain in the table */
    int32_t lanes;          /* of a warp that have work, fewer where their frames would not fit */
    int32_t groups, parts;  /* of 8 outputs, in a period; a block's of as many periods as a warp makes */
    const float *phase;
};

/* What one frame of each of a lane's periods needs. */
struct resample_frame {
    float tap[RESAMPLE_EACH], v[PERIODS];

    __device__ __forceinline__ void load(const float *taps, const float *const *x, int back)
    {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r += 4) {
            const uint4 four = gf_load16(taps + r);
            memcpy(tap + r, &four, sizeof four);
        }
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            v[q] = x[q][-back];
        }
    }
    __device__ __forceinline__ void add(float (*sum)[PERIODS]) const
    {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            add_to(r, sum);
        }
    }
    /* For those outputs that have a tap for it; output r's is tap k - behind[r]. */
    __device__ __forceinline__ void add_some(const int *behind, int k, int taps, float (*sum)[PERIODS]) const
    {
        bool has[RESAMPLE_EACH];
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            has[r] = k >= behind[r] && k - behind[r] < taps;
        }
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            if (has[r]) {
                add_to(r, sum);
            }
        }
    }
    __device__ __forceinline__ void add_to(int r, float (*sum)[PERIODS]) const
    {
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            sum[r][q] = gf_fma(tap[r], v[q], sum[r][q]);
        }
    }
};

/* Where a chain of outputs has come to: tap k of the last output, the frame in each of the lane's periods, in
 * shared memory, and its column in its row. */
struct resample_at {
    int k, column;
    const float *x[PERIODS];

    /* To a frame `frames` in front, at most one row. */
    __device__ __forceinline__ void go_back(const struct resample_params &p, int frames)
    {
        int back = frames;
        k += frames;
        column -= frames;
        if (p.stride != p.step && column < 0) {
            column += p.step;
            back += p.stride - p.step;
        }
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            x[q] -= back;
        }
    }
};

/* The taps of a warp's 8 outputs, in the order in which they are used, through a ring in shared memory. */
struct resample_taps {
    const float *from; /* this lane's of the stage that is fetched next */
    float *ring;
    unsigned next;
    int rest; /* stages that are fetched later */

    __device__ __forceinline__ void fetch()
    {
        if (rest > 0) {
            float *to = ring + next % STAGES * STAGE_FLOATS + LANE_FLOATS * gf_lane();
            gf_cp_async<LANE_FLOATS * 4>(to, from);
        }
        gf_cp_async_commit();
        from += STAGE_FLOATS;
        next++;
        rest--;
    }
    /* The stage that is used now; that before is no longer. */
    __device__ __forceinline__ const float *use()
    {
        gf_cp_async_wait<STAGES - 2>();
        gf_syncwarp();
        fetch();
        return ring + next % STAGES * STAGE_FLOATS;
    }
};

/* One chain of each output, that of taps k, k + 8, ... of the last one. Frames that all outputs have taps for
 * go four by four while those lie in one row. */
GF_DEVICE_FN void sum_chain(const struct resample_params &p, const int *behind, resample_at at,
                            struct resample_taps *taps, float (*sum)[PERIODS])
{
    enum { FOUR = 4 };
    const int begin = behind[0], end = p.taps + begin;
    int before = gf_resample_before(at.k, begin), all = (p.taps - at.k + CHAINS - 1) / CHAINS - before;
    int j = p.before - before;
    GF_UNROLL
    for (int r = 0; r < RESAMPLE_EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            sum[r][q] = 0.0F;
        }
    }
#pragma unroll 1
    for (int i = 0; i < p.frames; i += STAGE, j -= STAGE) {
        const float *tap = taps->use();
#pragma unroll 1
        while (j < STAGE && at.k < end) {
            resample_frame frame;
            const float *own = tap + j * RESAMPLE_EACH;
            if (before <= 0 && all >= FOUR && j <= STAGE - FOUR &&
                (p.stride == p.step || at.column >= (FOUR - 1) * CHAINS)) {
                GF_UNROLL
                for (int f = 0; f < FOUR; f++) {
                    frame.load(own + f * RESAMPLE_EACH, at.x, CHAINS * f);
                    frame.add(sum);
                }
                at.go_back(p, FOUR * CHAINS);
                all -= FOUR;
                j += FOUR;
                continue;
            }
            frame.load(own, at.x, 0);
            if (before <= 0 && all > 0) {
                frame.add(sum);
                all--;
            } else {
                frame.add_some(behind, at.k, p.taps, sum);
                before--;
            }
            at.go_back(p, CHAINS);
            j++;
        }
    }
}

/* The 8 outputs from `output` on of the lane's periods, of which the first one's frames lie at `rows`. Chains
 * are those of frames whose number has one remainder by 8, so that outputs share frames: output r's chain is
 * another one, turned round by its place, which the fold does not see, as it adds chains that are 4 apart,
 * then 2, then 1. kept: where the lane's sums of every second chain are meanwhile. */
GF_DEVICE_FN void sum_group(const struct resample_params &p, int output, const float *rows, int *behind,
                            float *ring, float *kept, float (*sum)[PERIODS])
{
    float one[RESAMPLE_EACH][PERIODS], two[RESAMPLE_EACH][PERIODS];
    const int last = gf_resample_group_place(p.up, p.down, p.period, output, RESAMPLE_EACH - 1);
    const int lane = static_cast<int>(gf_lane()), own = lane < p.lanes ? lane : 0;
    struct resample_taps taps = {p.phase + output * p.frames * CHAINS + LANE_FLOATS * lane, ring, 0,
                                 p.frames / STAGE * CHAINS};
    gf_syncwarp(); /* all have read what was there before */
    GF_UNROLL
    for (int i = 0; i < STAGES - 1; i++) {
        taps.fetch();
    }
    if (lane < RESAMPLE_EACH) {
        behind[lane] = last - gf_resample_group_place(p.up, p.down, p.period, output, lane);
    }
    gf_syncwarp();
    const auto each = [](const auto &f) {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            GF_UNROLL
            for (int q = 0; q < PERIODS; q++) {
                f(r, q);
            }
        }
    };
    const auto add = [&](int i, float(*to)[PERIODS]) {
        const int tap = gf_resample_order(i);
        const int frame = last + p.centre - tap - p.least * p.step; /* of the first row on */
        const int row = frame / p.step, column = frame % p.step;
        resample_at at = {tap, column, {}};
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            at.x[q] = rows + (own + q * p.lanes + row) * p.stride + column;
        }
        sum_chain(p, behind, at, &taps, to);
    };
#pragma unroll 1
    for (int i = 0; i < CHAINS; i += 2) {
        add(i, one);
        add(i + 1, two);
        each([&](int r, int q) { two[r][q] = one[r][q] + two[r][q]; });
        if (i % 4 == 0) {
            memcpy(sum, two, sizeof two);
            continue;
        }
        each([&](int r, int q) { sum[r][q] += two[r][q]; });
        if (i == 2) {
            each([&](int r, int q) { kept[(r * PERIODS + q) * RESAMPLE_THREADS] = sum[r][q]; });
        }
    }
    each([&](int r, int q) {
        sum[r][q] = gf_canonical(kept[(r * PERIODS + q) * RESAMPLE_THREADS] + sum[r][q]);
    });
}

#endif
