/* Matrices of floats read through the texture units: memory of the device as a two-dimensional texture of
 * pitched rows, elements as they are, and what lies outside clamped to the edge. In the emulator plain reads.
 */
#pragma once

#include "base/gf_cuda.h"

/* What CUDA asks of such memory, on every device: bytes that the base and the rows are multiples of, and the
 * greatest size in elements. */
enum { GF_TEXTURE_BASE = 512, GF_TEXTURE_PITCH = 32, GF_TEXTURE_WIDTH = 131072, GF_TEXTURE_HEIGHT = 65000 };

#ifdef GF_EMU
struct gf_texture {
    const char *base;
    size_t pitch;
    int width, height;
};

static inline cudaError_t gf_texture_create(gf_texture *texture, const void *base, size_t pitch, int width,
                                            int height)
{
    *texture = {static_cast<const char *>(base), pitch, width, height};
    const bool fits = reinterpret_cast<uintptr_t>(base) % GF_TEXTURE_BASE == 0 &&
                      pitch % GF_TEXTURE_PITCH == 0 && width <= GF_TEXTURE_WIDTH &&
                      height <= GF_TEXTURE_HEIGHT;
    return gf_emu_call(fits ? cudaSuccess : cudaErrorInvalidValue);
}

static inline void gf_texture_destroy(const gf_texture &) {}

GF_DEVICE_FN float gf_texture_at(const gf_texture &texture, int x, int y)
{
    x = x < 0 ? 0 : x < texture.width ? x : texture.width - 1;
    y = y < 0 ? 0 : y < texture.height ? y : texture.height - 1;
    return reinterpret_cast<const float *>(texture.base + static_cast<size_t>(y) * texture.pitch)[x];
}
#else
struct gf_texture {
    cudaTextureObject_t object;
};

/* Destroy it when nothing that was queued uses it any more. */
static inline cudaError_t gf_texture_create(gf_texture *texture, const void *base, size_t pitch, int width,
                                            int height)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(base);
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = static_cast<size_t>(width);
    resource.res.pitch2D.height = static_cast<size_t>(height);
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeElementType;
    return cudaCreateTextureObject(&texture->object, &resource, &sampling, nullptr);
}

static inline void gf_texture_destroy(const gf_texture &texture)
{
    (void)cudaDestroyTextureObject(texture.object);
}

GF_DEVICE_FN float gf_texture_at(const gf_texture &texture, int x, int y)
{
    return tex2D<float>(texture.object, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
}
#endif
