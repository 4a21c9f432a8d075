/* The emulator's runtime: calls that are counted and made to fail, memory, streams, limits, coverage. */
#include "check.h"

#include "emu.h"
#include "emu_control.h"
#include "emu_selftest.h"

#include "base/cuda_status.h"

#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/* Allocates, copies, launches, frees: the first status that is not 0. */
static int work(uint32_t n)
{
    uint32_t *memory = nullptr, host[4] = {1, 2, 3, 4}, sum = 0;
    int status = cudaMalloc(&memory, 6 * sizeof *memory);
    status = status != 0 ? status : cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    status = status != 0 ? status : selftest_reduce({memory, memory + 4, memory + 5, n});
    status = status != 0 ? status : cudaMemcpy(&sum, memory + 4, sizeof sum, cudaMemcpyDeviceToHost);
    const int freed = cudaFree(memory);
    CHECK(status != 0 || sum == (n == 4 ? 10 : 0));
    return status != 0 ? status : freed;
}

static void counts_and_fails(void)
{
    gf_emu_fail_call(0, 0, false);
    CHECK_EQ_INT(work(4), cudaSuccess);
    const long calls = gf_emu_calls();
    CHECK_EQ_INT(calls, 6); /* allocation, copy, set, launch, synchronise, copy */
    for (long n = 1; n <= calls; n++) {
        gf_emu_fail_call(n, 0, false);
        CHECK_EQ_INT(work(4), n == 1 ? cudaErrorMemoryAllocation : cudaErrorUnknown);
        gf_emu_fail_call(n, cudaErrorInvalidDevice, false);
        CHECK_EQ_INT(work(4), cudaErrorInvalidDevice);
        CHECK_EQ_INT(gf_emu_leaked(), 0);
        CHECK_EQ_INT(cudaGetLastError(), cudaErrorInvalidDevice);
        CHECK_EQ_INT(cudaGetLastError(), cudaSuccess);
        CHECK_EQ_INT(work(4), cudaSuccess);
    }
}

static void loses_the_device(void)
{
    static const int sticky[] = {214, 700, 702, 710, 714, 716, 719};
    for (int error : sticky) {
        uint32_t *p = nullptr;
        cudaStream_t stream = nullptr;
        gf_emu_fail_call(0, 0, false);
        CHECK_EQ_INT(cudaMalloc(&p, 8), cudaSuccess);
        CHECK_EQ_INT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        CHECK_EQ_INT(gf_emu_leaked(), 9);
        gf_emu_fail_call(1, error, false);
        CHECK_EQ_INT(cudaDeviceSynchronize(), error);
        CHECK_EQ_INT(cudaGetLastError(), error);
        CHECK_EQ_INT(cudaGetLastError(), error);
        CHECK_EQ_INT(work(4), error);
        CHECK_EQ_INT(cudaMemsetAsync(p, 0, 8), error);
        CHECK_EQ_INT(cudaStreamDestroy(stream), error);
        CHECK_EQ_INT(cudaFree(p), error);
        CHECK_EQ_INT(gf_emu_leaked(), 0);
        gf_emu_reset();
        CHECK_EQ_INT(work(4), cudaSuccess);
    }
}

static void fails_from_then_on(void)
{
    uint32_t *p = nullptr, *q = nullptr;
    CHECK_EQ_INT(cudaMalloc(&p, 8), cudaSuccess);
    gf_emu_fail_call(2, 0, true);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaErrorUnknown);
    CHECK_EQ_INT(cudaMalloc(&q, 8), cudaErrorMemoryAllocation);
    CHECK_EQ_INT(cudaFree(p), cudaErrorUnknown);
    CHECK_EQ_INT(gf_emu_calls(), 3);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
    gf_emu_reset();
    gf_emu_fail_call(1, cudaErrorInvalidValue, true);
    CHECK_EQ_INT(cudaMalloc(&q, 8), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaErrorInvalidValue);
    gf_emu_reset();
    CHECK_EQ_INT(work(4), cudaSuccess);
    CHECK(!gf_emu_allocating());
}

/* A launch that faults loses the device as well. */
static void faults_stick(void)
{
    uint32_t *p = nullptr;
    gf_emu_options.keep_going = true;
    cudaMalloc(&p, 64 * sizeof *p);
    CHECK_EQ_INT(fault_early_exit({p, p, p, 64}), cudaErrorLaunchFailure);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    CHECK_STR_HAS(gf_emu_fault(), "divergent");
    CHECK_EQ_INT(cudaFree(p), cudaErrorLaunchFailure);
    gf_emu_reset();
    CHECK_STR(gf_emu_fault(), "");
    CHECK_EQ_INT(work(4), cudaSuccess);
}

static void refuses_limits(void)
{
    void *p = nullptr;
    size_t room = 0, all = 0;
    CHECK_EQ_INT(fault_block_too_large({nullptr, nullptr, nullptr, 0}), cudaErrorInvalidConfiguration);
    CHECK_EQ_INT(gf_blocks(0, 256), 0);
    CHECK_EQ_INT(gf_blocks(257, 256), 2);
    CHECK_EQ_INT(gf_blocks(INT64_MAX, 1), UINT32_MAX);
    CHECK_EQ_INT(work(0), cudaSuccess); /* no blocks */
    CHECK_EQ_INT(cudaMemGetInfo(&room, &all), cudaSuccess);
    CHECK_EQ_INT(room, all);
    CHECK_EQ_INT(cudaMalloc(&p, all + 1), cudaErrorMemoryAllocation);
    CHECK_EQ_INT(cudaMalloc(&p, 1000), cudaSuccess);
    CHECK_EQ_INT(cudaMemGetInfo(&room, &all), cudaSuccess);
    CHECK_EQ_INT(all - room, 1000);
    CHECK_EQ_INT(cudaFreeHost(p), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaFree(p), cudaSuccess);
    CHECK_EQ_INT(cudaSetDevice(1), cudaErrorInvalidDevice);
}

static void checks_copies(void)
{
    char host[80] = {0}, *device = nullptr;
    CHECK_EQ_INT(cudaMalloc(&device, 64), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy(device + 1, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy(host, host, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy(device, device, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy2DAsync(device, 20, host, 16, 4, 4, cudaMemcpyHostToDevice), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpy2DAsync(device, 21, host, 16, 4, 4, cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaMemcpy2DAsync(device, 3, host, 16, 4, 4, cudaMemcpyHostToDevice),
                 cudaErrorInvalidPitchValue);
    CHECK_EQ_INT(cudaMemsetAsync(device + 60, 0, 5), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaFree(device + 1), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaFree(device), cudaSuccess);
    CHECK_EQ_INT(cudaFree(device), cudaErrorInvalidValue);
}

static void streams_and_events(void)
{
    cudaStream_t stream = nullptr;
    cudaEvent_t a = nullptr, b = nullptr;
    float milliseconds = -1.0F;
    CHECK_EQ_INT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    CHECK_EQ_INT(cudaEventCreateWithFlags(&a, cudaEventDefault), cudaSuccess);
    CHECK_EQ_INT(cudaEventCreateWithFlags(&b, cudaEventDefault), cudaSuccess);
    CHECK_EQ_INT(gf_emu_leaked(), 3);
    CHECK_EQ_INT(cudaEventRecord(a, stream), cudaSuccess);
    CHECK_EQ_INT(work(4), cudaSuccess);
    CHECK_EQ_INT(cudaEventRecord(b, stream), cudaSuccess);
    CHECK_EQ_INT(cudaStreamWaitEvent(stream, b), cudaSuccess);
    CHECK_EQ_INT(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQ_INT(cudaEventElapsedTime(&milliseconds, a, b), cudaSuccess);
    CHECK(milliseconds > 0.0F && milliseconds < 60000.0F);
    CHECK_EQ_INT(cudaEventDestroy(a), cudaSuccess);
    CHECK_EQ_INT(cudaEventDestroy(b), cudaSuccess);
    CHECK_EQ_INT(cudaStreamDestroy(stream), cudaSuccess);
    CHECK_EQ_INT(cudaStreamDestroy(stream), cudaErrorInvalidValue);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
}

/* A copy between a device and pinned memory is made when somebody waits for it, or for what is behind it. */
static void copies_wait(void)
{
    cudaStream_t s = nullptr, other = nullptr;
    cudaEvent_t between = nullptr;
    char *pinned = nullptr, *device = nullptr, registered[8] = {1, 1, 1, 1, 1, 1, 1, 1}, host[8];
    CHECK_EQ_INT(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
    CHECK_EQ_INT(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    CHECK_EQ_INT(cudaEventCreateWithFlags(&between, cudaEventDefault), cudaSuccess);
    CHECK_EQ_INT(cudaHostAlloc(&pinned, 8, cudaHostAllocPortable), cudaSuccess);
    CHECK_EQ_INT(cudaMalloc(&device, 16), cudaSuccess);
    CHECK_EQ_INT(cudaHostRegister(registered, 8, cudaHostRegisterPortable), cudaSuccess);
    CHECK_EQ_INT(cudaMemsetAsync(device, 0, 16, s), cudaSuccess);
    memset(pinned, 2, 8);
    CHECK_EQ_INT(cudaMemcpyAsync(device, pinned, 8, cudaMemcpyHostToDevice, s), cudaSuccess);
    CHECK_EQ_INT(cudaEventRecord(between, s), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpyAsync(device + 8, registered, 8, cudaMemcpyHostToDevice, s), cudaSuccess);
    CHECK_EQ_INT(cudaStreamSynchronize(other), cudaSuccess);
    CHECK_EQ_INT(device[0], 0);
    CHECK_EQ_INT(cudaEventSynchronize(between), cudaSuccess);
    CHECK_EQ_INT(device[0], 2);
    CHECK_EQ_INT(device[8], 0);
    memset(registered, 3, 8); /* too early: the copy takes what it finds */
    CHECK_EQ_INT(cudaMemcpyAsync(host, device + 8, 8, cudaMemcpyDeviceToHost, s), cudaSuccess);
    CHECK_EQ_INT(host[0], 3);
    CHECK_EQ_INT(cudaMemcpyAsync(pinned, device + 8, 8, cudaMemcpyDeviceToHost, s), cudaSuccess);
    CHECK_EQ_INT(pinned[0], 2);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ_INT(pinned[0], 3);
    CHECK_EQ_INT(cudaHostUnregister(registered), cudaSuccess);
    CHECK_EQ_INT(cudaFreeHost(pinned), cudaSuccess);
    CHECK_EQ_INT(cudaFree(device), cudaSuccess);
    CHECK_EQ_INT(cudaEventDestroy(between), cudaSuccess);
    CHECK_EQ_INT(cudaStreamDestroy(s), cudaSuccess);
    CHECK_EQ_INT(cudaStreamDestroy(other), cudaSuccess);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
}

static void knows_memory(void)
{
    char host[16], *pinned = nullptr, *device = nullptr;
    cudaPointerAttributes a;
    CHECK_EQ_INT(cudaHostAlloc(&pinned, 8, cudaHostAllocPortable), cudaSuccess);
    CHECK_EQ_INT(cudaMalloc(&device, 8), cudaSuccess);
    CHECK_EQ_INT(cudaHostRegister(host + 4, 8, cudaHostRegisterPortable), cudaSuccess);
    CHECK_EQ_INT(cudaHostRegister(host, 5, cudaHostRegisterPortable), cudaErrorHostMemoryAlreadyRegistered);
    CHECK_EQ_INT(cudaHostRegister(device, 8, cudaHostRegisterPortable), cudaErrorInvalidValue);
    CHECK(cudaPointerGetAttributes(&a, pinned + 7) == cudaSuccess && a.type == cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&a, device + 7) == cudaSuccess && a.type == cudaMemoryTypeDevice);
    CHECK(cudaPointerGetAttributes(&a, host + 11) == cudaSuccess && a.type == cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&a, host + 3) == cudaSuccess && a.type == cudaMemoryTypeUnregistered);
    CHECK(cudaPointerGetAttributes(&a, host + 12) == cudaSuccess && a.type == cudaMemoryTypeUnregistered);
    CHECK_EQ_INT(gf_emu_leaked(), 17);
    CHECK_EQ_INT(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
    CHECK_EQ_INT(cudaHostUnregister(host + 4), cudaSuccess);
    CHECK_EQ_INT(cudaFreeHost(device), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaFreeHost(pinned), cudaSuccess);
    CHECK_EQ_INT(cudaFree(device), cudaSuccess);
}

/* Memory, streams and events are those of the device that was current, and of no other. */
static void two_devices(void)
{
    int n = 0, now = -1;
    char host[8] = {0}, *first = nullptr, *second = nullptr;
    cudaStream_t s = nullptr;
    cudaEvent_t e = nullptr;
    gf_emu_options.devices = 2;
    CHECK(cudaGetDeviceCount(&n) == cudaSuccess && n == 2);
    CHECK_EQ_INT(cudaMalloc(&first, 8), cudaSuccess);
    CHECK_EQ_INT(cudaEventCreateWithFlags(&e, cudaEventDefault), cudaSuccess);
    CHECK_EQ_INT(cudaSetDevice(2), cudaErrorInvalidDevice);
    CHECK_EQ_INT(cudaSetDevice(1), cudaSuccess);
    CHECK(cudaGetDevice(&now) == cudaSuccess && now == 1);
    CHECK_EQ_INT(cudaMalloc(&second, 8), cudaSuccess);
    CHECK_EQ_INT(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpyAsync(second, host, 8, cudaMemcpyHostToDevice, s), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpyAsync(first, host, 8, cudaMemcpyHostToDevice, s), cudaErrorInvalidValue);
    CHECK_EQ_INT(cudaEventRecord(e, s), cudaErrorInvalidResourceHandle);
    CHECK_EQ_INT(cudaSetDevice(0), cudaSuccess);
    CHECK_EQ_INT(cudaMemcpyAsync(first, host, 8, cudaMemcpyHostToDevice, s), cudaErrorInvalidResourceHandle);
    CHECK_EQ_INT(cudaStreamDestroy(s), cudaSuccess);
    CHECK_EQ_INT(cudaEventDestroy(e), cudaSuccess);
    CHECK_EQ_INT(cudaFree(first), cudaSuccess);
    CHECK_EQ_INT(cudaFree(second), cudaSuccess);
    gf_emu_options.devices = 0;
}

static void maps_errors(void)
{
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_cuda_fail(&error, "cudaMalloc(&p, 10)", cudaErrorMemoryAllocation), GF_ERROR_MEMORY);
    CHECK_STR(error.message, "cudaMalloc: out of memory (CUDA error 2)");
    CHECK_EQ_INT(gf_cuda_fail(&error, "gf_several(c, w)", cudaErrorLaunchFailure), GF_STATUS_LOST);
    CHECK_STR(error.message, "kernel gf_several: unspecified launch failure (CUDA error 719)");
    CHECK_EQ_INT(error.code, GF_ERROR_DEVICE);
    CHECK_EQ_INT(gf_cuda_fail(NULL, "cudaMalloc", cudaErrorNoDevice), GF_ERROR_DEVICE);
}

static __global__ void gf_small(int) {}

static __global__ void gf_large(int) {}

static gf_status launch_either(bool large, gf_error *error)
{
    struct gf_launch c = {};
    c.grid = dim3(1);
    c.block = dim3(1);
    GF_CUDA_TRY(error, large ? GF_LAUNCH(gf_large, c, 1) : GF_LAUNCH(gf_small, c, 1));
    return GF_OK;
}

static void names_the_kernel_that_failed(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_emu_fail_call(1, cudaErrorInvalidConfiguration, false);
    CHECK_EQ_INT(launch_either(false, &error), GF_ERROR_INTERNAL);
    CHECK_STR(error.message, "kernel gf_small: invalid configuration argument (CUDA error 9)");
    gf_emu_fail_call(0, 0, false);
    CHECK_EQ_INT(gf_cuda_fail(&error, "cudaMalloc(&p, 10)", cudaErrorInvalidConfiguration),
                 GF_ERROR_INTERNAL);
    CHECK_STR(error.message, "cudaMalloc: invalid configuration argument (CUDA error 9)");
}

/* Runs this program again as PROGRAM CASE with the variable set; returns the case's own exit status. */
static int again(const char *variable, const char *value, const char *name)
{
    int status = -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, value, 1);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execl("/proc/self/exe", "test_emu_shim", name, static_cast<char *>(NULL));
        _exit(127);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void fails_from_the_environment(void)
{
    const char *set = getenv("GF_EMU_FAIL");
    if (set == NULL) {
        CHECK_EQ_INT(again("GF_EMU_FAIL", "3", "by GF_EMU_FAIL"), 0);
        CHECK_EQ_INT(again("GF_EMU_FAIL", "3:700", "by GF_EMU_FAIL"), 0);
        CHECK_EQ_INT(again("GF_EMU_FAIL", "3:1:on", "by GF_EMU_FAIL"), 0);
        return;
    }
    const std::string value = set;
    const int error = value == "3"       ? cudaErrorUnknown
                      : value == "3:700" ? cudaErrorIllegalAddress
                                         : cudaErrorInvalidValue;
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ_INT(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ_INT(cudaDeviceSynchronize(), error);
    CHECK_EQ_INT(cudaDeviceSynchronize(), value == "3" ? cudaSuccess : error);
}

static void writes_coverage(void)
{
    char path[] = "/tmp/emu-coverage-XXXXXX", line[100];
    int launches = 0, schedules = 0;
    if (getenv("GF_EMU_COVERAGE") != NULL) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            gf_emu_options.seed = seed / 2; /* 0, 0, 1, 1, 2 */
            work(4);
        }
        gf_emu_options.seed = 0;
        return;
    }
    close(mkstemp(path));
    CHECK_EQ_INT(again("GF_EMU_COVERAGE", path, "coverage"), 0);
    CHECK_EQ_INT(again("GF_EMU_COVERAGE", path, "coverage"), 0);
    FILE *file = fopen(path, "r");
    for (int i = 0; i < 2; i++) {
        CHECK(fscanf(file, "%d %d %99s", &launches, &schedules, line) == 3);
        CHECK_EQ_INT(launches, 5);
        CHECK_EQ_INT(schedules, 4);
        CHECK_STR(line, "reduce_kernel");
    }
    fclose(file);
    unlink(path);
}

static const struct check_case cases[] = {
    {"calls are counted, and fail", counts_and_fails},
    {"a lost device", loses_the_device},
    {"failing from then on", fails_from_then_on},
    {"failing by GF_EMU_FAIL", fails_from_the_environment},
    {"faults stick", faults_stick},
    {"limits", refuses_limits},
    {"copies stay inside", checks_copies},
    {"streams and events", streams_and_events},
    {"copies wait", copies_wait},
    {"kinds of memory", knows_memory},
    {"two devices", two_devices},
    {"CUDA errors", maps_errors},
    {"the kernel that failed has its name in the message", names_the_kernel_that_failed},
    {"coverage", writes_coverage},
};
CHECK_MAIN(cases)
