/* What kernels along time on CUDA share: how they read a signal beyond its ends, write it, and have tables.
 */
#ifndef GF_SIGNAL_TRACK_CUDA_CUH
#define GF_SIGNAL_TRACK_CUDA_CUH

#include "base/cuda_status.h"
#include "base/gf_cuda.h"
#include "base/gf_num.h"
#include "signal/signal_cuda.h"

/* Frames [first, first + count) of channel 0 lie at `data`; those of channel c a pitch further each. */
struct gf_source {
    const float *data;
    int64_t first, count, pitch;
    int64_t frames; /* of the whole signal; INT64_MAX while there is no end */
    bool edge;      /* outside the signal: the frame at its edge; else 0 */
    bool wide;      /* frame `first` of each channel is aligned to 16 bytes */
};
struct gf_sink {
    float *data;
    int64_t first, count, pitch;
    bool wide;
};

static inline struct gf_source gf_source_of(const struct gf_track *in, int64_t frames, bool edge)
{
    return {in->data,
            in->first,
            in->count,
            in->pitch,
            frames < 0 ? INT64_MAX : frames,
            edge,
            reinterpret_cast<uintptr_t>(in->data) % 16 == 0 && in->pitch % 4 == 0};
}

static inline struct gf_sink gf_sink_of(const struct gf_track *out, int32_t channels)
{
    return {out->data, out->first, out->count, out->pitch,
            reinterpret_cast<uintptr_t>(out->data) % 16 == 0 && (out->pitch % 4 == 0 || channels == 1)};
}

/* x: in.data of the channel. Frames of the signal that are not there are 0: no output that is kept reads
 * them. */
GF_DEVICE_FN float gf_source_frame(const struct gf_source &in, const float *x, int64_t i)
{
    if (in.edge) {
        i = i < 0 ? 0 : i < in.frames ? i : in.frames - 1;
    }
    return i >= in.first && i - in.first < in.count && i < in.frames ? x[i - in.first] : 0.0F;
}

/* Stores those of the four frames from `first` on that are the call's, and not behind `rest`. v is aligned to
 * 16 bytes where it lies in shared memory. */
GF_DEVICE_FN void gf_sink_four(const struct gf_sink &out, int64_t channel, int64_t first, const float *v,
                               int rest = 4)
{
    const int64_t i = first - out.first;
    float *to = out.data + channel * out.pitch + i;
    if (out.wide && i % 4 == 0 && i >= 0 && i + 4 <= out.count && rest >= 4) {
        gf_store16(to, make_uint4(gf_float_bits(v[0]), gf_float_bits(v[1]), gf_float_bits(v[2]),
                                  gf_float_bits(v[3])));
        return;
    }
    GF_UNROLL
    for (int k = 0; k < 4; k++) {
        if (k < rest && i + k >= 0 && i + k < out.count) {
            to[k] = v[k];
        }
    }
}

/* In the call for frame 0: what later ones read of args. */
static inline gf_status gf_upload_table(gf_queue queue, void *to, const void *from, size_t bytes,
                                        const struct gf_track *out, gf_error *error)
{
    if (out->first == 0) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                           static_cast<cudaStream_t>(queue.stream)));
    }
    return GF_OK;
}

#endif
