/* batch: many pictures through one chain, on every processor and GPU, from C.
 *
 *     batch DIR STAGES IN...        writes DIR/NAME of each, and prints the mean brightness of what came out
 *
 * A picture is read, filtered and written by whichever thread of the batch takes it; memory is bounded by
 * what the headers say. What fails is said, and the others go on. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture on its way. */
struct picture {
    const char *from;
    char to[4096];
    gf_reader *reader;
    gf_writer *writer;
    double mean;
    int failed;
};

static gf_status open_input(void *user, gf_source *source, gf_error *error)
{
    struct picture *picture = user;
    gf_status status = gf_reader_open(picture->from, NULL, &picture->reader, error);
    *source = gf_reader_source(picture->reader);
    return status;
}

static gf_status open_output(void *user, const gf_plan *plan, gf_sink *sink, gf_error *error)
{
    struct picture *picture = user;
    gf_shape shape = gf_plan_output(plan);
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.threads = 1; /* the others have pictures of their own */
    gf_status status = gf_writer_open(picture->to, &shape, NULL, &options, &picture->writer, error);
    *sink = gf_writer_sink(picture->writer);
    return status;
}

/* Only now is the input known to be sound, and the output appears. */
static gf_status done(void *user, gf_exec *exec, gf_error *error)
{
    struct picture *picture = user;
    gf_status status = gf_reader_finish(picture->reader, error);
    if (status == GF_OK) {
        gf_result_number(gf_exec_result_named(exec, "after"), "mean", 0, &picture->mean, NULL);
        status = gf_writer_commit(&picture->writer, error);
    }
    return status;
}

static void end(void *user, const gf_batch_outcome *outcome)
{
    struct picture *picture = user;
    gf_writer_abort(&picture->writer);
    gf_reader_close(&picture->reader);
    picture->failed = outcome->status != GF_OK;
    if (picture->failed) {
        fprintf(stderr, "batch: %s\n", outcome->error->message);
    }
}

static gf_status run(gf_batch *batch, struct picture *pictures, int count, gf_error *error)
{
    gf_status status = GF_OK;
    for (int i = 0; i < count && status == GF_OK; i++) {
        gf_batch_item item = GF_BATCH_ITEM_INIT;
        item.open = open_input;
        item.output = open_output;
        item.done = done;
        item.end = end;
        item.user = &pictures[i];
        status = gf_batch_add(batch, &item, error); /* waits while enough of them are on their way */
    }
    return status == GF_OK ? gf_batch_finish(batch, error) : status;
}

int main(int argc, char **argv)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_batch *batch = NULL;
    if (argc < 4) {
        fprintf(stderr, "usage: batch DIR STAGES IN...\n");
        return 2;
    }
    int count = argc - 3, failed = 0;
    struct picture *pictures = calloc((size_t)count, sizeof *pictures);
    for (int i = 0; pictures && i < count; i++) {
        const char *slash = strrchr(argv[3 + i], '/');
        pictures[i].from = argv[3 + i];
        snprintf(pictures[i].to, sizeof pictures[i].to, "%s/%s", argv[1], slash ? slash + 1 : argv[3 + i]);
    }
    if (pictures && gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse(argv[2], NULL, 0, &pipeline, &error) == GF_OK &&
        gf_pipeline_append(pipeline, gf_stage_find("stats"), "name=after", &error) == GF_OK &&
        gf_batch_create(context, pipeline, NULL, &batch, &error) == GF_OK) {
        run(batch, pictures, count, &error);
    }
    gf_batch_destroy(&batch); /* nothing of it runs any more */
    for (int i = 0; pictures && i < count && error.code == GF_OK; i++) {
        failed += pictures[i].failed;
        if (!pictures[i].failed) {
            printf("%s: mean %.2f\n", pictures[i].to, pictures[i].mean);
        }
    }
    if (error.code != GF_OK) {
        fprintf(stderr, "batch: %s\n", error.message);
    }
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    free(pictures);
    return error.code != GF_OK ? gf_status_exit_code(error.code) : failed ? 8 : 0;
}
