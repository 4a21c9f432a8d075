/* memory: a picture that came as bytes, say in a request, is filtered and leaves as bytes. No file is touched
 * by answer(); main stands for the network. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <stdlib.h>

/* Makes what is to be sent, as *reply, which gf_io_free_memory frees. */
static gf_status answer(const void *request, size_t request_size, const char *format, void **reply,
                        size_t *reply_size, gf_error *error)
{
    gf_picture *in = NULL, *out = NULL;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_pixels = 1 << 24; /* what strangers may ask for */
    gf_status status = gf_io_read_memory(request, request_size, "request", &limits, &in, error);
    if (status == GF_OK && (status = gf_context_create(NULL, &context, error)) == GF_OK &&
        (status = gf_pipeline_parse("gray,blur:sigma=2", NULL, 0, &pipeline, error)) == GF_OK &&
        (status = gf_plan_create(context, pipeline, &in->image.shape, NULL, &plan, error)) == GF_OK) {
        gf_shape shape = gf_plan_output(plan);
        if ((status = gf_picture_create(&shape, &out, error)) == GF_OK &&
            (status = gf_exec_create(plan, &exec, error)) == GF_OK &&
            (status = gf_exec_run(exec, &in->image, &out->image, error)) == GF_OK) {
            status = gf_io_write_memory(format, &out->image, NULL, NULL, reply, reply_size, error);
        }
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    gf_picture_destroy(&in);
    gf_picture_destroy(&out);
    return status;
}

static void *receive(const char *path, size_t *size)
{
    const size_t most = (size_t)1 << 24;
    FILE *file = fopen(path, "rb");
    void *bytes = file != NULL ? malloc(most) : NULL;
    *size = bytes != NULL ? fread(bytes, 1, most, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static int send_all(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    int ok = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && ok;
}

int main(int argc, char **argv)
{
    gf_error error = GF_ERROR_INIT;
    void *reply = NULL;
    size_t request_size = 0, reply_size = 0;
    if (argc != 4) {
        fprintf(stderr, "usage: memory IN FORMAT OUT\n");
        return 2;
    }
    void *request = receive(argv[1], &request_size);
    gf_status status = answer(request, request_size, argv[2], &reply, &reply_size, &error);
    if (status != GF_OK) {
        fprintf(stderr, "memory: %s\n", error.message);
    } else if (!send_all(argv[3], reply, reply_size)) {
        fprintf(stderr, "memory: cannot write %s\n", argv[3]);
        status = GF_ERROR_OUTPUT;
    } else {
        printf("answered in %s\n", argv[2]);
    }
    gf_io_free_memory(reply);
    free(request);
    return gf_status_exit_code(status);
}
