/* The kernels of signals on a CUDA device or its emulation beside their judges: as a whole and in pieces of
 * multiples of GF_SIGNAL_STEP frames, in memory that holds no frame more than the piece needs. */
#include "signal_check.h"

#include "gpufilter/device.h"
#include "signal/iir_make.h"
#include "signal/stft.h"

enum { GUARD = 64 }; /* frames in front of and behind what a call writes, which it must leave as they are */

static const gf_queue queue = {0, NULL};

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    gf_error error = GF_ERROR_INIT;
    if (gf_memory_allocate(0, bytes ? bytes : 16, &memory, &error)) {
        printf("Bail out! %s\n", error.message);
        exit(2);
    }
    return memory;
}

static void copy(gf_copy_kind kind, void *to, const void *from, size_t bytes)
{
    gf_error error = GF_ERROR_INIT;
    if (bytes && (gf_memory_copy(queue, kind, to, from, bytes, &error) || gf_queue_wait(queue, &error))) {
        printf("Bail out! %s\n", error.message);
        exit(2);
    }
}

/* One call; what it reads and writes lies `shift` frames off the alignment of memory. */
static void call(const struct gf_signal_kernel *kernel, const void *args, void *state, const float *x,
                 int64_t from, int64_t there, int64_t frames, float *y, int64_t first, int64_t count,
                 int64_t length, int32_t channels, int shift)
{
    const int64_t n = there - from, pitch = count + GUARD;
    const size_t in_bytes = (size_t)(n * channels) * sizeof(float);
    const size_t out_bytes = (size_t)(pitch * channels + 2 * GUARD) * sizeof(float);
    float *in = device_memory(in_bytes + 16), *out = device_memory(out_bytes),
          *back = signal_memory(out_bytes);
    void *scratch = device_memory(kernel->scratch_bytes(args, count, channels));
    gf_error error = GF_ERROR_INIT;
    const struct gf_track input = {in + shift, from, n, n},
                          output = {out + GUARD + shift, first, count, pitch};
    for (int32_t c = 0; c < channels; c++) {
        copy(GF_COPY_UPLOAD, input.data + c * n, x + c * frames + from, (size_t)n * sizeof(float));
    }
    memset(back, 0x55, out_bytes);
    copy(GF_COPY_UPLOAD, out, back, out_bytes);
    CHECK_EQ_INT(kernel->run_cuda(queue, args, state, scratch, &input, there == frames ? frames : -1, &output,
                                  channels, &error),
                 GF_OK);
    copy(GF_COPY_DOWNLOAD, back, out, out_bytes);
    int64_t spoiled = 0;
    for (int64_t i = 0; i < pitch * channels + 2 * GUARD; i++) {
        const int64_t at = i - GUARD - shift, frame = at % pitch;
        uint32_t bits;
        memcpy(&bits, back + i, sizeof bits);
        if (at >= 0 && at / pitch < channels && frame < count) {
            y[at / pitch * length + first + frame] = back[i];
        } else {
            spoiled += bits != 0x55555555U;
        }
    }
    CHECK_MSG(spoiled == 0, "%s: %lld frames outside of the output were written", kernel->name,
              (long long)spoiled);
    gf_memory_release(0, in);
    gf_memory_release(0, out);
    gf_memory_release(0, scratch);
    free(back);
}

/* The whole output in calls that make at most `most` frames; 0: in one. */
static void in_calls(const struct gf_signal_kernel *kernel, const void *args, const float *x, int64_t frames,
                     int32_t channels, int64_t most, float *y)
{
    const int64_t length = kernel->length(args, frames);
    const size_t bytes =
        kernel->state_bytes(args) * (size_t)channels + (kernel->table_bytes ? kernel->table_bytes(args) : 0);
    void *state = device_memory(bytes), *zeros = signal_memory(bytes);
    copy(GF_COPY_UPLOAD, state, zeros, bytes);
    for (int64_t made = 0, i = 0; made < length; i++) {
        int64_t count =
            most ? GF_SIGNAL_STEP * (1 + (int64_t)(random_at((uint64_t)most, (uint64_t)i) % (uint64_t)most) /
                                             GF_SIGNAL_STEP)
                 : length;
        count = count < length - made ? count : length - made;
        int64_t there = kernel->needs(args, made);
        there = there < frames ? there : frames;
        const int64_t from = there;
        while (there < frames && kernel->ready(args, there) < made + count) { /* as few frames as will do */
            const int64_t lacks = made + count - kernel->ready(args, there);
            there = there + (lacks + 3) / 4 < frames ? there + (lacks + 3) / 4 : frames;
        }
        call(kernel, args, state, x, from, there, frames, y, made, count, length, channels,
             (int)(i % 3 * (i % 2)));
        made += count;
    }
    gf_memory_release(0, state);
    free(zeros);
}

static void same(const struct gf_signal_kernel *kernel, const void *args, const float *x, int64_t frames,
                 int32_t channels, int64_t most, const char *what)
{
    const int64_t length = kernel->length(args, frames);
    const size_t bytes = (size_t)(length * channels) * sizeof(float);
    float *right = signal_memory(bytes), *y = signal_memory(bytes);
    for (int32_t c = 0; c < channels; c++) {
        if (kernel->judge) {
            kernel->judge(args, x + c * frames, frames, right + c * length);
        } else {
            CHECK(kernel->judge_whole(args, x + c * frames, frames, right + c * length));
        }
    }
    in_calls(kernel, args, x, frames, channels, most, y);
    int64_t at = 0;
    while (at < length * channels && !memcmp(y + at, right + at, sizeof *y)) {
        at++;
    }
    CHECK_MSG(at == length * channels,
              "%s %s: %lld frames of %d, calls of %lld: frame %lld is %.9g, the judge's %.9g", kernel->name,
              what, (long long)frames, channels, (long long)most, (long long)at,
              at < length * channels ? (double)y[at] : 0, at < length * channels ? (double)right[at] : 0);
    free(right);
    free(y);
}

/* Lengths around blocks and tiles, whole and in calls, of one channel and of three, even and awkward frames.
 */
static void lengths(const struct gf_signal_kernel *kernel, const void *args, const int64_t *frames, int count,
                    const char *what)
{
    for (int i = 0; i < count; i++) {
        const int32_t channels = i % 3 == 1 ? 3 : 1;
        float *even = signal_draw(frames[i] * channels, (uint64_t)i + 5, false);
        float *awkward = signal_draw(frames[i] * channels, (uint64_t)i + 9, true);
        same(kernel, args, even, frames[i], channels, 0, what);
        same(kernel, args, even, frames[i], channels, frames[i] / 3 + 1, what);
        same(kernel, args, awkward, frames[i], channels, i % 2 ? 0 : frames[i] / 2 + 1, what);
        free(even);
        free(awkward);
    }
}

#define NEEDS_CUDA                                                                                           \
    do {                                                                                                     \
        void *any = NULL;                                                                                    \
        if (gf_memory_allocate(0, 16, &any, NULL)) {                                                         \
            SKIP("no CUDA device");                                                                          \
        }                                                                                                    \
        gf_memory_release(0, any);                                                                           \
    } while (0)

/* Poles of radius 1 - 2^-3 to 1 - 2^-13 (the state of one tile reaches far into the next ones), or an
 * integrator. */
static struct gf_signal_iir_made *filter(int32_t sections, uint64_t seed)
{
    struct gf_section s[GF_SIGNAL_SECTIONS];
    struct gf_signal_iir_made *made = NULL;
    for (int k = 0; k < sections; k++) {
        const double radius = 1 - ldexp(1, -3 - (int)(random_at(seed, (uint64_t)(2 * k)) % 11));
        const double angle = (double)(random_at(seed, (uint64_t)(2 * k + 1)) >> 40) * 0x1p-24 * 3.14;
        s[k] = (struct gf_section){0.5, -0.25, 0.125, -2 * radius * cos(angle), radius * radius};
    }
    if (seed == 0) {
        s[0] = (struct gf_section){0x1p-10, 0, 0, -1, 0};
    }
    if (gf_signal_iir_make(sections, s, &made, NULL)) {
        printf("Bail out! no memory\n");
        exit(2);
    }
    return made;
}

static void iir_of(int32_t sections, uint64_t seed, const int64_t *frames, int count)
{
    struct gf_signal_iir_made *made = filter(sections, seed);
    const struct gf_signal_iir args = {.count = sections, .made = made};
    char what[32];
    snprintf(what, sizeof what, "%d sections", sections);
    lengths(&gf_signal_iir, &args, frames, count, what);
    free(made);
}

static void iir(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 127, 128, 129, 8191, 8192, 8193, 20000, 5 * 8192 + 100, 9 * 8192};
    iir_of(1, 0, frames, 10);
    iir_of(2, 1, frames, 10);
    iir_of(4, 2, frames, 10);
    iir_of(3, 3, frames + 7, 2);
    iir_of(7, 4, frames + 6, 3);
    iir_of(16, 5, frames + 7, 2);
}

/* One frame that is not finite: all behind it is NaN. */
static void iir_not_finite(void)
{
    NEEDS_CUDA;
    struct gf_signal_iir_made *made = filter(4, 6);
    const struct gf_signal_iir args = {.count = 4, .made = made};
    float *x = signal_draw(40000, 3, false);
    x[17000] = INFINITY;
    same(&gf_signal_iir, &args, x, 40000, 1, 0, "infinity");
    same(&gf_signal_iir, &args, x, 40000, 1, 9000, "infinity");
    x[17000] = NAN;
    same(&gf_signal_iir, &args, x, 20000, 2, 3000, "NaN");
    free(x);
    free(made);
}

/* What phase=zero has beside the filter: states to begin with, and frames beyond the ends. */
static void zero_phase(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 128, 129, 8063, 8064, 8193, 20000, 5 * 8192 + 100};
    static const int32_t more[] = {0, 1, 9, 99};
    for (int32_t sections = 1; sections <= 16; sections *= 4) {
        struct gf_signal_iir_made *made = filter(sections, (uint64_t)sections + 6);
        struct gf_signal_iir_settled args = {.iir = {.count = sections, .made = made}};
        for (int k = 0; k < 2 * sections; k++) {
            args.state[k] = 3.0 / (k + 1) - 1;
        }
        lengths(&gf_signal_iir_settled, &args, frames, 8, "from states");
        free(made);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const struct gf_signal_extend args = {more[i]};
        lengths(&gf_signal_extend, &args, frames, 7, "extend");
    }
}

static void fir(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 2, 100, 2047, 2048, 2049, 7000};
    static const int32_t taps[] = {1, 2, 7, 8, 9, 16, 23, 24, 25, 63, 511, 512, 513, 1100};
    float *tap = signal_draw(1100, 1, false);
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        const int32_t centres[] = {0, (taps[i] - 1) / 2, taps[i] - 1};
        const struct gf_signal_fir args = {taps[i], centres[i % 3], (int32_t)(i / 2 % 2), tap};
        const size_t from = i % 4;
        char what[48];
        snprintf(what, sizeof what, "%d taps, centre %d, border %d", args.taps, args.centre, args.border);
        lengths(&gf_signal_fir, &args, frames + from, from == 3 ? 4 : 3, what);
    }
    free(tap);
}

/* By blocks: calls end within them. */
static void many_taps(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 400, 3071, 3073, 7000, 20000};
    float *tap = signal_draw(1025, 1, false);
    for (int32_t i = 0; i < 4; i++) {
        struct gf_signal_overlap args = {{i < 2 ? 1025 : 600, i * 199, 0, tap}, i % 2, NULL};
        struct gf_stft *stft = gf_signal_overlap_make(&args.fir, NULL);
        args.stft = stft;
        lengths(&gf_signal_overlap, &args, frames, 6, "overlap");
        gf_stft_destroy(stft);
    }
    free(tap);
}

static void resample(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 300, 5000, 20000};
    static const int32_t how[][4] = {
        {160, 147, 40, 20}, {147, 160, 33, 16},   {1, 8, 20, 0},     {8, 1, 5, 4},       {3, 2, 3, 1},
        {1, 200, 50, 25},   {5, 4096, 9, 4},      {160, 147, 2, 1},  {320, 147, 24, 23}, {2, 901, 30, 15},
        {3, 100, 40, 11},   {160, 147, 208, 104}, {75, 74, 150, 70}, {8, 9, 20, 9}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        float *phase = signal_draw((int64_t)how[i][0] * how[i][2], i, false);
        const struct gf_signal_resample args = {how[i][0], how[i][1], how[i][2], how[i][3], phase};
        char what[48];
        snprintf(what, sizeof what, "%d/%d, %d taps", how[i][0], how[i][1], how[i][2]);
        lengths(&gf_signal_resample, &args, frames + i % 2, 3, what);
        free(phase);
    }
}

static void gain(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 64, 1023, 1024, 5000};
    const struct gf_signal_gain args = {0.7F, -0.1F};
    lengths(&gf_signal_gain, &args, frames, 6, "gain");
}

static void rank(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 1023, 1024, 3000};
    static const int32_t how[][2] = {{1, 0},   {3, 1},   {3, 0},   {5, 2},      {5, 4},  {7, 3},
                                     {7, 5},   {9, 4},   {9, 8},   {15, 14},    {11, 5}, {17, 0},
                                     {31, 15}, {33, 16}, {101, 3}, {4099, 2000}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        const struct gf_signal_rank args = {how[i][0], how[i][1]};
        char what[32];
        snprintf(what, sizeof what, "rank %d of %d", args.rank, args.size);
        lengths(&gf_signal_rank, &args, frames, how[i][0] > 1000 ? 3 : 5, what);
    }
}

static void shift(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 64, 1023, 1024, 5000};
    static const struct gf_signal_shift how[] = {{0, INT64_MAX, 3, 5, 1, 0}, {0, INT64_MAX, 700, 900, 0, -2},
                                                 {10, 20, 0, 0, 0, 0},       {50, 1050, 64, 200, 1, 0},
                                                 {5000, 6000, 2, 2, 1, 0},   {1000, 1 << 20, 1000, 1, 1, 0}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        lengths(&gf_signal_shift, &how[i], frames, 6, "shift");
    }
}

static void fade(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 64, 1023, 1024, 5000};
    static const struct gf_signal_fade how[] = {{100, 7, 0}, {64, 500, 1}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        lengths(&gf_signal_fade, &how[i], frames, 6, "fade");
    }
}

static void comb(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 64, 1023, 5000};
    static const struct gf_signal_comb how[] = {{1, 0, 1, 0},       {300, 0, 1, 0},      {64, 1, -0.7F, 0},
                                                {1, 1, 0, 0.9F},    {63, 1, 0, -0.5F},   {700, 1, 0, 0.25F},
                                                {9000, 1, 0, 0.5F}, {300, 1, 0.3F, 0.4F}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        lengths(&gf_signal_comb, &how[i], frames, 5, "comb");
    }
}

static void rms(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 5, 64, 1023, 3000, 300000};
    static const int32_t sizes[] = {1, 3, 5, 63, 65, 255, 1001, 5001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct gf_signal_rms rms = {.size = sizes[i]}, gate = {sizes[i], 1, 0.57F, i % 2 ? 0.25F : 0};
        lengths(&gf_signal_rms, &rms, frames, sizes[i] == 5 ? 6 : sizes[i] > 2000 ? 4 : 5, "rms");
        lengths(&gf_signal_rms, &gate, frames, 4, "gate");
    }
}

static void envelope(void)
{
    NEEDS_CUDA;
    static const int64_t frames[] = {1, 100, 2049, 7000};
    float *tap = signal_draw(63, 1, false);
    const struct gf_signal_fir args = {.taps = 63, .centre = 31, .tap = tap};
    lengths(&gf_signal_envelope, &args, frames, 4, "envelope");
    free(tap);
}

static const struct check_case cases[] = {{"iir", iir},
                                          {"iir, not finite", iir_not_finite},
                                          {"iir without delay", zero_phase},
                                          {"fir", fir},
                                          {"many taps", many_taps},
                                          {"resample", resample},
                                          {"gain", gain},
                                          {"rank", rank},
                                          {"shift", shift},
                                          {"fade", fade},
                                          {"comb", comb},
                                          {"rms and gate", rms},
                                          {"envelope", envelope}};
CHECK_MAIN(cases)
