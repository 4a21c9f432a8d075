/* What a warp does in resampling: its 8 outputs of each of its periods, chain by chain. Part of
 * resample_cuda.cu. */
#ifndef GF_SIGNAL_RESAMPLE_CHAIN_CUDA_CUH
#define GF_SIGNAL_RESAMPLE_CHAIN_CUDA_CUH

#include "signal/resample_table.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

enum {
    WARPS = 6,
    RESAMPLE_THREADS = WARPS * GF_WARP,
    PERIODS = 4, /* of a lane */
    RESAMPLE_EACH = GF_RESAMPLE_GROUP,
    CHAINS = GF_SUM_CHAINS,
    STAGE = 32, /* most frames whose taps are fetched together; those of one stage are used meanwhile */
    STAGE_FLOATS = STAGE * RESAMPLE_EACH
};

struct resample_params {
    struct gf_source in;
    struct gf_sink out;
    int64_t up, down;
    int64_t first_period;
    int32_t period, step; /* outputs and frames of a period */
    int32_t taps, centre;
    int32_t least;         /* periods from an output's to that of the first frame it reads, rounded down */
    int32_t rows, stride;  /* of frames in shared memory: a row has a period's, and odd `stride` places */
    int32_t floats;        /* of all rows */
    int32_t frames, stage; /* of a chain in the table; of those the most that are fetched together */
    int32_t lanes;         /* of a warp that have work, fewer where their frames would not fit */
    int32_t groups, parts; /* of 8 outputs, in a period; a block's of as many periods as a warp makes */
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
    /* For those outputs whose bit is set. */
    __device__ __forceinline__ void add_some(unsigned outputs, float (*sum)[PERIODS]) const
    {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            if (outputs >> r & 1) {
                add_to(r, sum);
            }
        }
    }
    __device__ __forceinline__ void add(float (*sum)[PERIODS]) const
    {
        GF_UNROLL
        for (int r = 0; r < RESAMPLE_EACH; r++) {
            add_to(r, sum);
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

/* The taps of a warp's 8 outputs, in the order in which they are used, a stage of them while the next one is
 * fetched. */
struct resample_taps {
    const float *from; /* what is fetched next */
    float *ring;
    int next, rest, stage; /* stages fetched; frames that are not fetched; frames of a stage */

    __device__ __forceinline__ void fetch(int frames)
    {
        enum { ROUND = 4 * GF_WARP };
        float *to = ring + next % 2 * STAGE_FLOATS;
        const int count = frames < rest ? frames : rest, own = 4 * static_cast<int>(gf_lane());
        GF_UNROLL
        for (int i = 0; i < STAGE_FLOATS; i += ROUND) {
            if (own + i < count * RESAMPLE_EACH) {
                gf_cp_async<16>(to + own + i, from + own + i);
            }
        }
        gf_cp_async_commit();
        from += count * RESAMPLE_EACH;
        rest -= count;
        next++;
    }
};

/* One chain of each output, that of taps k, k + 8, ... of the last one. Frames that all outputs have taps for
 * go four by four while those lie in one row. behind: this lane's output's, how far its frames lie behind
 * those of the last one; begin: the first output's. */
GF_DEVICE_FN void sum_chain(const struct resample_params &p, int behind, int begin, resample_at at,
                            struct resample_taps *taps, float (*sum)[PERIODS])
{
    enum { FOUR = 4 };
    const int before = gf_resample_before(at.k, begin), all = (p.taps - at.k + CHAINS - 1) / CHAINS;
    const int end = (p.taps + begin - at.k + CHAINS - 1) / CHAINS;
    const auto add = [&](int j, const float *tap) {
        resample_frame frame;
        frame.load(tap, at.x, 0);
        if (j >= before && j < all) {
            frame.add(sum);
        } else {
            frame.add_some(gf_ballot(at.k >= behind && at.k - behind < p.taps), sum);
        }
        at.go_back(p, CHAINS);
    };
    GF_UNROLL
    for (int r = 0; r < RESAMPLE_EACH; r++) {
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            sum[r][q] = 0.0F;
        }
    }
#pragma unroll 1
    for (int first = 0; first < p.frames; first += p.stage) {
        const int most = first + p.stage < p.frames ? first + p.stage : p.frames;
        const int stop = most < end ? most : end;
        gf_cp_async_wait<0>();
        gf_syncwarp(); /* all have read the stage before */
        const float *tap = taps->ring + (taps->next + 1) % 2 * STAGE_FLOATS;
        taps->fetch(most < p.frames ? p.frames - most < p.stage ? p.frames - most : p.stage : p.stage);
        int j = first;
#pragma unroll 1
        while (j < stop) {
            if (j >= before && j + FOUR <= (all < stop ? all : stop) &&
                (p.stride == p.step || at.column >= (FOUR - 1) * CHAINS)) {
                GF_UNROLL
                for (int f = 0; f < FOUR; f++) {
                    resample_frame frame;
                    frame.load(tap + f * RESAMPLE_EACH, at.x, CHAINS * f);
                    frame.add(sum);
                }
                at.go_back(p, FOUR * CHAINS);
                j += FOUR;
                tap += FOUR * RESAMPLE_EACH;
                continue;
            }
            add(j, tap);
            j++;
            tap += RESAMPLE_EACH;
        }
    }
}

/* The 8 outputs from `output` on of the lane's periods, of which the first one's frames lie at `rows`. Chains
 * are those of frames whose number has one remainder by 8, so that outputs share frames: output r's chain is
 * another one, turned round by its place, which the fold does not see, as it adds chains that are 4 apart,
 * then 2, then 1. kept: where the lane's sums of the first four chains are meanwhile. */
GF_DEVICE_FN void sum_group(const struct resample_params &p, int output, const float *rows, float *ring,
                            float *kept, float (*sum)[PERIODS])
{
    float one[RESAMPLE_EACH][PERIODS], two[RESAMPLE_EACH][PERIODS];
    const int last = gf_resample_group_place(p.up, p.down, p.period, output, RESAMPLE_EACH - 1);
    const int lane = static_cast<int>(gf_lane()), own = lane < p.lanes ? lane : 0;
    /* Lanes that have no output have one that has no taps. */
    const int behind = lane < RESAMPLE_EACH
                           ? last - gf_resample_group_place(p.up, p.down, p.period, output, lane)
                           : INT32_MAX;
    struct resample_taps taps = {p.phase + output * p.frames * CHAINS, ring, 0, p.frames * CHAINS, p.stage};
    gf_syncwarp(); /* all have read what was there before */
    taps.fetch(p.stage);
    const int begin = gf_shfl(behind, 0);
    const int frame = last + p.centre - p.least * p.step; /* of the first row on, under tap 0 */
    const int begins_row = frame / p.step, begins = frame % p.step;
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
        const int back = tap > begins ? 1 : 0; /* a row has 8 frames or more */
        const int row = begins_row - back, column = begins - tap + back * p.step;
        resample_at at = {tap, column, {}};
        GF_UNROLL
        for (int q = 0; q < PERIODS; q++) {
            at.x[q] = rows + (own + q * p.lanes + row) * p.stride + column;
        }
        sum_chain(p, behind, begin, at, &taps, to);
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
