/* What planning costs under a limit of memory: how many heights of bands are tried, and how many bands are
 * looked at, however high the picture is. */
#include "check.h"
#include "context/context.h"
#include "gpufilter/gpufilter.h"
#include "plan/band_view.h"

#include <stdlib.h>

static struct {
    int64_t tries, looks; /* since the plan was asked for */
} count;

gf_status __real_gf_band_view_create(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                                     struct gf_band_view *view, gf_error *error);
gf_status __wrap_gf_band_view_create(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                                     struct gf_band_view *view, gf_error *error);
void __real_gf_band_find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, int64_t index,
                         struct gf_band *band);
void __wrap_gf_band_find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, int64_t index,
                         struct gf_band *band);

gf_status __wrap_gf_band_view_create(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                                     struct gf_band_view *view, gf_error *error)
{
    count.tries++;
    return __real_gf_band_view_create(plan, bands, sweep, view, error);
}

void __wrap_gf_band_find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, int64_t index,
                         struct gf_band *band)
{
    count.looks++;
    __real_gf_band_find(plan, bands, sweep, index, band);
}

/* Plans a grey picture in bands; whether it can be done. */
static bool plan(const char *stages, int32_t width, int64_t height, uint64_t limit)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *made = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    const gf_shape shape = {width, height, 1, GF_U8};
    options.device = GF_DEVICE_CPU;
    options.threads = 2;
    options.stream_rows = GF_STREAM_CHOSEN;
    options.memory_limit = limit;
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(stages, NULL, 0, &pipeline, &error) : status;
    count.tries = count.looks = 0;
    status = status == GF_OK ? gf_plan_create(context, pipeline, &shape, &options, &made, &error) : status;
    CHECK_MSG(status == GF_OK || status == GF_ERROR_MEMORY, "%s: %s", stages, error.message);
    printf("# %s, %d x %lld in %llu bytes: %s, %lld tries, %lld bands looked at\n", stages, width,
           (long long)height, (unsigned long long)limit, status == GF_OK ? "planned" : "cannot be",
           (long long)count.tries, (long long)count.looks);
    gf_plan_destroy(&made);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status == GF_OK;
}

/* Stages of maps, whose bands differ, and of windows. */
static const char *const lists[] = {"dct:4", "dct:4,dct:4,dct:4,dct:4", "resize:100x5000", "blur:2",
                                    "resize:100x10000,blur:3,resize:300x20000"};
enum { LISTS = sizeof lists / sizeof lists[0] };

static void a_limit_that_cannot_be_met(void)
{
    for (int i = 0; i < LISTS; i++) {
        CHECK_MSG(!plan(lists[i], 200, 1000000, 1000), "%s: planned in 1000 bytes", lists[i]);
        CHECK_MSG(count.tries <= 40, "%s: %lld tries", lists[i], (long long)count.tries);
        CHECK_MSG(count.looks <= 400000, "%s: %lld bands were looked at", lists[i], (long long)count.looks);
    }
}

/* The least that can be met, and near it, where a height shrinks by little from try to try. */
static void a_limit_that_is_just_met(void)
{
    for (int i = 0; i < LISTS; i++) {
        uint64_t low = 1000, high = 1 << 24;
        while (low + 1 < high) {
            const uint64_t middle = low + (high - low) / 2;
            *(plan(lists[i], 200, 3000, middle) ? &high : &low) = middle;
            CHECK_MSG(count.tries <= 40, "%s in %llu bytes: %lld tries", lists[i], (unsigned long long)middle,
                      (long long)count.tries);
        }
        for (uint64_t more = 0; more < high / 8; more += 1 + high / 30) {
            CHECK_MSG(plan(lists[i], 200, 3000, high + more), "%s: %llu bytes are enough, not %llu", lists[i],
                      (unsigned long long)high, (unsigned long long)(high + more));
            CHECK_MSG(count.tries <= 40, "%s in %llu bytes: %lld tries", lists[i],
                      (unsigned long long)(high + more), (long long)count.tries);
        }
    }
}

static const struct check_case cases[] = {
    {"a limit that cannot be met costs no look at each of 10^6 bands", a_limit_that_cannot_be_met},
    {"a limit that is just met costs few tries", a_limit_that_is_just_met},
};

int main(void)
{
    return check_run(cases, sizeof cases / sizeof cases[0], NULL);
}
