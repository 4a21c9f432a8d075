/* The runtime shim: calls that are counted and fail on demand, and the memory that they make. */
#include "emu_block.h"
#include "emu_control.h"

#include <chrono>
#include <map>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <utility>

static std::mutex lock; /* of all below; held during a call or launch */
static thread_local int inside;
static thread_local cudaError_t last_error;

static struct {
    long calls, failing;
    cudaError_t error, lost_to; /* of the failing call; of all, once `lost`; 0: what is usual there */
    bool from_then_on, lost;
} plan;

cudaError_t emu_enter(cudaError_t usual, bool counted)
{
    lock.lock();
    inside++;
    const bool chosen = counted && ++plan.calls == plan.failing;
    plan.lost |= chosen && plan.from_then_on;
    const cudaError_t error = plan.lost ? plan.lost_to : plan.error;
    return !chosen && !plan.lost ? cudaSuccess : error != cudaSuccess ? error : usual;
}

cudaError_t emu_leave(cudaError_t result)
{
    const int e = result;
    if (e == 214 || e == 220 || e == 700 || e == 702 || e == 710 || (e >= 714 && e <= 719)) {
        plan.lost = true; /* after these a CUDA context is of no use any more */
        plan.lost_to = result;
    }
    last_error = result != cudaSuccess ? result : last_error;
    inside--;
    lock.unlock();
    return result;
}

template <class F> static cudaError_t call(F work, cudaError_t usual = cudaErrorUnknown)
{
    const cudaError_t failure = emu_enter(usual);
    return emu_leave(failure == cudaSuccess ? work() : failure);
}

cudaError_t gf_emu_call(cudaError_t result)
{
    return call([=] { return result; });
}

const char *cudaGetErrorString(cudaError_t error)
{
#define GF_EMU_ERROR(name, number, text) error == name ? text:
    return GF_EMU_ERRORS(GF_EMU_ERROR) "unrecognized error code";
#undef GF_EMU_ERROR
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = std::exchange(last_error, cudaSuccess);
    return plan.lost && plan.lost_to != cudaSuccess ? plan.lost_to : error;
}

void gf_emu_reset(void)
{
    plan.lost = false;
    last_error = cudaSuccess;
    emu_report[0] = '\0';
}

void gf_emu_fail_call(long n, int error, bool from_then_on)
{
    const cudaError_t e = static_cast<cudaError_t>(error);
    plan = {0, n, e, plan.lost ? plan.lost_to : e, from_then_on, plan.lost};
}

static const bool from_environment = [] {
    const char *text = getenv("GF_EMU_FAIL");
    long n = 0;
    int error = 0, on = 0;
    if (text != nullptr && sscanf(text, "%ld:%d:on%n", &n, &error, &on) > 0) {
        gf_emu_fail_call(n, error, on);
    }
    return true;
}();

long gf_emu_calls(void) { return plan.calls; }
bool gf_emu_allocating(void) { return inside > 0; }

struct thing {
    gf_emu_kind kind;
    size_t bytes;
};
static std::map<const char *, thing> things; /* by first byte */
static size_t in_use[3];                     /* bytes of each kind; a handle counts as one */

size_t gf_emu_room() { return GF_EMU_MEMORY - in_use[GF_EMU_DEVICE]; }
uint64_t gf_emu_leaked(void) { return in_use[GF_EMU_DEVICE] + in_use[GF_EMU_HOST] + in_use[GF_EMU_HANDLE]; }

cudaError_t gf_emu_make(gf_emu_kind kind, size_t bytes, void *made)
{
    char *p = nullptr;
    const auto make = [&] {
        if (bytes == 0) { return cudaSuccess; }
        p = kind != GF_EMU_DEVICE || bytes <= gf_emu_room() ? emu_guarded(bytes) : nullptr;
        if (p == nullptr) { return cudaErrorMemoryAllocation; }
        things[p] = {kind, bytes};
        in_use[kind] += kind == GF_EMU_HANDLE ? 1 : bytes;
        return cudaSuccess;
    };
    const cudaError_t result =
        call(make, kind == GF_EMU_HANDLE ? cudaErrorUnknown : cudaErrorMemoryAllocation);
    memcpy(made, &p, sizeof p);
    return result;
}

/* Releases even when the device is lost, so that leaks can be told. */
cudaError_t gf_emu_release(gf_emu_kind kind, void *made)
{
    cudaError_t result = emu_enter(cudaErrorUnknown, false);
    const auto t = things.find(static_cast<char *>(made));
    if (t != things.end() && t->second.kind == kind) {
        in_use[kind] -= kind == GF_EMU_HANDLE ? 1 : t->second.bytes;
        emu_unguard(static_cast<char *>(made), t->second.bytes);
        things.erase(t);
    } else if (made != nullptr && result == cudaSuccess) {
        result = cudaErrorInvalidValue;
    }
    return emu_leave(result);
}

double gf_emu_milliseconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

void emu_check_overruns()
{
    for (const auto &[p, t] : things) {
        const char *where = emu_overrun(p, t.bytes);
        if (where != nullptr) { emu_fault(nullptr, "wrote %s a device array of %zu bytes", where, t.bytes); }
    }
}

/* Whether rows lie in one allocation to their last byte (of the device), or in none of the device's. */
static bool lies(const void *p, size_t pitch, size_t width, size_t height, bool on_device)
{
    const char *at = static_cast<const char *>(p);
    auto t = things.upper_bound(at);
    if (t == things.begin() || at >= (--t)->first + t->second.bytes) { return !on_device; }
    const size_t room = t->second.bytes - static_cast<size_t>(at - t->first);
    return on_device == (t->second.kind == GF_EMU_DEVICE) && width <= room &&
           (height == 1 || pitch <= (room - width) / (height - 1));
}

cudaError_t gf_emu_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, cudaMemcpyKind kind)
{
    return call([&] {
        if (width == 0 || height == 0) { return cudaSuccess; }
        if (width > to_pitch || width > from_pitch) { return cudaErrorInvalidPitchValue; }
        if (!lies(to, to_pitch, width, height, (kind & cudaMemcpyHostToDevice) != 0) ||
            !lies(from, from_pitch, width, height, (kind & cudaMemcpyDeviceToHost) != 0)) {
            return cudaErrorInvalidValue;
        }
        for (size_t y = 0; y < height; y++) {
            memmove(static_cast<char *>(to) + y * to_pitch, static_cast<const char *>(from) + y * from_pitch,
                    width);
        }
        return cudaSuccess;
    });
}

cudaError_t gf_emu_set(void *p, int value, size_t bytes)
{
    return call([&] {
        if (bytes == 0) { return cudaSuccess; }
        if (!lies(p, bytes, bytes, 1, true)) { return cudaErrorInvalidValue; }
        memset(p, value, bytes);
        return cudaSuccess;
    });
}
