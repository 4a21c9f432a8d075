/* How a warp reads and writes the frames of a tile of a recursive filter. Part of iir_cuda.cu. */
#ifndef GF_SIGNAL_IIR_TRACK_CUDA_CUH
#define GF_SIGNAL_IIR_TRACK_CUDA_CUH

#include "signal/iir_groups_cuda.cuh"

/* A tile's frames, an eighth of each block at a time: rows of 64 bytes. Parts take turns in two places, so
 * that one is loaded while the one before is used. */
enum { PARTS = GF_IIR_BLOCK / GF_IIR_PART, PART = GF_IIR_TILE * GF_IIR_PART, PIECES = PART / 4 / GF_WARP };

template <int K> struct frames_of {
    const place<K> &at;
    float *room;
    bool inside; /* of the call, all of them */

    __device__ frames_of(const place<K> &tile, float *shared) : at(tile), room(shared)
    {
        inside = at.from >= 0 && at.from + GF_IIR_FRAMES <= at.p.count;
    }
    __device__ __forceinline__ float *place_of(int number) const { return room + number % 2 * PART; }
    /* Frames [4 quad, 4 quad + 4) of the part in block `row`: where the first one is in the tile. */
    static __device__ int first_of(int number, int row, int quad)
    {
        return row * GF_IIR_BLOCK + number * GF_IIR_PART + 4 * quad;
    }
    /* Begins to load a part, if there is one. */
    __device__ __forceinline__ void load(int number) const
    {
        if (number < PARTS) {
            load_part(number);
        }
        gf_cp_async_commit();
    }
    /* The part that was loaded before the last one. */
    __device__ __forceinline__ float *use(int number) const
    {
        gf_cp_async_wait<1>();
        gf_syncwarp();
        return place_of(number);
    }
    __device__ __forceinline__ void load_part(int number) const
    {
        float *own = place_of(number);
        const float *in = at.p.in + at.channel * at.p.in_pitch + at.from;
        const int lane = static_cast<int>(gf_lane());
        if (inside && at.p.wide_in) {
            GF_UNROLL
            for (int i = 0; i < PIECES; i++) {
                const int row = (lane + i * GF_WARP) / GF_IIR_QUADS, quad = lane % GF_IIR_QUADS;
                gf_cp_async<16>(gf_iir_quad(own, row, quad), in + first_of(number, row, quad));
            }
        } else {
#pragma unroll 4
            for (int id = lane; id < PART; id += GF_WARP) { /* nobody waits before the last one */
                const int row = id / GF_IIR_PART, i = first_of(number, row, 0) + id % GF_IIR_PART;
                float *to = gf_iir_quad(own, row, id / 4 % GF_IIR_QUADS) + id % 4;
                if (at.from + i >= 0 && at.from + i < at.p.count) {
                    gf_cp_async<4>(to, in + i);
                } else {
                    *to = 0.0F;
                }
            }
        }
    }
    __device__ __forceinline__ void store(int number) const
    {
        float *own = place_of(number);
        float *out = at.p.out + at.channel * at.p.out_pitch + at.from;
        const int lane = static_cast<int>(gf_lane());
        gf_syncwarp();
        if (inside && at.p.wide_out) {
            GF_UNROLL
            for (int i = 0; i < PIECES; i++) {
                const int row = (lane + i * GF_WARP) / GF_IIR_QUADS, quad = lane % GF_IIR_QUADS;
                gf_store16(out + first_of(number, row, quad), gf_load16(gf_iir_quad(own, row, quad)));
            }
        } else {
#pragma unroll 1
            for (int id = lane; id < PART; id += GF_WARP) {
                const int row = id / GF_IIR_PART, i = first_of(number, row, 0) + id % GF_IIR_PART;
                if (at.from + i >= 0 && at.from + i < at.p.count) {
                    out[i] = gf_iir_quad(own, row, id / 4 % GF_IIR_QUADS)[id % 4];
                }
            }
        }
    }
};

#endif
