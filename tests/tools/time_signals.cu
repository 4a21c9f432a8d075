/* Times the kernels along time on CUDA device 0: 2^26 frames of one channel in its memory, best of 20 by
 * events, beside a device copy of the same bytes in the same run. The first 128 frames, with which tables are
 * uploaded, are not timed.
 *   cmake --build BUILD --target time_signals && BUILD/time_signals */
#include "signal/iir_make.h"
#include "signal/signal.h"
#include "signal/signal_args.h"
#include "signal/stft.h"

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 20, AHEAD = GF_SIGNAL_STEP, TAPS = 255, PHASES = 160, PHASE_TAPS = 208, FAST_TAPS = 64 };
static const int64_t frames = INT64_C(1) << 26;
static float *in, *out;

static void need(bool well, const char *what)
{
    if (!well) {
        fprintf(stderr, "time_signals: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
}

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    need(cudaMalloc(&memory, bytes + 16) == cudaSuccess, "cudaMalloc");
    return memory;
}

/* Microseconds of what `run` queues on the default stream. */
template <class Run, class Before> static double best_of(Before before, Run run)
{
    cudaEvent_t begin, end;
    double best = 1e30;
    need(!cudaEventCreate(&begin) && !cudaEventCreate(&end), "cudaEventCreate");
    for (int turn = 0; turn < TURNS + 3; turn++) { /* three to warm up */
        float ms = 0;
        before();
        cudaEventRecord(begin);
        run();
        cudaEventRecord(end);
        need(!cudaEventSynchronize(end) && !cudaEventElapsedTime(&ms, begin, end), "a run");
        best = turn >= 3 && ms * 1000.0 < best ? ms * 1000.0 : best;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

static void time_kernel(const char *name, const struct gf_signal_kernel *kernel, const void *args)
{
    const int64_t length = kernel->length(args, frames);
    const size_t state_bytes = kernel->state_bytes(args),
                 table = kernel->table_bytes ? kernel->table_bytes(args) : 0;
    void *state = device_memory(state_bytes + table),
         *scratch = device_memory(kernel->scratch_bytes(args, length, 1));
    const struct gf_track from = {in, 0, frames, frames};
    const gf_queue queue = {0, NULL};
    gf_error error = GF_ERROR_INIT;
    auto make = [&](int64_t first, int64_t count) {
        const struct gf_track to = {out + first, first, count, length};
        need(kernel->run_cuda(queue, args, state, scratch, &from, frames, &to, 1, &error) == GF_OK,
             error.message);
    };
    const double us = best_of(
        [&] {
            cudaMemsetAsync(state, 0, state_bytes);
            make(0, AHEAD);
            cudaDeviceSynchronize();
        },
        [&] { make(AHEAD, length - AHEAD); });
    printf("%-20s %10.1f\n", name, us);
    cudaFree(state);
    cudaFree(scratch);
}

/* A quarter of a segment from one to the next. */
static void time_spectrograms(void)
{
    static const char *const scales[] = {"db", "power", "magnitude"};
    static const int32_t sizes[] = {256, 512, 1000, 1024, 2048, 4096};
    for (int32_t size : sizes) {
        static double taper[4096];
        for (int32_t i = 0; i < size; i++) {
            taper[i] = 0.5 - 0.5 * cos(6.283185307179586 * i / size);
        }
        struct gf_stft *stft = gf_stft_create(size, size / 4, 0, taper);
        need(stft != NULL, "gf_stft_create");
        for (int32_t scale = 0; scale < (size == 1024 ? 3 : 1); scale++) {
            const struct gf_signal_spectrogram args = {stft, 1, scale, 0, 0.03, 1};
            char name[40];
            snprintf(name, sizeof name, "stft %d %s", size, scales[scale]);
            time_kernel(name, &gf_signal_spectrogram, &args);
        }
        gf_stft_destroy(stft);
    }
}

/* By blocks of transforms. */
static void time_many_taps(const float *tap)
{
    for (int32_t taps = 1023; taps <= 4095; taps = 4 * taps + 3) {
        struct gf_signal_overlap args = {{taps, taps / 2, 0, tap}, 0, NULL};
        char name[40];
        args.stft = gf_signal_overlap_make(&args.fir, NULL);
        need(args.stft != NULL, "gf_signal_overlap_make");
        snprintf(name, sizeof name, "fir, %d taps", taps);
        time_kernel(name, &gf_signal_overlap, &args);
        gf_stft_destroy((void *)args.stft);
    }
}

int main(void)
{
    const size_t bytes = (size_t)frames * sizeof(float);
    float *noise = (float *)malloc(bytes);
    need(noise != NULL, "malloc");
    uint32_t random = 1;
    for (int64_t i = 0; i < frames; i++) {
        random = random * 1664525U + 1013904223U;
        noise[i] = (float)(int32_t)random * 0x1p-31F;
    }
    in = (float *)device_memory(bytes);
    out = (float *)device_memory(2 * bytes + bytes / 64);
    need(!cudaMemcpy(in, noise, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    free(noise);
    printf("%-20s %10s\n%-20s %10.1f\n", "2^26 frames", "us", "copy",
           best_of([] {}, [&] { cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice); }));

    struct gf_section sections[4];
    for (int i = 0; i < 4; i++) {
        sections[i] = {0.2, 0.3, 0.2, -1.2 - 0.03 * i, 0.5 + 0.02 * i};
    }
    for (int count = 1; count <= 4; count *= 2) {
        struct gf_signal_iir_made *made = NULL;
        char name[32];
        need(gf_signal_iir_make(count, sections, &made, NULL) == GF_OK, "gf_signal_iir_make");
        struct gf_signal_iir iir = {};
        iir.count = count;
        iir.made = made;
        snprintf(name, sizeof name, "iir, %d sections", count);
        time_kernel(name, &gf_signal_iir, &iir);
        free(made);
    }
    static float tap[TAPS], phase[PHASES * PHASE_TAPS];
    for (int i = 0; i < TAPS; i++) {
        tap[i] = sinf(i * 0.1F) / (1 + i);
    }
    for (int i = 0; i < PHASES * PHASE_TAPS; i++) {
        phase[i] = cosf(i * 0.01F) / PHASE_TAPS;
    }
    const struct gf_signal_fir fir63 = {63, 31, 0, tap}, fir255 = {TAPS, 127, 0, tap};
    time_kernel("fir, 63 taps", &gf_signal_fir, &fir63);
    time_kernel("fir, 255 taps", &gf_signal_fir, &fir255);
    const struct gf_signal_resample resample = {PHASES, 147, PHASE_TAPS, PHASE_TAPS / 2, phase};
    time_kernel("resample 160/147", &gf_signal_resample, &resample);
    const struct gf_signal_resample fast = {PHASES, 147, FAST_TAPS, FAST_TAPS / 2, phase};
    time_kernel("... fast", &gf_signal_resample, &fast);
    const struct gf_signal_rank median = {7, 3};
    time_kernel("median of 7", &gf_signal_rank, &median);
    const struct gf_signal_gain gain = {0.5F, 0.1F};
    time_kernel("gain", &gf_signal_gain, &gain);
    time_spectrograms();
    time_many_taps(phase);
    return 0;
}
