/* --stages as the program reads them, with their files of numbers: behind the text's first zero byte a .npy,
 * at p.npy, or where it begins with no magic a .cube, at p.cube. What is read prints and can be planned, or
 * it is said why not. */
#define _GNU_SOURCE /* mkdtemp */
#include "fuzz.h"

#include "base/message.h"
#include "job/job.h"

#include <unistd.h>

enum { MOST_TEXT = 256, MOST_PRINT = 1 << 20 };

static char folder[] = "/tmp/gpufilter-fuzz-XXXXXX";

static void remove_folder(void)
{
    if (chdir(folder) == 0) {
        unlink("p.npy");
        unlink("p.cube");
    }
    if (chdir("/") == 0) {
        rmdir(folder);
    }
}

/* Both files, one of which is empty. */
static void write_files(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"p.npy", "p.cube"};
    static int begun;
    if (!begun) {
        FUZZ_CHECK(mkdtemp(folder) != NULL, "no folder %s", folder);
        atexit(remove_folder);
    }
    begun = 1;
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "wb");
        const size_t count = (strcmp(fuzz_format(data, size), "npy") == 0) == (i == 0) ? size : 0;
        FUZZ_CHECK(file != NULL && fwrite(data, 1, count, file) == count && fclose(file) == 0, "%s", path);
    }
}

/* `@p.` becomes a path in the folder; a text that names another file is left out. */
static int place(const char *text, struct buffer *placed)
{
    for (const char *at; (at = strchr(text, '@')) != NULL; text = at + 1) {
        if (strncmp(at + 1, "p.", 2) != 0) {
            return 0;
        }
        buffer_add_bytes(placed, text, (size_t)(at + 1 - text));
        buffer_printf(placed, "%s/", folder);
    }
    buffer_add(placed, text);
    return placed->length > 0;
}

static void use(gf_pipeline *pipeline)
{
    static char printed[MOST_PRINT];
    static const gf_shape shapes[] = {{7, 5, 3, GF_U8}, {9, 1, 1, GF_F32}};
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    size_t length = 0;
    for (int json = 0; json < 2; json++) {
        fuzz_status(gf_pipeline_print(pipeline, json ? GF_PRINT_JSON : GF_PRINT_TEXT, printed, sizeof printed,
                                      &length, &error),
                    &error);
        FUZZ_CHECK(length < sizeof printed && strlen(printed) == length, "%zu bytes", length);
    }
    fuzz_status(gf_context_create(NULL, &context, &error), &error);
    for (int i = 0; i < 2; i++) {
        gf_plan *plan = NULL;
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        options.device = GF_DEVICE_CPU;
        options.threads = 1;
        error = (gf_error)GF_ERROR_INIT;
        fuzz_status(gf_plan_create(context, pipeline, &shapes[i], &options, &plan, &error), &error);
        gf_plan_destroy(&plan);
    }
    gf_context_destroy(&context);
}

void fuzz_params(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT + 1];
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t length = zero != NULL ? (size_t)(zero - data) : size;
    struct job job = {.options.has_stages = true};
    struct buffer placed = {0};
    gf_error error = GF_ERROR_INIT;
    if (length > MOST_TEXT || size > (size_t)1 << 15) {
        return;
    }
    memcpy(text, data, length);
    text[length] = '\0';
    write_files(zero != NULL ? zero + 1 : data, zero != NULL ? size - length - 1 : 0);
    job_options_begin(&job.options);
    job.options.has_stages = true;
    job.options.limits = fuzz_limits(1);
    cli_catch(&error);
    if (place(text, &placed)) {
        gf_status status = stages_text_add(&job.options.stages, placed.data);
        status = status == GF_OK ? job_parse(&job) : status;
        status = status == GF_OK ? job_read_lists(&job) : status;
        FUZZ_CHECK(status == GF_OK || error.message[0] != '\0', "%d without a message", (int)status);
        FUZZ_CHECK(status != GF_ERROR_INTERNAL, "%s", error.message);
        if (status == GF_OK) {
            use(job.pipeline);
        }
    }
    cli_catch(NULL);
    gf_pipeline_destroy(&job.pipeline);
    job_options_free(&job.options);
    buffer_free(&placed);
}
