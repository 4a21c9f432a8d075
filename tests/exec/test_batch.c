/* gf_batch: what comes out is what gf_exec_run makes, whatever goes on beside it; each item ends once,
 * however it ends; memory, plans and the queue stay within their bounds. On the CPU, and on two devices where
 * there are two. */
#define _DEFAULT_SOURCE /* setenv */
#include "batch/batch.h"
#include "batch_case.h"

static int has_two_devices(void)
{
    gf_device_description d = {.struct_size = sizeof d};
    return gf_device_describe(context, 2, 1, &d, NULL) == GF_OK;
}

static int has_device(void)
{
    gf_device_description d = {.struct_size = sizeof d};
    return gf_device_describe(context, 1, 1, &d, NULL) == GF_OK;
}

static void run_all(gf_batch *batch, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_MSG(add(batch, &items[i]) == GF_OK, "%s", error.message);
    }
    CHECK(gf_batch_finish(batch, &error) == GF_OK);
    for (int i = 0; i < n; i++) {
        CHECK_MSG(atomic_load(&items[i].ended) == 1, "item %d ended %d times", i,
                  atomic_load(&items[i].ended));
    }
}

static const char *const chains[] = {"blur:1.5,stats",        "stats",           "threshold:otsu",
                                     "median:2,invert,stats", "resize:50%,blur", "flip:y"};

static void equal_to_single_runs(void)
{
    open_context();
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        for (int32_t workers = 1; workers <= 4; workers += 3) {
            gf_batch_options options = GF_BATCH_OPTIONS_INIT;
            const gf_device cpu = GF_DEVICE_CPU;
            options.workers = workers;
            options.devices = &cpu;
            options.n_devices = 1;
            set_items(40, (gf_shape){31, 17, 1 + (int32_t)(c % 3), GF_U8});
            gf_batch *batch = make_batch(chains[c], &options);
            REQUIRE(batch != NULL);
            run_all(batch, 40);
            gf_batch_numbers numbers = numbers_of(batch);
            CHECK_MSG(numbers.done == 40 && numbers.failed == 0 && numbers.plans == 3 && numbers.on_cpu == 40,
                      "%lld done, %lld plans", (long long)numbers.done, (long long)numbers.plans);
            CHECK_MSG(numbers.execs <= 4L * workers, "%lld execs", (long long)numbers.execs);
            for (int i = 0; i < 40; i++) {
                check_item(chains[c], &items[i]);
                CHECK_MSG(!strcmp(items[i].calls, "orwtde"), "called in the order %s", items[i].calls);
                CHECK(items[i].outcome.device == GF_DEVICE_CPU && !items[i].outcome.fell_back);
            }
            gf_batch_destroy(&batch);
            CHECK(batch == NULL);
        }
    }
    gf_context_destroy(&context);
}

static void on_two_devices(void)
{
    open_context();
    if (!has_two_devices()) {
        gf_context_destroy(&context);
        SKIP("no two CUDA devices");
    }
    const gf_device both[] = {0, 1}, all[] = {GF_DEVICE_CPU, 0, 1};
    for (int with_cpu = 0; with_cpu < 2; with_cpu++) {
        gf_batch_options options = GF_BATCH_OPTIONS_INIT;
        options.workers = 8;
        options.runs = 2;
        options.devices = with_cpu ? all : both;
        options.n_devices = with_cpu ? 3 : 2;
        set_items(60, (gf_shape){31, 17, 3, GF_U8});
        gf_batch *batch = make_batch("blur:1.5,stats", &options);
        REQUIRE(batch != NULL);
        run_all(batch, 60);
        int64_t sum = 0;
        for (int32_t i = 0; i < options.n_devices; i++) {
            gf_device device;
            int64_t runs;
            CHECK(gf_batch_device(batch, i, &device, &runs) == GF_OK && device == options.devices[i]);
            CHECK_MSG(runs > 0 || device < 0, "device %d did nothing", device);
            sum += runs;
        }
        CHECK(sum == 60);
        for (int i = 0; i < 60; i++) {
            check_item("blur:1.5,stats", &items[i]);
        }
        gf_batch_destroy(&batch);
    }
    gf_context_destroy(&context);
}

/* Milliseconds of a run on the CPU and on a GPU, how many GPUs with how many runs each, how many wait. */
static void who_is_sooner(void)
{
    CHECK(gf_batch_cpu_is_sooner(0, 1, 1, 3, 0)); /* not known: it is tried */
    CHECK(gf_batch_cpu_is_sooner(100, 0, 1, 3, 0));
    CHECK(gf_batch_cpu_is_sooner(1, 1, 1, 1, 0));
    CHECK(!gf_batch_cpu_is_sooner(2.1, 1, 1, 1, 0)); /* a place is free after 1, the run is over after 2 */
    CHECK(!gf_batch_cpu_is_sooner(100, 3, 1, 3, 20));
    CHECK(gf_batch_cpu_is_sooner(100, 3, 1, 3, 100));
    CHECK(!gf_batch_cpu_is_sooner(100, 3, 2, 3, 100)); /* two GPUs serve them twice as fast */
}

/* Those that a GPU uses again and again are pinned, as far as half of the memory allows. */
static void pictures_are_pinned(void)
{
    open_context();
    if (!has_device()) {
        gf_context_destroy(&context);
        SKIP("no CUDA device");
    }
    const gf_device first = 0;
    for (int scarce = 0; scarce < 2; scarce++) {
        gf_batch_options options = GF_BATCH_OPTIONS_INIT;
        options.workers = 1;
        options.devices = &first;
        options.n_devices = 1;
        set_items(4, (gf_shape){120, 100, 3, GF_U8});
        const uint64_t pictures = 2 * 384 * 100;
        gf_batch *batch = make_batch("blur:1.5", &options);
        REQUIRE(batch != NULL);
        const uint64_t before = scarce ? batch->options.memory_limit / 2 : 0; /* as if others had it */
        batch->pinned = before;
        run_all(batch, 4);
        CHECK_MSG(batch->pinned == (scarce ? before : pictures), "%llu bytes are pinned",
                  (unsigned long long)batch->pinned);
        for (int i = 0; i < 4; i++) {
            check_item("blur:1.5", &items[i]);
        }
        gf_batch_destroy(&batch);
    }
    gf_context_destroy(&context);
}

/* Devices are chosen as of a plan; whoever has none at hand works beside them. */
static void chosen_devices(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    set_items(20, (gf_shape){64, 48, 3, GF_U8});
    gf_batch *batch = make_batch("blur:1.5,stats", &options);
    REQUIRE(batch != NULL);
    run_all(batch, 20);
    for (int i = 0; i < 20; i++) {
        check_item("blur:1.5,stats", &items[i]);
    }
    gf_batch_destroy(&batch);
    const gf_device none[] = {GF_DEVICE_CPU, 77}, twice[] = {GF_DEVICE_CPU, GF_DEVICE_CPU};
    gf_pipeline *pipeline = NULL;
    REQUIRE(gf_pipeline_parse("blur", NULL, 0, &pipeline, &error) == GF_OK);
    options.devices = none;
    options.n_devices = 2;
    CHECK(gf_batch_create(context, pipeline, &options, &batch, &error) == GF_ERROR_DEVICE && !batch);
    CHECK_MSG(strstr(error.message, ":77") != NULL, "%s", error.message);
    options.devices = twice;
    CHECK(gf_batch_create(context, pipeline, &options, &batch, &error) == GF_ERROR_ARGUMENT && !batch);
    CHECK_MSG(strstr(error.message, "cpu twice") != NULL, "%s", error.message);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

/* An item that fails takes nothing with it. */
static void failures(void)
{
    static const char letters[] = "orwtd";
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 3;
    for (int on_device = 0; on_device <= has_device(); on_device++) {
        const gf_device device = on_device ? 0 : GF_DEVICE_CPU;
        options.devices = &device;
        options.n_devices = 1;
        set_items(50, (gf_shape){31, 17, 1, GF_U8});
        for (int i = 0; i < 25; i++) {
            items[2 * i].fails_in = letters[i % 5];
            items[2 * i].fails_with = i % 2 ? GF_ERROR_INPUT : GF_ERROR_OUTPUT;
        }
        gf_batch *batch = make_batch("blur:1.5,stats", &options);
        REQUIRE(batch != NULL);
        run_all(batch, 50);
        for (int i = 0; i < 50; i++) {
            if (i % 2) {
                check_item("blur:1.5,stats", &items[i]);
                continue;
            }
            char letter = letters[i / 2 % 5], text[40];
            snprintf(text, sizeof text, "it was told to fail in %c", letter);
            CHECK_MSG(items[i].outcome.status == (i / 2 % 2 ? GF_ERROR_INPUT : GF_ERROR_OUTPUT), "status %d",
                      (int)items[i].outcome.status);
            CHECK_MSG(!strcmp(items[i].error.message, text), "%s", items[i].error.message);
            CHECK_MSG(strchr(items[i].calls, letter)[1] == 'e', "called in the order %s", items[i].calls);
        }
        gf_batch_numbers numbers = numbers_of(batch);
        CHECK(numbers.done == 25 && numbers.failed == 25 && numbers.running == 0 && numbers.waiting == 0);
        gf_batch_destroy(&batch);
    }
    gf_context_destroy(&context);
}

/* A stage that does not suit a shape fails the items of that shape. */
static void failures_of_plans(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 3;
    set_items(9, (gf_shape){30, 17, 1, GF_U8});
    gf_batch *batch = make_batch("crop:31x10+0+0,stats", &options);
    REQUIRE(batch != NULL);
    run_all(batch, 9);
    for (int i = 0; i < 9; i++) {
        if (i % 3) {
            check_item("crop:31x10+0+0,stats", &items[i]);
        } else {
            CHECK(items[i].outcome.status == GF_ERROR_ARGUMENT);
            CHECK_MSG(strstr(items[i].error.message, "crop") != NULL, "%s", items[i].error.message);
            CHECK(!strcmp(items[i].calls, "oe") && items[i].outcome.out.width == 0);
        }
    }
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

static void within_memory(void)
{
    open_context();
    const gf_device cpu = GF_DEVICE_CPU;
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 8;
    options.devices = &cpu;
    options.n_devices = 1;
    options.memory_limit = 250000;
    set_items(60, (gf_shape){64, 60, 3, GF_U8});
    for (int i = 0; i < 60; i += 10) {
        items[i].shape.height = 1500; /* alone too large: by bands */
    }
    gf_batch *batch = make_batch("blur:1.5,stats", &options);
    REQUIRE(batch != NULL);
    run_all(batch, 60);
    gf_batch_numbers numbers = numbers_of(batch);
    CHECK_MSG(numbers.done == 60 && numbers.most_memory <= 250000 && numbers.most_memory > 100000,
              "%lld done in %llu bytes at most", (long long)numbers.done,
              (unsigned long long)numbers.most_memory);
    CHECK_MSG(numbers.in_bands == 6, "%lld in bands", (long long)numbers.in_bands);
    for (int i = 0; i < 60; i++) {
        check_item("blur:1.5,stats", &items[i]);
    }
    gf_batch_destroy(&batch);
    options.memory_limit = 1000;
    set_items(3, (gf_shape){64, 60, 3, GF_U8});
    batch = make_batch("blur:1.5,stats", &options);
    REQUIRE(batch != NULL);
    run_all(batch, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_MSG(items[i].outcome.status == GF_ERROR_MEMORY, "%s", items[i].error.message);
    }
    gf_batch_destroy(&batch);
    options.memory_limit = 0;
    batch = make_batch("blur:1.5,stats", &options);
    CHECK(numbers_of(batch).memory_limit > 1 << 20);
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

/* Plans of more shapes than are kept come and go. */
static void many_shapes(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 2;
    options.plans = 2;
    for (int round = 0; round < 2; round++) {
        gf_batch *batch = make_batch("invert,stats", &options);
        REQUIRE(batch != NULL);
        set_items(100, (gf_shape){8, 1, 1, GF_U8});
        for (int i = 0; i < 100; i++) {
            items[i].shape.height = 1 + i % 25;
        }
        run_all(batch, 100);
        gf_batch_numbers numbers = numbers_of(batch);
        CHECK_MSG(numbers.plans >= 75, "%lld plans", (long long)numbers.plans);
        for (int i = 0; i < 100; i++) {
            check_item("invert,stats", &items[i]);
        }
        gf_batch_destroy(&batch);
    }
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"equal to single runs", equal_to_single_runs},
    {"on two devices", on_two_devices},
    {"a processor or a GPU, whoever is sooner", who_is_sooner},
    {"pictures that a GPU uses again are pinned", pictures_are_pinned},
    {"devices that are chosen, and that are not there", chosen_devices},
    {"an item that fails takes nothing with it", failures},
    {"a stage that does not suit a shape", failures_of_plans},
    {"within its memory", within_memory},
    {"more shapes than plans are kept", many_shapes},
};
CHECK_MAIN(cases)
