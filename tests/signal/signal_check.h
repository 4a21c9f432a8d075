/* The kernels of signals beside their judges, in pieces of time drawn at random; and what SciPy made
 * (tests/oracle/signals). */
#ifndef SIGNAL_CHECK_H
#define SIGNAL_CHECK_H

#include "check.h"
#include "floats.h"

#include "signal/signal.h"
#include "signal/signal_args.h"

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

static inline void *signal_memory(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        printf("Bail out! no memory\n");
        exit(2);
    }
    return memory;
}

/* Runs frames [first, first + count) of the output by those of the input from `from` up to `there`, which lie
 * in memory that holds nothing else. */
static inline void signal_run(const struct gf_signal_kernel *kernel, const void *args, void *state,
                              const float *x, int64_t from, int64_t there, int64_t frames, bool ended,
                              float *y, int64_t first, int64_t count, int64_t length, int32_t channels)
{
    const int64_t n = there - from;
    struct gf_track in = {signal_memory((size_t)(n * channels) * sizeof(float)), from, n, n};
    struct gf_track out = {signal_memory((size_t)(count * channels) * sizeof(float)), first, count, count};
    for (int32_t c = 0; c < channels; c++) {
        memcpy(in.data + c * n, x + c * frames + from, (size_t)n * sizeof(float));
    }
    kernel->run_cpu(args, state, &in, ended ? frames : -1, &out, channels);
    for (int32_t c = 0; c < channels; c++) {
        memcpy(y + c * length + first, out.data + c * count, (size_t)count * sizeof(float));
    }
    free(in.data);
    free(out.data);
}

/* most: frames of a piece; 0 for all at once. */
static inline void signal_pieces(const struct gf_signal_kernel *kernel, const void *args, const float *x,
                                 int64_t frames, int32_t channels, int64_t most, uint64_t seed, float *y)
{
    const int64_t length = kernel->length(args, frames);
    void *state = signal_memory(kernel->state_bytes(args) * (size_t)channels);
    int64_t there = 0, made = 0;
    for (uint64_t i = 0; made < length; i++) {
        const int64_t piece = most ? (int64_t)(random_at(seed, 2 * i) % (uint64_t)(most + 1)) : frames;
        there = there + piece < frames ? there + piece : frames;
        const int64_t ready = there == frames ? length : kernel->ready(args, there);
        if (!check_that(ready <= length && ready >= made, __FILE__, __LINE__, "%s: %lld of %lld frames ready",
                        kernel->name, (long long)ready, (long long)length)) {
            break;
        }
        int64_t count = ready - made;
        if (most && i % 3 == 0 && count > 1) { /* not all that could be made */
            count = 1 + (int64_t)(random_at(seed, 2 * i + 1) % (uint64_t)count);
        }
        const int64_t from = kernel->needs(args, made);
        signal_run(kernel, args, state, x, from < there ? from : there, there, frames, there == frames, y,
                   made, count, length, channels);
        made += count;
    }
    free(state);
}

/* The kernel gives the judge's bits, as a whole and in pieces. x: frames of each of the channels. */
static inline void signal_same(const struct gf_signal_kernel *kernel, const void *args, const float *x,
                               int64_t frames, int32_t channels, const char *what)
{
    static const int64_t most[] = {0, 1, 7, 100, 1000, 30000};
    const int64_t length = kernel->length(args, frames);
    const size_t bytes = (size_t)(length * channels) * sizeof(float);
    float *right = signal_memory(bytes), *y = signal_memory(bytes);
    for (int32_t c = 0; c < channels; c++) {
        kernel->judge(args, x + c * frames, frames, right + c * length);
    }
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        if (m > 0 && (most[m] > 10 * frames || frames * channels / (most[m] + 1) > 40000)) {
            continue;
        }
        memset(y, 0x55, bytes);
        signal_pieces(kernel, args, x, frames, channels, most[m], (uint64_t)frames + m, y);
        int64_t at = 0;
        while (at < length * channels && !memcmp(y + at, right + at, sizeof *y)) {
            at++;
        }
        check_that(at == length * channels, __FILE__, __LINE__,
                   "%s %s: %lld frames of %d, pieces of %lld: frame %lld is %.9g, the judge's %.9g",
                   kernel->name, what, (long long)frames, channels, (long long)most[m], (long long)at,
                   at < length * channels ? (double)y[at] : 0,
                   at < length * channels ? (double)right[at] : 0);
    }
    free(right);
    free(y);
}

/* Frames from -1 to 1; or of all kinds, NaN, infinities and subnormals among them. */
static inline float *signal_draw(int64_t count, uint64_t seed, bool awkward)
{
    float *x = signal_memory((size_t)count * sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t random = random_at(seed, (uint64_t)i);
        x[i] = awkward ? float_from(random) : (float)((double)(random >> 40) * 0x1p-23 - 1.0);
    }
    return x;
}

/* ---- What SciPy made --------------------------------------------------------------------------------------- */

struct signal_case {
    char what[16];
    int how[4];
    const double *coefficients, *in, *out;
    int counts[3];
};

static struct signal_case signal_cases[120];
static double signal_values[90000];
static int signal_count;

static inline int signal_read(void)
{
    FILE *values = fopen(GF_SOURCE "/tests/oracle/signals/values.npy", "rb");
    FILE *index = fopen(GF_SOURCE "/tests/oracle/signals/signals.tsv", "r");
    unsigned char head[10];
    if (signal_count == 0 && values && index && fread(head, 1, sizeof head, values) == sizeof head) {
        fseek(values, 10L + head[8] + 256L * head[9], SEEK_SET);
        const size_t held =
            fread(signal_values, sizeof *signal_values, sizeof signal_values / sizeof *signal_values, values);
        char line[256];
        while (signal_count < (int)(sizeof signal_cases / sizeof *signal_cases) &&
               fgets(line, sizeof line, index)) {
            struct signal_case *c = &signal_cases[signal_count];
            int at[3];
            if (sscanf(line, "%15s %d %d %d %d %d %d %d %d %d %d", c->what, &c->how[0], &c->how[1],
                       &c->how[2], &c->how[3], &at[0], &c->counts[0], &at[1], &c->counts[1], &at[2],
                       &c->counts[2]) != 11 ||
                (size_t)at[2] + (size_t)c->counts[2] > held) {
                signal_count = 0;
                break;
            }
            c->coefficients = signal_values + at[0];
            c->in = signal_values + at[1];
            c->out = signal_values + at[2];
            signal_count++;
        }
    }
    if (values) {
        fclose(values);
    }
    if (index) {
        fclose(index);
    }
    return signal_count;
}

/* The kernel's output of the case is within `part` of its largest value of SciPy's. */
static inline void signal_near(const struct signal_case *c, const struct gf_signal_kernel *kernel,
                               const void *args, double part)
{
    float *x = signal_memory((size_t)c->counts[1] * sizeof *x),
          *y = signal_memory((size_t)c->counts[2] * sizeof *y);
    double largest = 0;
    for (int i = 0; i < c->counts[1]; i++) {
        x[i] = (float)c->in[i];
    }
    for (int i = 0; i < c->counts[2]; i++) {
        largest = fmax(largest, fabs(c->out[i]));
    }
    if (check_that(kernel->length(args, c->counts[1]) == c->counts[2], __FILE__, __LINE__,
                   "%s: %lld frames, not %d", c->what, (long long)kernel->length(args, c->counts[1]),
                   c->counts[2])) {
        signal_pieces(kernel, args, x, c->counts[1], 1, 0, 0, y);
        for (int i = 0; i < c->counts[2]; i++) {
            check_near(y[i], c->out[i], part * largest, c->what, __FILE__, __LINE__);
        }
    }
    free(x);
    free(y);
}

#endif
