/* Random chains of all stages that take signals: whatever the pieces, threads and the device (real or
 * emulated), they give the bits of the judge, and the same results. GPUFILTER_TEST_CHAINS: number of chains;
 * GPUFILTER_TEST_STREAM: another one draws other chains; GPUFILTER_TEST_SLICE: a share of them (check.h). */
#include "chain_check.h"
#include "stage_cases.h"

#include "base/text.h"

#include <stdlib.h>

enum { TEXT = 2048, RESULTS = 1 << 20, MOST_FRAMES = 1 << 15, MOST_SAMPLES = 1 << 16, TRIES = 400 };

/* What frames look like. */
enum content { NOISE, AWKWARD, SPECKS, STEPS, TINY, CONTENTS };

struct drawn {
    char text[TEXT];
    gf_signal_shape shape;
    int64_t frames; /* shape.frames, or what it does not say */
    enum content content;
    bool in_place; /* no stage changes frames or channels, so that the output may take the input's place */
    uint64_t seed;
};

/* ---- a run ---- */

/* All that a run gives: each channel by itself, `pitch` apart. */
struct given {
    float *y;
    int64_t pitch, made;
    char *results;
};

static void given_free(struct given *given)
{
    free(given->y);
    free(given->results);
}

/* Makes room for so many more frames and returns where they go. */
static float *room_for(struct given *given, int64_t frames, int32_t channels)
{
    if (given->made + frames > given->pitch) {
        const int64_t pitch = 2 * (given->made + frames);
        float *y = signal_memory((size_t)(pitch * channels) * sizeof *y);
        for (int32_t c = 0; c < channels && given->made > 0; c++) {
            memcpy(y + c * pitch, given->y + c * given->pitch, (size_t)given->made * sizeof *y);
        }
        free(given->y);
        given->y = y;
        given->pitch = pitch;
    }
    return given->y ? given->y + given->made : NULL;
}

static gf_status feed(gf_signal_exec *exec, const struct drawn *drawn, const float *x, int64_t there,
                      int64_t piece, int32_t outputs, struct given *given)
{
    const int32_t channels = drawn->shape.channels;
    const int64_t ready = gf_signal_exec_ready(exec, piece);
    float *in = signal_memory((size_t)(piece * channels) * sizeof *in);
    int64_t some = 0;
    for (int32_t c = 0; c < channels && piece > 0; c++) {
        memcpy(in + c * piece, x + c * drawn->frames + there, (size_t)piece * sizeof *in);
    }
    float *to = room_for(given, ready, outputs);
    const bool in_place = drawn->in_place && ready <= piece && (drawn->seed + (uint64_t)there) % 2;
    const gf_status status = gf_signal_exec_feed(exec, in, piece, piece, in_place ? in : to,
                                                 in_place ? piece : given->pitch, &some, &e);
    for (int32_t c = 0; in_place && c < channels && some > 0; c++) {
        memcpy(to + c * given->pitch, in + c * piece, (size_t)some * sizeof *to);
    }
    CHECK_MSG(status != GF_OK || some == ready, "%s: %lld frames are made, %lld were ready", drawn->text,
              (long long)some, (long long)ready);
    given->made += some;
    free(in);
    return status;
}

static gf_status finish(gf_signal_exec *exec, const struct drawn *drawn, int32_t outputs, bool judged,
                        struct given *given)
{
    gf_status status = GF_OK;
    do {
        const int64_t left = gf_signal_exec_left(exec);
        int64_t some = 0;
        float *to = room_for(given, left, outputs);
        status = gf_signal_exec_end(exec, to, given->pitch, &some, &e);
        CHECK_MSG(status != GF_OK || some == left || (judged && some < left),
                  "%s: %lld frames at the end, %lld were left", drawn->text, (long long)some,
                  (long long)left);
        given->made += some;
    } while (status == GF_OK && gf_signal_exec_left(exec) > 0);
    size_t used = 0, length = 0;
    for (int32_t i = 0; status == GF_OK && i < gf_signal_exec_result_count(exec); i++) {
        status = gf_result_print(gf_signal_exec_result(exec, i), GF_PRINT_JSON, given->results + used,
                                 RESULTS - used, &length, &e);
        used += length < RESULTS - used ? length : 0;
    }
    return status;
}

/* Pieces of at most `most` frames, 0: all at once. */
static gf_status run(const gf_signal_plan *plan, const struct drawn *drawn, const float *x, int64_t most,
                     struct given *given)
{
    const int32_t outputs = gf_signal_plan_output(plan).channels;
    gf_signal_exec *exec = NULL;
    *given = (struct given){.results = signal_memory(RESULTS)};
    gf_status status = gf_signal_exec_create(plan, &exec, &e);
    int64_t there = 0;
    for (uint64_t i = 0; status == GF_OK && there < drawn->frames; i++) {
        int64_t piece = most ? (int64_t)(random_at(drawn->seed, i) % (uint64_t)(most + 1)) : drawn->frames;
        piece = piece < drawn->frames - there ? piece : drawn->frames - there;
        status = feed(exec, drawn, x, there, piece, outputs, given);
        there += piece;
    }
    status = status == GF_OK
                 ? finish(exec, drawn, outputs, gf_signal_plan_device(plan) == GF_DEVICE_REFERENCE, given)
                 : status;
    gf_signal_exec_destroy(&exec);
    return status;
}

/* ---- beside the judge ---- */

static float *content_of(const struct drawn *drawn)
{
    const int64_t n = drawn->frames * drawn->shape.channels;
    float *x = signal_draw(n, drawn->seed, drawn->content == AWKWARD);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t random = random_at(drawn->seed + 1, (uint64_t)i);
        if (drawn->content == SPECKS && random % 400 == 0) {
            x[i] = float_from(random >> 9);
        } else if (drawn->content == STEPS) { /* silence of both signs, and equal frames */
            x[i] = random_at(drawn->seed + 2, (uint64_t)i / 90) % 3 == 0 ? roundf(4 * x[i]) / 4 : -0.0F;
        } else if (drawn->content == TINY) {
            x[i] *= 1e-38F;
        }
    }
    return x;
}

static bool same(const struct drawn *drawn, const struct given *right, const struct given *given,
                 int32_t channels, const char *how)
{
    for (int32_t c = 0; c < channels && given->made == right->made; c++) {
        const float *a = given->y + c * given->pitch, *b = right->y + c * right->pitch;
        for (int64_t i = 0; i < right->made; i++) {
            if (memcmp(a + i, b + i, sizeof *a) != 0) {
                return check_that(false, __FILE__, __LINE__,
                                  "%s: %s, %lld frames of %d at %g Hz (content %d, seed %llu): frame %lld of "
                                  "channel %d is %.9g (%08x), the judge's %.9g (%08x)",
                                  drawn->text, how, (long long)drawn->frames, drawn->shape.channels,
                                  drawn->shape.rate, (int)drawn->content, (unsigned long long)drawn->seed,
                                  (long long)i, c, (double)a[i], gf_float_bits(a[i]), (double)b[i],
                                  gf_float_bits(b[i]));
            }
        }
    }
    return check_that(given->made == right->made && !strcmp(given->results, right->results), __FILE__,
                      __LINE__,
                      "%s: %s, %lld frames of %d at %g Hz (content %d, seed %llu): %lld frames, not %lld, or "
                      "other results: %.200s, not %.200s",
                      drawn->text, how, (long long)drawn->frames, drawn->shape.channels, drawn->shape.rate,
                      (int)drawn->content, (unsigned long long)drawn->seed, (long long)given->made,
                      (long long)right->made, given->results, right->results);
}

static void beside_judge(const struct drawn *drawn)
{
    const int64_t most[] = {0, 1 + (int64_t)(drawn->seed % 7), 200, 3000};
    gf_signal_plan *judge = plan_of(drawn->text, drawn->shape, GF_DEVICE_REFERENCE, 0);
    float *x = content_of(drawn);
    struct given right = {0};
    if (!check_that(judge && run(judge, drawn, x, 1000, &right) == GF_OK, __FILE__, __LINE__, "%s: %s",
                    drawn->text, e.message)) {
        gf_signal_plan_destroy(&judge), given_free(&right), free(x);
        return;
    }
    const int32_t outputs = gf_signal_plan_output(judge).channels;
    for (int k = 0; k < (has_gpu() ? 4 : 3); k++) {
        const bool gpu = k == 3;
        gf_signal_plan *plan = plan_of(drawn->text, drawn->shape, gpu ? 0 : GF_DEVICE_CPU, k == 1 ? 3 : 1);
        for (int m = 0; plan && m < 4; m++) {
            if (gpu ? most[m] && drawn->frames / (most[m] + 1) > 12
                    : m != (k + (int)(drawn->seed % 3)) % 4 || drawn->frames / (most[m] + 1) > 2000) {
                continue;
            }
            char how[100];
            struct given given;
            snprintf(how, sizeof how, "pieces of %lld, %d threads, %s", (long long)most[m], k == 1 ? 3 : 1,
                     gpu ? "GPU" : "CPU");
            if (check_that(run(plan, drawn, x, most[m], &given) == GF_OK, __FILE__, __LINE__, "%s: %s: %s",
                           drawn->text, how, e.message)) {
                same(drawn, &right, &given, outputs, how);
            }
            given_free(&given);
        }
        CHECK_MSG(plan, "%s: %s", drawn->text, e.message);
        gf_signal_plan_destroy(&plan);
    }
    gf_signal_plan_destroy(&judge), given_free(&right), free(x);
}

/* ---- chains ---- */

/* Appends a stage, behind which there may be others, that takes what the chain gives, of which tests can run
 * the judge; what refuses it blames the stage. now: what the chain gives, at most. */
static bool append(struct plan_random *random, struct drawn *drawn, gf_signal_shape *now, uint32_t *seen)
{
    int32_t n;
    const gf_stage_type *const *types = gf_stage_types(&n);
    const size_t length = strlen(drawn->text);
    const struct stage_room room = {{now->frames, 1, now->channels, GF_F32},
                                    plan_random_below(random, 8) ? 20 : 200,
                                    true,
                                    false,
                                    now->rate > 0 ? now->rate : 100};
    uint32_t type = 0;
    for (int32_t i = 0; i < TRIES; i++) {
        char one[TEXT];
        struct gf_text t = gf_text_begin(one, sizeof one);
        type = i % 8 == 0 ? plan_random_below(random, (uint32_t)n) : type;
        stage_draw(random, types[type], &room, &t);
        gf_signal_plan *alone = plan_of(one, *now, GF_DEVICE_CPU, 1);
        if (!check_that(alone || ((e.code == GF_ERROR_ARGUMENT || e.code == GF_ERROR_UNSUPPORTED) &&
                                  strstr(e.message, "stage ")),
                        __FILE__, __LINE__, "%s: status %d, %s", one, (int)e.code, e.message)) {
            return false;
        }
        gf_signal_shape after = gf_signal_plan_output(alone);
        after.frames = after.frames < 0 ? now->frames : after.frames;
        const int64_t samples = after.frames * after.channels;
        const bool fits = alone && after.frames <= MOST_FRAMES &&
                          (samples <= MOST_SAMPLES || samples <= now->frames * now->channels);
        gf_signal_plan_destroy(&alone);
        if (fits) {
            snprintf(drawn->text + length, sizeof drawn->text - length, "%s%s", length ? "," : "", one);
            drawn->in_place =
                drawn->in_place && after.frames == now->frames && after.channels == now->channels;
            *now = after;
            seen[type]++;
            return !(types[type]->flags & GF_STAGE_PICTURE); /* which is the last one */
        }
    }
    return check_that(false, __FILE__, __LINE__, "%s: no stage fits behind it", drawn->text);
}

static int64_t some_frames(struct plan_random *random)
{
    const uint32_t kind = plan_random_below(random, 8);
    return kind == 0   ? plan_random_below(random, 4)
           : kind <= 2 ? 64 * plan_random_between(random, 1, 40) + plan_random_between(random, -1, 1)
           : kind <= 4 ? plan_random_below(random, 300)
                       : plan_random_below(random, plan_random_below(random, 16) ? 5000 : 20000);
}

static void draw(struct plan_random *random, long i, struct drawn *drawn, uint32_t *seen)
{
    static const double rates[] = {0, 100, 1000, 8000, 48000};
    const int64_t frames = some_frames(random);
    *drawn = (struct drawn){
        .frames = frames, .seed = (uint64_t)i, .content = (enum content)(i % CONTENTS), .in_place = true};
    const uint32_t channels = frames < 1000 && plan_random_below(random, 10) == 0 ? 40 : 5;
    drawn->shape = (gf_signal_shape){frames, 1 + (int32_t)plan_random_below(random, channels),
                                     rates[plan_random_below(random, 5)]};
    gf_signal_shape now = drawn->shape;
    for (uint32_t stages = 1 + plan_random_below(random, 5); stages > 0; stages--) {
        if (!append(random, drawn, &now, seen)) {
            return;
        }
    }
    drawn->shape.frames = plan_random_below(random, 2) ? frames : -1;
}

static long number_of(const char *name, long otherwise)
{
    const char *asked = getenv(name);
    return asked ? strtol(asked, NULL, 10) : otherwise;
}

static void random_chains(void)
{
    const long chains = number_of("GPUFILTER_TEST_CHAINS", 300);
    const uint64_t stream = 200 + (uint64_t)number_of("GPUFILTER_TEST_STREAM", 0);
    uint32_t seen[1024] = {0}, taken = 0;
    int32_t n;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (long i = 0; i < chains; i++) {
        struct plan_random random;
        struct drawn drawn;
        if (check_slice(i, chains)) {
            plan_random_seed(&random, (uint64_t)i, stream);
            draw(&random, i, &drawn, seen);
            beside_judge(&drawn);
        }
    }
    for (int32_t t = 0; t < n; t++) {
        taken += seen[t] > 0;
        const bool alone =
            !types[t]->params || types[t]->params[0].type != GF_PARAM_PICTURE; /* needs no other signal */
        CHECK_MSG(chains < 2000 || getenv("GPUFILTER_TEST_SLICE") || types[t]->lower || !alone || seen[t] > 0,
                  "no chain has %s", types[t]->name);
    }
    printf("# %u of %d stages\n", taken, n);
}

/* Frames that wait for the whole signal are none, or make nothing more, and are measured all the same. */
static void once_wrong(void)
{
    static const struct {
        const char *text;
        int64_t frames;
        int32_t channels;
    } chains[] = {
        {"detrend,pad:right=3", 0, 1},
        {"detrend,stats,crop:frames=10-20", 5, 2},
        {"detrend,stats,crop:frames=0-10", 300000, 1},
        {"mix:mono,gain:2:channels=0", 3000, 5},
    };
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        struct drawn drawn = {
            .shape = {chains[i].frames, chains[i].channels, 1000}, .frames = chains[i].frames, .seed = i};
        snprintf(drawn.text, sizeof drawn.text, "%s", chains[i].text);
        beside_judge(&drawn);
    }
}

static const struct check_case cases[] = {{"chains that were wrong once", once_wrong},
                                          {"random chains", random_chains}};

CONTEXT_MAIN(cases)
