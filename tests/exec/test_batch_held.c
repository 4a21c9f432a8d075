/* What an item of a batch holds beside its exec: a decoder's memory and pictures that are to be had only as a
 * whole count within the memory limit, and descriptors that lack are waited for. */
#define _DEFAULT_SOURCE /* setenv */
#include "batch_case.h"

#include <errno.h>

static atomic_int under_way, most_under_way;

static gf_batch_options on_cpu(int32_t workers, uint64_t memory)
{
    static const gf_device cpu = GF_DEVICE_CPU;
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = workers;
    options.devices = &cpu;
    options.n_devices = 1;
    options.memory_limit = memory;
    return options;
}

/* Rows that count the items between their first row and their end. */
static gf_status counted_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *e)
{
    struct item *item = user;
    if (item->row == 0) {
        int now = atomic_fetch_add(&under_way, 1) + 1, most = atomic_load(&most_under_way);
        while (now > most && !atomic_compare_exchange_weak(&most_under_way, &most, now)) {
        }
        usleep(2000);
    }
    return rows(user, data, pitch, count, e);
}

static gf_status counted_open(void *user, gf_source *source, gf_error *e)
{
    gf_status status = open_item(user, source, e);
    source->rows = counted_rows;
    return status;
}

static void counted_end(void *user, const gf_batch_outcome *outcome)
{
    atomic_fetch_sub(&under_way, 1);
    end(user, outcome);
}

static gf_batch_numbers run_counted(const char *stages, int n, const gf_batch_options *options)
{
    gf_batch_numbers numbers = {0};
    gf_batch *batch = make_batch(stages, options);
    atomic_store(&under_way, 0);
    atomic_store(&most_under_way, 0);
    for (int i = 0; batch && i < n; i++) {
        gf_batch_item made = GF_BATCH_ITEM_INIT;
        made.open = counted_open;
        made.output = open_output;
        made.done = done;
        made.end = counted_end;
        made.user = &items[i];
        CHECK(gf_batch_add(batch, &made, &error) == GF_OK);
    }
    if (batch) {
        CHECK(gf_batch_finish(batch, &error) == GF_OK);
        numbers = numbers_of(batch);
        gf_batch_destroy(&batch);
    }
    return numbers;
}

/* Pictures of 12 KB each way, whose decoders hold nothing, a third of the limit, or more than all of it. */
static void decoders_count(void)
{
    open_context();
    for (int scale = 0; scale < 3; scale++) {
        const uint64_t limit = 1000000, held = scale == 0 ? 0 : scale == 1 ? limit / 3 : 2 * limit;
        gf_batch_options options = on_cpu(8, limit);
        set_items(24, (gf_shape){64, 60, 3, GF_U8});
        for (int i = 0; i < 24; i++) {
            items[i].held = held;
        }
        gf_batch_numbers numbers = run_counted("blur:1.5,stats", 24, &options);
        const int most = atomic_load(&most_under_way);
        CHECK_MSG(numbers.done == 24, "%lld done", (long long)numbers.done);
        CHECK_MSG(scale == 0   ? most > 2
                  : scale == 1 ? most <= 2
                               : most == 1,
                  "%d at once, of %llu bytes each", most, (unsigned long long)held);
        CHECK_MSG(scale == 2 ? numbers.most_memory > held && numbers.most_memory < held + limit / 4
                             : numbers.most_memory <= limit,
                  "%llu bytes at most", (unsigned long long)numbers.most_memory);
        CHECK_MSG(numbers.memory <= limit, "%llu bytes are still counted",
                  (unsigned long long)numbers.memory);
        for (int i = 0; i < 24; i++) {
            check_item("blur:1.5,stats", &items[i]);
        }
    }
    gf_context_destroy(&context);
}

/* Some of those that wait hold much and some nothing: none is passed over, none waits for ever. */
static void large_and_small(void)
{
    open_context();
    gf_batch_options options = on_cpu(6, 400000);
    set_items(120, (gf_shape){64, 60, 3, GF_U8});
    for (int i = 0; i < 120; i++) {
        items[i].held = (uint64_t)(i % 4) * 150000 + (i % 10 == 0 ? 500000 : 0);
    }
    gf_batch_numbers numbers = run_counted("blur:1.5", 120, &options);
    CHECK_MSG(numbers.done == 120 && numbers.memory <= 400000, "%lld done, %llu bytes counted",
              (long long)numbers.done, (unsigned long long)numbers.memory);
    CHECK_MSG(numbers.most_memory < 450000 + 500000 + 100000, "%llu bytes at most",
              (unsigned long long)numbers.most_memory);
    gf_context_destroy(&context);
}

/* Bands of 16 rows, where there are bands. */
static gf_status plan_few(void *user, int32_t kind, const gf_shape *shape, const gf_plan_options *options,
                          gf_plan **plan, gf_error *e)
{
    gf_plan_options mine = *options;
    gf_pipeline *pipeline = NULL;
    (void)user, (void)kind;
    mine.stream_rows = options->stream_rows ? 16 : 0;
    gf_status status = gf_pipeline_parse("blur:1.5", NULL, 0, &pipeline, e);
    status = status == GF_OK ? gf_plan_create(context, pipeline, shape, &mine, plan, e) : status;
    gf_pipeline_destroy(&pipeline);
    return status;
}

/* Pictures of 288 KB in bands of much less: as wholes they fit into the limit one at a time. */
static void wholes_in_bands(void)
{
    open_context();
    for (int which = 0; which < 3; which++) {
        gf_batch_options options = on_cpu(6, 480000);
        options.plan = plan_few;
        set_items(12, (gf_shape){64, 1500, 3, GF_U8});
        for (int i = 0; i < 12; i++) {
            items[i].shape.width = 64;
            items[i].whole_in = which & 1;
            items[i].whole_out = which >> 1;
        }
        gf_batch_numbers numbers = run_counted("blur:1.5", 12, &options);
        const int most = atomic_load(&most_under_way);
        CHECK_MSG(numbers.done == 12, "%d: %lld done: %s", which, (long long)numbers.done,
                  items[0].error.message);
        CHECK_MSG(numbers.in_bands == 12, "%d: %lld in bands", which, (long long)numbers.in_bands);
        CHECK_MSG(which ? most == 1 : most > 1, "%d: %d at once", which, most);
        CHECK_MSG(numbers.most_memory <= options.memory_limit && (!which || numbers.most_memory > 288000),
                  "%d: %llu bytes at most", which, (unsigned long long)numbers.most_memory);
        for (int i = 0; i < 12; i++) {
            check_item("blur:1.5", &items[i]);
        }
    }
    gf_context_destroy(&context);
}

/* ---- descriptors ---- */

static atomic_int left, refused; /* descriptors that can be had */

static gf_status take_descriptor(struct item *item, gf_error *e)
{
    if (atomic_fetch_sub(&left, 1) > 0) {
        item->held++;
        return GF_OK;
    }
    atomic_fetch_add(&left, 1);
    atomic_fetch_add(&refused, 1);
    snprintf(e->message, sizeof e->message, "no descriptor is left");
    e->system = refused % 2 ? EMFILE : ENFILE;
    return GF_ERROR_INPUT;
}

static gf_status descriptor_open(void *user, gf_source *source, gf_error *e)
{
    struct item *item = user;
    gf_status status = take_descriptor(item, e);
    usleep(500);
    return status == GF_OK ? open_item(user, source, e) : status;
}

static gf_status descriptor_output(void *user, const gf_plan *plan, gf_sink *sink, gf_error *e)
{
    gf_status status = take_descriptor(user, e);
    return status == GF_OK ? open_output(user, plan, sink, e) : status;
}

static void give_back(void *user)
{
    struct item *item = user;
    atomic_fetch_add(&left, (int)item->held);
    item->held = 0;
    item->row = item->written = 0;
    memset(item->calls, 0, sizeof item->calls);
}

static void descriptor_end(void *user, const gf_batch_outcome *outcome)
{
    struct item *item = user;
    atomic_fetch_add(&left, (int)item->held);
    item->held = 0;
    end(user, outcome);
}

static gf_batch_numbers run_with(int descriptors, int tries_again, int n)
{
    gf_batch_options options = on_cpu(8, 0);
    gf_batch *batch = make_batch("blur:1.5,stats", &options);
    set_items(n, (gf_shape){64, 60, 3, GF_U8});
    atomic_store(&left, descriptors);
    atomic_store(&refused, 0);
    for (int i = 0; i < n; i++) {
        gf_batch_item made = GF_BATCH_ITEM_INIT;
        made.open = descriptor_open;
        made.output = descriptor_output;
        made.done = done;
        made.end = descriptor_end;
        made.user = &items[i];
        made.again = tries_again ? give_back : NULL;
        CHECK(gf_batch_add(batch, &made, &error) == GF_OK);
    }
    CHECK(gf_batch_finish(batch, &error) == GF_OK);
    gf_batch_numbers numbers = numbers_of(batch);
    gf_batch_destroy(&batch);
    CHECK_MSG(atomic_load(&left) == descriptors, "%d of %d descriptors", atomic_load(&left), descriptors);
    return numbers;
}

/* Each item needs two. */
static void descriptors_are_waited_for(void)
{
    open_context();
    for (int descriptors = 2; descriptors <= 16; descriptors *= 2) {
        gf_batch_numbers numbers = run_with(descriptors, 1, 150);
        CHECK_MSG(numbers.done == 150, "of %d: %lld done", descriptors, (long long)numbers.done);
        CHECK_MSG(descriptors == 16 ? atomic_load(&refused) == 0
                                    : descriptors == 8 || atomic_load(&refused) > 0,
                  "of %d: %d times refused", descriptors, atomic_load(&refused));
        for (int i = 0; i < 150; i++) {
            check_item("blur:1.5,stats", &items[i]);
        }
    }
    gf_context_destroy(&context);
}

static void alone_and_without(void)
{
    open_context();
    gf_batch_numbers numbers = run_with(1, 1, 20);
    CHECK_MSG(numbers.failed == 20, "%lld failed", (long long)numbers.failed);
    for (int i = 0; i < 20; i++) {
        CHECK(items[i].outcome.status == GF_ERROR_INPUT);
        CHECK(items[i].error.system == EMFILE || items[i].error.system == ENFILE);
    }
    numbers = run_with(0, 0, 20);
    CHECK_MSG(numbers.failed == 20 && atomic_load(&refused) == 20, "%d times refused", atomic_load(&refused));
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"what decoders hold counts", decoders_count},
    {"items that hold much among others", large_and_small},
    {"in bands, rows that come or go all at once", wholes_in_bands},
    {"descriptors that lack are waited for", descriptors_are_waited_for},
    {"one that lacks them alone fails, and so does one that is not to be begun again", alone_and_without},
};
CHECK_MAIN(cases)
