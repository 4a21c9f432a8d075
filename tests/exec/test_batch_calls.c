/* gf_batch: its calls. The queue, adding and cancelling at any time, pictures and plans of the caller, and
 * what is refused. */
#define _DEFAULT_SOURCE /* setenv, usleep */
#include "batch_case.h"

/* ---- waiting ---- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static gf_batch *gated;
static atomic_int refused, let_in;

static gf_status open_gated(void *user, gf_source *source, gf_error *e)
{
    atomic_fetch_add(&let_in, 1);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return open_item(user, source, e);
}

static gf_status add_gated(gf_batch *batch, struct item *item)
{
    gf_batch_item made = GF_BATCH_ITEM_INIT;
    made.open = open_gated;
    made.end = end;
    made.user = item;
    return gf_batch_add(batch, &made, &error);
}

static void *add_one_more(void *argument)
{
    gf_status status = add_gated(gated, argument);
    return (void *)(intptr_t)status;
}

static void the_queue_is_bounded(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 1;
    options.queue = 2;
    set_items(5, (gf_shape){8, 8, 1, GF_U8});
    gated = make_batch("stats", &options);
    REQUIRE(gated != NULL);
    pthread_mutex_lock(&gate);
    atomic_store(&let_in, 0);
    CHECK(add_gated(gated, &items[0]) == GF_OK);
    while (atomic_load(&let_in) == 0) {
        usleep(1000);
    }
    CHECK(add_gated(gated, &items[1]) == GF_OK && add_gated(gated, &items[2]) == GF_OK);
    CHECK(numbers_of(gated).waiting == 2 && numbers_of(gated).running == 1);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, add_one_more, &items[3]) == 0);
    usleep(50000);
    CHECK_MSG(numbers_of(gated).waiting == 2, "%d wait", (int)numbers_of(gated).waiting);
    pthread_mutex_unlock(&gate);
    void *status = NULL;
    pthread_join(thread, &status);
    CHECK(status == NULL);
    CHECK(gf_batch_finish(gated, &error) == GF_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(items[i].outcome.status == GF_OK && atomic_load(&items[i].ended) == 1);
    }
    gf_batch_destroy(&gated);
    gf_context_destroy(&context);
}

/* A function of an item adds as long as there is room, and never waits for itself. */
static void end_and_add(void *user, const gf_batch_outcome *outcome)
{
    end(user, outcome);
    for (int i = 1; i < 4; i++) {
        gf_batch_item made = GF_BATCH_ITEM_INIT;
        gf_error e = GF_ERROR_INIT;
        made.open = open_item;
        made.end = end;
        made.user = &items[i];
        gf_status status = gf_batch_add(gated, &made, &e);
        atomic_fetch_add(&refused, status == GF_ERROR_LIMIT && strstr(e.message, "queue of 2 items"));
    }
    gf_error e = GF_ERROR_INIT;
    CHECK(gf_batch_finish(gated, &e) == GF_ERROR_ARGUMENT);
}

static void items_add_items(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 1;
    options.queue = 2;
    set_items(4, (gf_shape){8, 8, 1, GF_U8});
    gated = make_batch("stats", &options);
    REQUIRE(gated != NULL);
    atomic_store(&refused, 0);
    gf_batch_item made = GF_BATCH_ITEM_INIT;
    made.open = open_item;
    made.end = end_and_add;
    made.user = &items[0];
    CHECK(gf_batch_add(gated, &made, &error) == GF_OK);
    CHECK(gf_batch_finish(gated, &error) == GF_OK);
    CHECK_MSG(atomic_load(&refused) == 1, "%d refused", atomic_load(&refused));
    CHECK(atomic_load(&items[1].ended) == 1 && atomic_load(&items[2].ended) == 1 &&
          !atomic_load(&items[3].ended));
    gf_batch_destroy(&gated);
    gf_context_destroy(&context);
}

static void end_and_cancel(void *user, const gf_batch_outcome *outcome)
{
    end(user, outcome);
    gf_batch_cancel(gated);
}

static void cancelling(void)
{
    open_context();
    for (int when = 0; when < 40; when++) {
        if (!check_slice(when, 40)) {
            continue;
        }
        gf_batch_options options = GF_BATCH_OPTIONS_INIT;
        options.workers = 3;
        options.queue = 50;
        options.memory_limit = when % 2 ? 300000 : 0; /* some wait for memory */
        set_items(40, (gf_shape){64, 50, 3, GF_U8});
        gated = make_batch("blur:2,equalize,stats", &options);
        REQUIRE(gated != NULL);
        int added = 0;
        for (; added < 40; added++) {
            gf_batch_item made = GF_BATCH_ITEM_INIT;
            made.open = open_item;
            made.output = open_output;
            made.done = done;
            made.end = added == when ? end_and_cancel : end;
            made.user = &items[added];
            if (gf_batch_add(gated, &made, &error) != GF_OK) {
                CHECK(error.code == GF_ERROR_CANCELLED);
                break;
            }
        }
        CHECK(gf_batch_finish(gated, &error) == GF_OK);
        int whole = 0;
        for (int i = 0; i < added; i++) {
            gf_status status = items[i].outcome.status;
            CHECK(atomic_load(&items[i].ended) == 1);
            CHECK_MSG(status == GF_OK || status == GF_ERROR_CANCELLED, "%s", items[i].error.message);
            if (status == GF_OK) {
                whole++;
                check_item("blur:2,equalize,stats", &items[i]);
            }
        }
        CHECK(whole >= 1);
        gf_batch_numbers numbers = numbers_of(gated);
        CHECK(numbers.done == whole && numbers.cancelled == added - whole && numbers.failed == 0);
        CHECK(add(gated, &items[0]) == GF_ERROR_CANCELLED && atomic_load(&items[0].ended) == 1);
        gf_batch_destroy(&gated);
    }
    /* one that is under way is waited for */
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 2;
    set_items(10, (gf_shape){64, 50, 3, GF_U8});
    gated = make_batch("blur:2,stats", &options);
    REQUIRE(gated != NULL);
    for (int i = 0; i < 4; i++) {
        add(gated, &items[i]);
    }
    gf_batch_destroy(&gated);
    for (int i = 0; i < 4; i++) {
        CHECK(atomic_load(&items[i].ended) == 1);
    }
    gf_context_destroy(&context);
}

/* ---- pictures of the caller, plans of the caller ---- */

static void pictures_in_memory(void)
{
    static uint8_t pixels[20][64 * 48 * 3], made[20][64 * 48 * 3];
    static gf_image in[20], out[20];
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 3;
    gf_batch *batch = make_batch("blur:1.5,stats", &options);
    REQUIRE(batch != NULL);
    set_items(20, (gf_shape){64, 48, 3, GF_U8});
    for (int i = 0; i < 20; i++) {
        items[i].shape.width = 64;
        for (int k = 0; k < 64 * 48 * 3; k++) {
            pixels[i][k] = sample(items[i].seed, k);
        }
        in[i] = gf_image_view(pixels[i], 64, 48, 3, GF_U8, 0);
        out[i] = gf_image_view(made[i], 64, 48, 3, GF_U8, 0);
        gf_batch_item item = GF_BATCH_ITEM_INIT;
        item.in = &in[i];
        item.out = i % 4 ? &out[i] : NULL;
        item.done = done;
        item.end = end;
        item.user = &items[i];
        CHECK(gf_batch_add(batch, &item, &error) == GF_OK);
    }
    CHECK(gf_batch_finish(batch, &error) == GF_OK);
    for (int i = 0; i < 20; i++) {
        if (i % 4) {
            items[i].made = malloc(sizeof made[i]);
            memcpy(items[i].made, made[i], sizeof made[i]);
            check_item("blur:1.5,stats", &items[i]);
        } else {
            CHECK(items[i].outcome.status == GF_OK && items[i].mean > 0);
        }
    }
    gf_batch_item item = GF_BATCH_ITEM_INIT;
    CHECK(gf_batch_add(batch, &item, &error) == GF_ERROR_ARGUMENT);
    CHECK_MSG(strstr(error.message, "neither open nor in") != NULL, "%s", error.message);
    item.in = &in[0];
    item.open = open_item;
    CHECK(gf_batch_add(batch, &item, &error) == GF_ERROR_ARGUMENT);
    item.open = NULL;
    item.in = &(gf_image){.struct_size = 5};
    item.end = end;
    item.user = &items[0];
    set_items(1, (gf_shape){8, 8, 1, GF_U8});
    CHECK(gf_batch_add(batch, &item, &error) == GF_OK && gf_batch_finish(batch, &error) == GF_OK);
    CHECK(items[0].outcome.status == GF_ERROR_ARGUMENT);
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

static atomic_int planned, prepared;

static gf_status own_plan(void *user, int32_t kind, const gf_shape *shape, const gf_plan_options *options,
                          gf_plan **plan, gf_error *e)
{
    static const char *const texts[] = {"invert,stats", "blur:2,stats"};
    gf_pipeline *pipeline = NULL;
    CHECK(user == &planned);
    atomic_fetch_add(&planned, 1);
    if (kind > 1) {
        return GF_ERROR_UNSUPPORTED;
    }
    gf_status status = gf_pipeline_parse(texts[kind], NULL, 0, &pipeline, e);
    status = status == GF_OK ? gf_plan_create(context, pipeline, shape, options, plan, e) : status;
    gf_pipeline_destroy(&pipeline);
    return status;
}

static gf_status own_prepare(void *user, gf_exec *exec, gf_error *e)
{
    (void)user, (void)e;
    atomic_fetch_add(&prepared, exec != NULL);
    return GF_OK;
}

static void plans_of_the_caller(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    gf_batch *batch = NULL;
    options.workers = 2;
    options.plan = own_plan;
    options.prepare = own_prepare;
    options.user = &planned;
    REQUIRE(gf_batch_create(context, NULL, &options, &batch, &error) == GF_OK);
    set_items(30, (gf_shape){20, 20, 1, GF_U8});
    for (int i = 0; i < 30; i++) {
        gf_batch_item item = GF_BATCH_ITEM_INIT;
        item.kind = i % 10 == 9 ? 7 : i % 2;
        item.open = open_item;
        item.output = open_output;
        item.done = done;
        item.end = end;
        item.user = &items[i];
        CHECK(gf_batch_add(batch, &item, &error) == GF_OK);
    }
    CHECK(gf_batch_finish(batch, &error) == GF_OK);
    for (int i = 0; i < 30; i++) {
        if (i % 10 == 9) {
            CHECK_MSG(items[i].outcome.status == GF_ERROR_UNSUPPORTED &&
                          strstr(items[i].error.message, "gf_batch_options.plan"),
                      "%s", items[i].error.message);
        } else {
            check_item(i % 2 ? "blur:2,stats" : "invert,stats", &items[i]);
        }
    }
    CHECK_MSG(atomic_load(&planned) >= 6 && atomic_load(&planned) <= 9, "%d plans", atomic_load(&planned));
    CHECK(atomic_load(&prepared) == (int)numbers_of(batch).execs);
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

/* ---- what is refused ---- */

static void refusals(void)
{
    gf_batch *batch = NULL;
    gf_pipeline *pipeline = NULL;
    gf_batch_item item = GF_BATCH_ITEM_INIT;
    gf_batch_numbers numbers = {.struct_size = sizeof numbers};
    gf_device device;
    int64_t runs;
    open_context();
    REQUIRE(gf_pipeline_parse("stats", NULL, 0, &pipeline, &error) == GF_OK);
    CHECK(gf_batch_create(NULL, pipeline, NULL, &batch, &error) == GF_ERROR_ARGUMENT && !batch);
    CHECK(gf_batch_create(context, NULL, NULL, &batch, &error) == GF_ERROR_ARGUMENT && !batch);
    CHECK(gf_batch_create(context, pipeline, NULL, NULL, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_add(NULL, &item, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_finish(NULL, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_stats(NULL, &numbers) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_device(NULL, 0, &device, &runs) == GF_ERROR_ARGUMENT);
    gf_batch_cancel(NULL);
    gf_batch_destroy(NULL);
    gf_batch_destroy(&batch);
    static const size_t at[] = {offsetof(gf_batch_options, workers), offsetof(gf_batch_options, threads),
                                offsetof(gf_batch_options, queue),   offsetof(gf_batch_options, plans),
                                offsetof(gf_batch_options, runs),    offsetof(gf_batch_options, n_devices)};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        for (int k = 0; k < 2; k++) {
            gf_batch_options options = GF_BATCH_OPTIONS_INIT;
            *(int32_t *)(void *)((char *)&options + at[i]) = k ? INT32_MAX : -1;
            CHECK(gf_batch_create(context, pipeline, &options, &batch, &error) == GF_ERROR_ARGUMENT);
            CHECK_MSG(strstr(error.message, "must be from 0 to") != NULL, "%s", error.message);
        }
    }
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    for (uint32_t size = 0; size < sizeof options + 24; size++) {
        gf_batch_options given[2] = {GF_BATCH_OPTIONS_INIT};
        memset(&given[1], 0, sizeof given[1]);
        given[0].struct_size = size;
        given[0].workers = 1;
        bool good = size >= sizeof options && size % 8 == 0;
        gf_status status = gf_batch_create(context, pipeline, given, &batch, &error);
        CHECK_MSG((status == GF_OK) == good, "size %u: %d", size, (int)status);
        gf_batch_destroy(&batch);
    }
    REQUIRE(gf_batch_create(context, pipeline, NULL, &batch, &error) == GF_OK);
    CHECK(gf_batch_add(batch, NULL, &error) == GF_ERROR_ARGUMENT);
    item.struct_size = 3;
    CHECK(gf_batch_add(batch, &item, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_stats(batch, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_device(batch, -1, &device, &runs) == GF_ERROR_DEVICE);
    CHECK(gf_batch_device(batch, 1000, &device, &runs) == GF_ERROR_DEVICE);
    CHECK(gf_batch_device(batch, 0, NULL, &runs) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_device(batch, 0, &device, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_batch_finish(batch, NULL) == GF_OK);
    gf_batch_destroy(&batch);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"the queue is bounded", the_queue_is_bounded},
    {"items add items", items_add_items},
    {"cancelling", cancelling},
    {"pictures in memory", pictures_in_memory},
    {"plans of the caller", plans_of_the_caller},
    {"what is refused", refusals},
};
CHECK_MAIN(cases)
