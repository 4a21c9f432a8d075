/* loudness: how loud a signal is to ears, by ITU-R BS.1770 and EBU R 128. */
#include "base/status.h"
#include "design/equaliser.h"
#include "result_builder.h"
#include "signal/iir_make.h"
#include "signal/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks begin every HOPS_A_SECOND-th of a second; of integrated and momentary loudness they have 4 of these
 * hops, of short-term loudness 30. */
enum { HOPS_A_SECOND = 10, MOMENTARY = 4, SHORT_TERM = 30, PHASES = 4, TAPS = 12, CHUNK = 1024 };

struct loudness {
    double rate;
    struct gf_signal_iir weighting;
};

struct heard {
    void *state;  /* of the weighting */
    double *hops; /* the mean square of each that is over */
    int64_t n, room, frames;
    double sum;
    float peak;
    float past[TAPS - 1]; /* the last frames, for the frames between them */
};

/* Half of the taps of ITU-R BS.1770 annex 2: phases 3 and 2 are these turned round. */
static const float taps[PHASES / 2][TAPS] = {
    {0.0017089843750F, 0.0109863281250F, -0.0196533203125F, 0.0332031250000F, -0.0594482421875F,
     0.1373291015625F, 0.9721679687500F, -0.1022949218750F, 0.0476074218750F, -0.0266113281250F,
     0.0148925781250F, -0.0083007812500F},
    {-0.0291748046875F, 0.0292968750000F, -0.0517578125000F, 0.0891113281250F, -0.1665039062500F,
     0.4650878906250F, 0.7797851562500F, -0.2003173828125F, 0.1015625000000F, -0.0582275390625F,
     0.0330810546875F, -0.0189208984375F},
};

/* Where a hop begins. */
static int64_t begin_of(const struct loudness *p, int64_t hop)
{
    return (int64_t)(p->rate * (double)hop / HOPS_A_SECOND);
}

/* The greatest of frames and of those between them; x has TAPS - 1 frames of the past before it. */
static float peak_of(const float *x, int64_t count, float peak)
{
    for (int64_t i = 0; i < count; i++) {
        float sums[PHASES] = {0};
        for (int k = 0; k < TAPS; k++) {
            for (int q = 0; q < PHASES / 2; q++) {
                sums[q] += taps[q][k] * x[i - k];
                sums[PHASES - 1 - q] += taps[q][TAPS - 1 - k] * x[i - k];
            }
        }
        const float own = fabsf(x[i]);
        peak = own > peak ? own : peak;
        for (int q = 0; q < PHASES; q++) {
            const float size = fabsf(sums[q]);
            peak = size > peak ? size : peak;
        }
    }
    return peak;
}

static bool end_hop(struct heard *s, int64_t frames)
{
    if (s->n == s->room) {
        const int64_t room = s->room ? 2 * s->room : 256;
        double *hops = realloc(s->hops, (size_t)room * sizeof *hops);
        if (!hops) {
            return false;
        }
        s->hops = hops;
        s->room = room;
    }
    s->hops[s->n++] = s->sum / (double)frames;
    s->sum = 0;
    return true;
}

/* Adds up weighted frames, one after the other. */
static bool add(const struct loudness *p, struct heard *s, const float *y, int64_t count)
{
    for (int64_t i = 0; i < count;) {
        const int64_t first = begin_of(p, s->n), end = begin_of(p, s->n + 1);
        const int64_t stop = end - s->frames < count - i ? i + (end - s->frames) : count;
        s->frames += stop - i;
        for (; i < stop; i++) {
            s->sum += (double)y[i] * (double)y[i];
        }
        if (s->frames == end && !end_hop(s, end - first)) {
            return false;
        }
    }
    return true;
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct loudness *p = args;
    struct heard *s = state;
    float x[TAPS - 1 + CHUNK], y[CHUNK];
    s->state = s->state ? s->state : calloc(1, gf_signal_iir.state_bytes(&p->weighting));
    bool good = s->state != NULL;
    for (int64_t at = 0; at < count && good; at += CHUNK) {
        const int64_t n = count - at < CHUNK ? count - at : CHUNK;
        const struct gf_track in = {x + TAPS - 1, s->frames, n, n}, out = {y, s->frames, n, n};
        memcpy(x, s->past, sizeof s->past);
        memcpy(x + TAPS - 1, data + at, (size_t)n * sizeof *x);
        s->peak = peak_of(x + TAPS - 1, n, s->peak);
        memcpy(s->past, x + n, sizeof s->past);
        gf_signal_iir.run_cpu(&p->weighting, s->state, &in, -1, &out, 1);
        good = add(p, s, y, n);
    }
    return gf_need_memory(good, error);
}

static void release(void *state)
{
    free(((struct heard *)state)->state);
    free(((struct heard *)state)->hops);
}

/* ---- results ---- */

/* Of six channels, as files have them, the fourth is that of low frequencies, and those behind it surround.
 */
static double weight_of(int32_t channel, int32_t channels)
{
    const bool lfe = channels == 6 && channel == 3, surround = channels >= 5 && channels <= 6 && channel >= 3;
    return lfe ? 0 : surround ? 1.41 : 1;
}

static double level_of(double power)
{
    return gf_signal_decibels(power) - 0.691;
}

/* Powers of blocks of so many hops, one for each hop that such a block begins with; returns how many. */
static int64_t blocks_of(const struct gf_signal_measured *m, int32_t hops, double *powers)
{
    const struct loudness *p = m->args;
    const struct heard *states = m->states;
    const int64_t n = states[0].n - hops + 1;
    for (int64_t b = 0; b < n; b++) {
        powers[b] = 0;
        for (int32_t c = 0; c < m->channels; c++) {
            double sum = 0;
            for (int32_t k = 0; k < hops; k++) {
                sum += states[c].hops[b + k] * (double)(begin_of(p, b + k + 1) - begin_of(p, b + k));
            }
            powers[b] += weight_of(c, m->channels) * (sum / (double)(begin_of(p, b + hops) - begin_of(p, b)));
        }
    }
    return n > 0 ? n : 0;
}

static double greatest_of(const double *powers, int64_t n)
{
    double greatest = 0;
    for (int64_t i = 0; i < n; i++) {
        greatest = powers[i] > greatest ? powers[i] : greatest;
    }
    return level_of(greatest);
}

/* Keeps those above -70 LUFS, and of them those above their mean less `below` LU; *mean is that of the rest.
 */
static int64_t gate(double *powers, int64_t n, double below, double *mean)
{
    double least = -70;
    for (int pass = 0; pass < 2; pass++) {
        int64_t kept = 0;
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            if (level_of(powers[i]) > least) {
                sum += powers[i];
                powers[kept++] = powers[i];
            }
        }
        n = kept;
        *mean = n ? sum / (double)n : 0;
        least = level_of(*mean) - below;
    }
    return n;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the 10th and the 95th percentile. */
static double range_of(double *powers, int64_t n)
{
    double mean;
    n = gate(powers, n, 20, &mean);
    if (n == 0) {
        return 0;
    }
    qsort(powers, (size_t)n, sizeof *powers, by_size);
    const int64_t low = (int64_t)((double)(n - 1) * 0.10 + 0.5),
                  high = (int64_t)((double)(n - 1) * 0.95 + 0.5);
    return level_of(powers[high]) - level_of(powers[low]);
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct heard *states = m->states;
    double *integrated = gf_result_f64(builder, "integrated", 1, 1);
    double *range = gf_result_f64(builder, "range", 1, 1);
    double *momentary = gf_result_f64(builder, "momentary_max", 1, 1);
    double *short_term = gf_result_f64(builder, "short_term_max", 1, 1);
    double *peak = gf_result_f64(builder, "true_peak", m->channels, 1);
    double *powers = malloc(((size_t)states[0].n + 1) * sizeof *powers), mean;
    builder->status = powers ? builder->status : GF_ERROR_MEMORY;
    if (builder->status == GF_OK) {
        int64_t n = blocks_of(m, MOMENTARY, powers);
        *momentary = greatest_of(powers, n);
        gate(powers, n, 10, &mean);
        *integrated = level_of(mean);
        n = blocks_of(m, SHORT_TERM, powers);
        *short_term = greatest_of(powers, n);
        *range = range_of(powers, n);
    }
    for (int32_t c = 0; builder->status == GF_OK && c < m->channels; c++) {
        static const float none[TAPS] = {0};
        float x[2 * (TAPS - 1)]; /* the last frames have some between them, too */
        memcpy(x, states[c].past, sizeof states[c].past);
        memcpy(x + TAPS - 1, none, sizeof states[c].past);
        const double size = (double)peak_of(x + TAPS - 1, TAPS - 1, states[c].peak);
        peak[c] = gf_signal_decibels(size * size);
    }
    free(powers);
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct heard), observe, finish, release, NULL};
    struct gf_section sections[GF_WEIGHTING_SECTIONS];
    struct gf_signal_iir_made *made = NULL;
    struct loudness args = {.rate = gf_signal_lower_rate(l)};
    gf_error why = GF_ERROR_INIT;
    (void)params;
    if (!(args.rate > 0)) {
        return;
    }
    gf_status status = gf_design_weighting(GF_WEIGHTING_K, args.rate, sections, &args.weighting.count, &why);
    status = status == GF_OK ? gf_signal_iir_make(args.weighting.count, sections, &made, &why) : status;
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
        return;
    }
    memcpy(args.weighting.section, sections, (size_t)args.weighting.count * sizeof *sections);
    args.weighting.made = made;
    gf_signal_lower_measure(l, &measure, &args, sizeof args, made);
}

GF_FIELDS({"integrated", GF_F64, 1, "LUFS", "of all of it that is not silent; one value"},
          {"range", GF_F64, 1, "LU", "between its quiet and its loud parts; one value"},
          {"momentary_max", GF_F64, 1, "LUFS", "the loudest 0.4 s; one value"},
          {"short_term_max", GF_F64, 1, "LUFS", "the loudest 3 s; one value"},
          {"true_peak", GF_F64, 1, "dBTP", "the greatest distance from 0, also between frames"});

GF_EXAMPLES({"loudness", "whether a programme has -23 LUFS, and how far its peaks are from full scale"});

const gf_stage_type gf_stage_loudness = {
    GF_STAGE_NAMED(loudness),
    .group = "signal",
    .summary = "how loud the signal is to ears: LUFS, range, true peak; it passes unchanged",
    .use = "Before sound is published: broadcasters ask for -23 LUFS, streaming services for some -14.",
    .source = "ITU-R BS.1770-4, EBU R 128, EBU Tech 3341 and 3342.",
    .formula =
        "Frames are weighted as by weighting:k, and squared. A block of 0.4 s begins every 0.1 s; its power\n"
        "is the sum of the channels' means, of five and six channels the surround ones times 1.41 and the\n"
        "fourth of six times 0. Blocks above -70 LUFS count, and of these the ones less than 10 LU below\n"
        "their mean. The range is that of blocks of 3 s, between 10 % and 95 % of those less than 20 LU\n"
        "below their mean. True peaks are those of four times as many frames, and of the frames themselves.",
    .signal = signal,
    .fields = fields,
};
