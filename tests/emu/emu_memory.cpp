/* The runtime shim: memory and copies. */
#include "emu.h"

#include "emu_control.h"

#include <map>
#include <mutex>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
static const size_t TAIL = 0; /* AddressSanitizer watches the end */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const size_t TAIL = 0;
#else
static const size_t TAIL = 64;
#endif
#else
static const size_t TAIL = 64;
#endif

struct allocation {
    size_t bytes;
    cudaMemoryType type;
};

static std::mutex lock;
static std::map<const char *, allocation> allocations; /* by first byte */
static uint64_t in_use;

/* ---- Memory ----------------------------------------------------------------------------------------- */

/* Words 0xffa5ffa5: a NaN as f32, -91 or 65445 as 16 bits, 165 and 255 as bytes. */
void gf_emu_fill(void *p, size_t bytes)
{
    unsigned char *b = static_cast<unsigned char *>(p);
    const uint32_t word = 0xffa5ffa5u;
    for (size_t i = 0; i < bytes; i += 4) {
        memcpy(b + i, &word, bytes - i < 4 ? bytes - i : 4);
    }
}

static cudaError_t allocate(void **p, size_t bytes, cudaMemoryType type)
{
    EMU_ENTER(cudaErrorMemoryAllocation);
    std::lock_guard<std::mutex> hold(lock);
    *p = nullptr;
    if (bytes == 0) {
        return cudaSuccess;
    }
    const bool device = type == cudaMemoryTypeDevice;
    if ((device && bytes > GF_EMU_MEMORY - in_use) || posix_memalign(p, 256, bytes + TAIL) != 0) {
        *p = nullptr;
        return gf_emu_leave(cudaErrorMemoryAllocation);
    }
    gf_emu_fill(*p, bytes);
    memset(static_cast<char *>(*p) + bytes, 0x5a, TAIL);
    allocations[static_cast<char *>(*p)] = {bytes, type};
    in_use += bytes;
    return cudaSuccess;
}

static bool is_overwritten(const char *p, const allocation &a)
{
    for (size_t i = 0; i < TAIL; i++) {
        if (p[a.bytes + i] != 0x5a) {
            return true;
        }
    }
    return false;
}

const void *gf_emu_overwritten()
{
    std::lock_guard<std::mutex> hold(lock);
    for (auto &a : allocations) {
        if (is_overwritten(a.first, a.second)) {
            memset(const_cast<char *>(a.first) + a.second.bytes, 0x5a, TAIL); /* reported once */
            return a.first;
        }
    }
    return nullptr;
}

static cudaError_t release(void *p, bool device)
{
    const emu_inside in;
    std::lock_guard<std::mutex> hold(lock);
    if (p == nullptr) {
        return gf_emu_released();
    }
    auto a = allocations.find(static_cast<char *>(p));
    if (a == allocations.end() || (a->second.type == cudaMemoryTypeDevice) != device) {
        return gf_emu_leave(cudaErrorInvalidValue);
    }
    in_use -= a->second.bytes;
    gf_emu_fill(p, a->second.bytes);
    allocations.erase(a);
    free(p);
    return gf_emu_released();
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return allocate(p, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t)
{
    return allocate(p, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return allocate(p, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned)
{
    return allocate(p, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaFree(void *p)
{
    return release(p, true);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t)
{
    return release(p, true);
}
cudaError_t cudaFreeHost(void *p)
{
    return release(p, false);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    EMU_ENTER(cudaErrorUnknown);
    std::lock_guard<std::mutex> hold(lock);
    *total = GF_EMU_MEMORY;
    *free_bytes = GF_EMU_MEMORY - (in_use < GF_EMU_MEMORY ? in_use : GF_EMU_MEMORY);
    return cudaSuccess;
}

uint64_t gf_emu_leaked(void)
{
    const uint64_t handles = gf_emu_handles();
    std::lock_guard<std::mutex> hold(lock);
    return in_use + handles;
}

cudaError_t cudaDeviceReset()
{
    std::lock_guard<std::mutex> hold(lock);
    for (auto &a : allocations) {
        free(const_cast<char *>(a.first));
    }
    allocations.clear();
    in_use = 0;
    gf_emu_set_sticky(cudaSuccess);
    return cudaSuccess;
}

/* The allocation that p points into; allocations.end() for memory of the host's own. */
static std::map<const char *, allocation>::const_iterator find(const void *p)
{
    const char *at = static_cast<const char *>(p);
    auto a = allocations.upper_bound(at);
    if (a == allocations.begin()) {
        return allocations.end();
    }
    --a;
    return at < a->first + a->second.bytes ? a : allocations.end();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p)
{
    EMU_ENTER(cudaErrorUnknown);
    std::lock_guard<std::mutex> hold(lock);
    auto a = find(p);
    void *q = const_cast<void *>(p);
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, q};
    if (a != allocations.end()) {
        const bool device = a->second.type == cudaMemoryTypeDevice;
        *attributes = {a->second.type, 0, q, device ? nullptr : q};
    }
    return cudaSuccess;
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

/* Whether rows of memory that should be the device's (or the host's) are, to their last byte. */
static bool is_place(const void *p, size_t pitch, size_t width, size_t height, bool device)
{
    std::lock_guard<std::mutex> hold(lock);
    auto a = find(p);
    if (a == allocations.end()) {
        return !device;
    }
    const size_t offset = static_cast<size_t>(static_cast<const char *>(p) - a->first);
    const size_t room = a->second.bytes - offset;
    const bool right =
        device == (a->second.type == cudaMemoryTypeDevice) || a->second.type == cudaMemoryTypeHost;
    return right && width <= room && (height == 1 || pitch <= (room - width) / (height - 1));
}

static bool is_device(const void *p)
{
    std::lock_guard<std::mutex> hold(lock);
    auto a = find(p);
    return a != allocations.end() && a->second.type == cudaMemoryTypeDevice;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind)
{
    EMU_ENTER(cudaErrorUnknown);
    if (width == 0 || height == 0) {
        return cudaSuccess;
    }
    if (width > to_pitch || width > from_pitch) {
        return gf_emu_leave(cudaErrorInvalidPitchValue);
    }
    const bool guess = kind == cudaMemcpyDefault;
    const bool to_device =
        guess ? is_device(to) : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device =
        guess ? is_device(from) : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!is_place(to, to_pitch, width, height, to_device) ||
        !is_place(from, from_pitch, width, height, from_device)) {
        return gf_emu_leave(cudaErrorInvalidValue);
    }
    for (size_t y = 0; y < height; y++) {
        memmove(static_cast<char *>(to) + y * to_pitch, static_cast<const char *>(from) + y * from_pitch,
                width);
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    EMU_ENTER(cudaErrorUnknown);
    if (width == 0 || height == 0) {
        return cudaSuccess;
    }
    if (width > pitch || !is_place(p, pitch, width, height, true)) {
        return gf_emu_leave(cudaErrorInvalidValue);
    }
    for (size_t y = 0; y < height; y++) {
        memset(static_cast<char *>(p) + y * pitch, value, width);
    }
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t)
{
    return cudaMemset2D(p, pitch, value, width, height);
}

cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    return cudaMemset2D(p, bytes, value, bytes, 1);
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t)
{
    return cudaMemset2D(p, bytes, value, bytes, 1);
}
