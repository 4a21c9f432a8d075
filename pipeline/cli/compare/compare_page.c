/* --html: one file with everything in it. The page is page.html, with the data in its place. */
#include "base/message.h"
#include "compare/compare_files.h"
#include "compare/compare_report.h"
#include "gpufilter/io_memory.h"
#include "gpufilter/pipeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const unsigned char page[] = {
#include "page.inc"
};

enum { MOST_BYTES = 64 << 20 }; /* of a file that goes into the page */

/* What browsers show as it is; NULL: not this suffix. */
static const char *mime_type(const char *path)
{
    static const char *const types[][2] = {
        {".png", "png"}, {".jpg", "jpeg"}, {".jpeg", "jpeg"}, {".webp", "webp"}, {".bmp", "bmp"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++) {
        if (!strcasecmp(dot, types[i][0])) {
            return types[i][1];
        }
    }
    return NULL;
}

static void add_source(struct buffer *text, const char *name, const char *type, const void *bytes,
                       size_t size)
{
    buffer_printf(text, ",\"%s\":\"data:image/%s;base64,", name, type);
    buffer_base64(text, bytes, size);
    buffer_add(text, "\"");
}

static gf_status add_png(struct buffer *text, const char *name, const gf_image *image)
{
    void *bytes = NULL;
    size_t size = 0;
    const gf_status status = gf_io_write_memory("png", image, NULL, NULL, &bytes, &size, NULL);
    if (status == GF_OK) {
        add_source(text, name, "png", bytes, size);
    }
    gf_io_free_memory(bytes);
    return status;
}

/* A picture of any other format as u8; nothing where it has no full scale. */
static gf_status add_converted(struct buffer *text, const char *name, const gf_image *image)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_picture *made = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_exec *exec = NULL;
    options.device = GF_DEVICE_CPU;
    const gf_shape shape = {image->shape.width, image->shape.height, image->shape.channels, GF_U8};
    gf_status status = GF_ERROR_UNSUPPORTED;
    if (gf_depth_white(image->shape.depth) > 0 &&
        (status = gf_context_create(NULL, &context, NULL)) == GF_OK &&
        (status = gf_pipeline_parse("convert:u8", NULL, 0, &pipeline, NULL)) == GF_OK &&
        (status = gf_plan_create(context, pipeline, &image->shape, &options, &plan, NULL)) == GF_OK &&
        (status = gf_exec_create(plan, &exec, NULL)) == GF_OK &&
        (status = gf_picture_create(&shape, &made, NULL)) == GF_OK &&
        (status = gf_exec_run(exec, image, &made->image, NULL)) == GF_OK) {
        status = add_png(text, name, &made->image);
    }
    gf_picture_destroy(&made);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

/* The picture of a file: the file itself where browsers know its format. What cannot be read is left out,
 * which the verdict has said; but not for want of memory. */
static gf_status add_picture(struct buffer *text, const struct criteria *criteria, const char *name,
                             const char *path, const gf_picture *picture)
{
    const char *type = path ? mime_type(path) : NULL;
    struct stat is;
    gf_picture *read = NULL;
    if (!path && !picture) {
        return GF_OK;
    }
    errno = 0;
    FILE *file = type && !picture && stat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_size <= MOST_BYTES
                     ? fopen(path, "rbe")
                     : NULL;
    gf_status status = type && !picture && !file && errno == ENOMEM ? GF_ERROR_MEMORY : GF_OK;
    if (file) {
        char *bytes = malloc((size_t)is.st_size + 1);
        if (bytes && fread(bytes, 1, (size_t)is.st_size, file) == (size_t)is.st_size) {
            add_source(text, name, type, bytes, (size_t)is.st_size);
        }
        fclose(file);
        free(bytes);
        return cli_need_memory(bytes != NULL && !text->failed);
    }
    status = status == GF_OK && !picture ? gf_io_read(path, &criteria->limits, &read, NULL) : status;
    if (status == GF_OK) {
        status = add_converted(text, name, picture ? &picture->image : &read->image);
    }
    gf_picture_destroy(&read);
    return cli_need_memory(status != GF_ERROR_MEMORY && !text->failed);
}

static gf_status add_pair(struct buffer *text, const struct criteria *criteria, struct pair *pair)
{
    struct buffer why = {0};
    gf_picture *marks = NULL;
    compare_report_why(&why, criteria, pair);
    buffer_add(text, "{\"name\":");
    buffer_json_name(text, pair_title(pair));
    buffer_printf(text, ",\"verdict\":\"%s\",\"text\":", verdict_word(pair->verdict));
    buffer_json_text(text, why.length ? why.data : verdict_word(pair->verdict));
    text->failed = text->failed || why.failed;
    buffer_free(&why);
    if (!verdict_passes(pair->verdict)) {
        CLI_TRY(add_picture(text, criteria, "a", pair->paths[0], pair->in[0].picture));
        CLI_TRY(add_picture(text, criteria, "b", pair->paths[1], pair->in[1].picture));
        if (pair->paths[0] && pair->paths[1] && !pair->form && pair->c.pixel_count > 0 &&
            pair->verdict != VERDICT_FAILED) {
            gf_status status = pair_draw_picture(criteria, pair, STYLE_MASK, INT64_MAX, &marks);
            if (status == GF_OK) {
                buffer_printf(text, ",\"at\":[%" PRId64 ",%" PRId64 "]", pair->c.area.x, pair->c.area.y);
                status = cli_need_memory(add_png(text, "marks", &marks->image) != GF_ERROR_MEMORY);
            }
            gf_picture_destroy(&marks);
            CLI_TRY(status);
        }
    }
    pair_close(pair);
    buffer_add(text, "}");
    return cli_need_memory(!text->failed);
}

static gf_status add_data(struct buffer *text, const struct criteria *criteria, struct pair_list *list)
{
    int64_t passed = pair_list_count(list, VERDICT_EQUAL) + pair_list_count(list, VERDICT_WITHIN);
    buffer_printf(text, "{\"summary\":\"%" PRId64 " of %" PRId64 " as expected\",\"pairs\":[", passed,
                  list->count);
    for (int64_t i = 0; i < list->count; i++) {
        buffer_add(text, i ? ",\n" : "\n");
        CLI_TRY(add_pair(text, criteria, &list->at[i]));
    }
    buffer_add(text, "]}");
    return cli_need_memory(!text->failed);
}

gf_status compare_page_add(struct buffer *text, const struct criteria *criteria, struct pair_list *list)
{
    static const char place[] = "@DATA@";
    const char *begin = (const char *)page;
    struct buffer data = {0};
    const char *at = begin;
    while (memcmp(at, place, sizeof place - 1) != 0) {
        at++;
    }
    const gf_status status = add_data(&data, criteria, list);
    if (status == GF_OK) {
        buffer_add_bytes(text, begin, (size_t)(at - begin));
        for (const char *c = data.data, *end = data.data + data.length;
             c < end;) { /* no end of the script in it */
            const size_t plain = strcspn(c, "<");
            buffer_add_bytes(text, c, plain);
            buffer_add(text, c[plain] ? "\\u003c" : "");
            c += plain + 1;
        }
        at += sizeof place - 1;
        buffer_add_bytes(text, at, sizeof page - (size_t)(at - begin));
    }
    buffer_free(&data);
    return status == GF_OK ? cli_need_memory(!text->failed) : status;
}
