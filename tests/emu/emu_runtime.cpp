/* The runtime shim: calls that are counted and fail on demand, and the memory that they make. */
#include "emu_block.h"
#include "emu_control.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <utility>
#include <vector>

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

static thread_local int current;

int gf_emu_devices()
{
    static const int asked = [] {
        const char *text = getenv("GF_EMU_DEVICES");
        return text != nullptr ? std::clamp(atoi(text), 0, 8) : 1;
    }();
    return gf_emu_options.devices > 0 ? gf_emu_options.devices : asked;
}

int gf_emu_device() { return current; }

cudaError_t gf_emu_set_device(int device)
{
    return call([=] {
        if (device < 0 || device >= gf_emu_devices()) { return cudaErrorInvalidDevice; }
        current = device;
        return cudaSuccess;
    });
}

struct thing {
    gf_emu_kind kind;
    size_t bytes;
    int device;
};
static std::map<const char *, thing> things;      /* by first byte */
static std::map<const char *, size_t> registered; /* the same of the caller's memory */
static size_t in_use[4];                          /* bytes of each kind; some count as one */

static size_t size_of(const thing &t) { return t.kind == GF_EMU_HANDLE ? 1 : t.bytes; }
size_t gf_emu_room() { return GF_EMU_MEMORY - in_use[GF_EMU_DEVICE]; }
uint64_t gf_emu_leaked(void)
{
    return in_use[GF_EMU_DEVICE] + in_use[GF_EMU_HOST] + in_use[GF_EMU_HANDLE] + in_use[GF_EMU_REGISTERED];
}

/* ---- Copies that wait ---- */

struct owed {
    const gf_emu_handle *stream;
    unsigned long number;
    gf_emu_rows rows;
};
static std::vector<owed> copies; /* in the order in which they were queued */
static unsigned long queued;

static void move(const gf_emu_rows &r)
{
    for (size_t y = 0; y < r.height; y++) {
        memmove(static_cast<char *>(r.to) + y * r.to_pitch,
                static_cast<const char *>(r.from) + y * r.from_pitch, r.width);
    }
}

/* Those of a stream, or of all, up to a number. */
static void make_copies(bool all, const gf_emu_handle *stream, unsigned long last)
{
    const auto is_due = [=](const owed &c) { return (all || c.stream == stream) && c.number <= last; };
    for (const owed &c : copies) {
        if (is_due(c) && !plan.lost) { move(c.rows); }
    }
    copies.erase(std::remove_if(copies.begin(), copies.end(), is_due), copies.end());
}

bool emu_is_here(const gf_emu_handle *handle) { return handle == nullptr || handle->device == current; }
void emu_catch_up(const gf_emu_handle *stream) { make_copies(false, stream, queued); }

cudaError_t gf_emu_wait(cudaStream_t stream)
{
    return call([=] {
        emu_catch_up(stream);
        return cudaSuccess;
    });
}

cudaError_t gf_emu_wait_event(cudaEvent_t event)
{
    return call([=] {
        make_copies(false, event->stream, event->copies);
        return cudaSuccess;
    });
}

cudaError_t gf_emu_wait_all()
{
    return call([] {
        make_copies(true, nullptr, queued);
        return cudaSuccess;
    });
}

cudaError_t gf_emu_record(cudaEvent_t event, cudaStream_t stream)
{
    return call([=] {
        if (!emu_is_here(event) || !emu_is_here(stream)) { return cudaErrorInvalidResourceHandle; }
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        event->milliseconds = std::chrono::duration<double, std::milli>(now).count();
        event->stream = stream;
        event->copies = queued;
        return cudaSuccess;
    });
}

/* ---- Memory ---- */

cudaError_t gf_emu_make(gf_emu_kind kind, size_t bytes, void *made)
{
    char *p = nullptr;
    const auto make = [&] {
        if (bytes == 0) { return cudaSuccess; }
        p = kind != GF_EMU_DEVICE || bytes <= gf_emu_room() ? emu_guarded(bytes) : nullptr;
        if (p == nullptr) { return cudaErrorMemoryAllocation; }
        things[p] = {kind, bytes, current};
        in_use[kind] += size_of(things[p]);
        if (kind == GF_EMU_HANDLE) {
            const gf_emu_handle fresh = {current, 0, nullptr, 0};
            memcpy(p, &fresh, sizeof fresh);
        }
        return cudaSuccess;
    };
    const cudaError_t result =
        call(make, kind == GF_EMU_HANDLE ? cudaErrorUnknown : cudaErrorMemoryAllocation);
    memcpy(made, &p, sizeof p);
    return result;
}

/* Releases even when the device is lost, so that leaks can be told. Waits, as CUDA does. */
cudaError_t gf_emu_release(gf_emu_kind kind, void *made)
{
    cudaError_t result = emu_enter(cudaErrorUnknown, false);
    const char *p = static_cast<char *>(made);
    const auto t = things.find(p);
    make_copies(true, nullptr, queued);
    if (kind == GF_EMU_REGISTERED && registered.erase(p) > 0) {
        in_use[kind]--;
    } else if (t != things.end() && t->second.kind == kind) {
        in_use[kind] -= size_of(t->second);
        emu_unguard(static_cast<char *>(made), t->second.bytes);
        things.erase(t);
    } else if (made != nullptr && result == cudaSuccess) {
        result = kind == GF_EMU_REGISTERED ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue;
    }
    return emu_leave(result);
}

void emu_check_overruns()
{
    for (const auto &[p, t] : things) {
        const char *where = emu_overrun(p, t.bytes);
        if (where != nullptr) { emu_fault(nullptr, "wrote %s a device array of %zu bytes", where, t.bytes); }
    }
}

/* The allocation, of ours, in which the byte lies, or `end`. */
template <class M, class F> static typename M::const_iterator around(const M &map, const void *p, F bytes)
{
    const char *at = static_cast<const char *>(p);
    auto t = map.upper_bound(at);
    return t == map.begin() || at >= (--t)->first + bytes(t->second) ? map.end() : t;
}

static bool is_registered(const void *p)
{
    return around(registered, p, [](size_t bytes) { return bytes; }) != registered.end();
}

static std::map<const char *, thing>::const_iterator thing_around(const void *p)
{
    return around(things, p, [](const thing &t) { return t.bytes; });
}

cudaError_t gf_emu_register(void *memory, size_t bytes)
{
    return call([=] {
        const char *p = static_cast<char *>(memory);
        if (p == nullptr || bytes == 0 || thing_around(p) != things.end()) { return cudaErrorInvalidValue; }
        if (is_registered(p) || is_registered(p + bytes - 1)) { return cudaErrorHostMemoryAlreadyRegistered; }
        registered[p] = bytes;
        in_use[GF_EMU_REGISTERED]++;
        return cudaSuccess;
    });
}

cudaError_t gf_emu_attributes(cudaPointerAttributes *attributes, const void *p)
{
    return call([=] {
        const auto t = thing_around(p);
        const bool ours = t != things.end();
        attributes->device = ours ? t->second.device : -1;
        attributes->type = ours && t->second.kind == GF_EMU_DEVICE ? cudaMemoryTypeDevice
                           : (ours && t->second.kind == GF_EMU_HOST) || is_registered(p)
                               ? cudaMemoryTypeHost
                               : cudaMemoryTypeUnregistered;
        return cudaSuccess;
    });
}

/* Tells whether rows lie in one allocation to their last byte (of the current device), or in none of one. */
static bool lies(const void *p, size_t pitch, size_t width, size_t height, bool on_device)
{
    const auto t = thing_around(p);
    if (t == things.end()) { return !on_device; }
    const size_t room = t->second.bytes - static_cast<size_t>(static_cast<const char *>(p) - t->first);
    const bool right = on_device == (t->second.kind == GF_EMU_DEVICE);
    return right && (!on_device || t->second.device == current) && width <= room &&
           (height == 1 || pitch <= (room - width) / (height - 1));
}

/* Those from or to memory that is not pinned are made at once. */
static bool may_wait(const gf_emu_rows &r)
{
    const void *host = r.kind == cudaMemcpyHostToDevice ? r.from : r.to;
    const auto t = thing_around(host);
    return r.kind != cudaMemcpyDeviceToDevice &&
           ((t != things.end() && t->second.kind == GF_EMU_HOST) || is_registered(host));
}

static const std::thread::id first_thread = std::this_thread::get_id();

cudaError_t gf_emu_copy(const gf_emu_rows &r, cudaStream_t stream, bool waits)
{
    if (gf_emu_options.delay > 0 && std::this_thread::get_id() != first_thread) {
        std::this_thread::sleep_for(std::chrono::milliseconds(gf_emu_options.delay));
    }
    return call([&] {
        if (r.width == 0 || r.height == 0) { return cudaSuccess; }
        if (r.width > r.to_pitch || r.width > r.from_pitch) { return cudaErrorInvalidPitchValue; }
        if (!emu_is_here(stream)) { return cudaErrorInvalidResourceHandle; }
        if (!lies(r.to, r.to_pitch, r.width, r.height, (r.kind & cudaMemcpyHostToDevice) != 0) ||
            !lies(r.from, r.from_pitch, r.width, r.height, (r.kind & cudaMemcpyDeviceToHost) != 0)) {
            return cudaErrorInvalidValue;
        }
        copies.push_back({stream, ++queued, r});
        if (waits || !may_wait(r)) { emu_catch_up(stream); }
        return cudaSuccess;
    });
}

cudaError_t gf_emu_set(void *p, int value, size_t bytes, cudaStream_t stream)
{
    return call([&] {
        if (bytes == 0) { return cudaSuccess; }
        if (!emu_is_here(stream)) { return cudaErrorInvalidResourceHandle; }
        if (!lies(p, bytes, bytes, 1, true)) { return cudaErrorInvalidValue; }
        emu_catch_up(stream);
        memset(p, value, bytes);
        return cudaSuccess;
    });
}
