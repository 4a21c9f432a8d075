/* receipt: hashes of what a device makes of a fixed list of chains, in which every kernel takes part.
 *
 *   receipt DEVICE           prints a line "hash text width height channels depth" a case
 *                            (DEVICE: cpu, reference, cuda)
 *   receipt --check FILE     TAP: recomputes every such line of FILE on the CPU, and on CUDA or its emulation
 *                            where there is one, and compares. GPUFILTER_TEST_SLICE: see check.h
 *   receipt --check FILE --each
 *                            besides the share always the lines of is_first, so that every kernel runs */
#include "base/device.h"
#include "check.h"
#include "parity.h"
#include "stage_cases.h"
#include "stage_inputs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

static const char *const texts[] = {
    "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
    "blur:sigma=0.6",
    "blur:sigma=1:border=wrap",
    "blur:sigma=2.5:border=reflect101",
    "blur:sigma=7:radius=21:border=constant:value=0.4",
    "box:radius=1",
    "box:radius=9:border=reflect",
    "box:radius=40:border=reflect101",
    "sobel",
    "sobel:roi=60x31+9+7",
    "threshold:otsu",
    "equalize,stats",
    "gamma:2.2,hist:bins=33:min=0.1:max=0.8",
    "convert:f32,blur:sigma=1.5,gamma:0.45,convert:u16,stats",
    "invert,brightness:0.1,contrast:1.5,box:radius=2,sobel,equalize,hist",
    "stats,hist",
    "hist:roi=60x31+9+7",
    "blur:sigma=8:border=reflect",
    "blur:sigma=17.5,hist",
    "invert,blur:sigma=33:border=constant:value=0.3",
    "blur:sigma=70:border=wrap",
    "box:700:border=reflect",
    "box:1000000",
    "box:300:border=constant:value=0.3",
    "blur:sigma=5:radius=300:border=wrap",
    "blur:sigma=400:radius=1000000",
    "gray,threshold:0.3,distance",
    "gray,invert,threshold:0.1,distance:chessboard:output=nearest",
};
static const int64_t sizes[][2] = {{1, 1}, {3, 200}, {513, 67}, {1030, 130}};
enum { TEXTS = sizeof texts / sizeof *texts, SIZES = sizeof sizes / sizeof *sizes, MAX_TEXT = 256 };

static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ p[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t hash_run(const gf_exec *exec, const gf_image *out)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    size_t row = (size_t)(out->shape.width * out->shape.channels) * gf_depth_size(out->shape.depth);
    for (int64_t y = 0; y < out->shape.height; y++) {
        hash = fnv(hash, (const char *)out->data + y * out->pitch, row);
    }
    for (int32_t r = 0; r < gf_exec_result_count(exec); r++) {
        const gf_result *result = gf_exec_result(exec, r);
        for (int32_t f = 0; f < result->n_fields; f++) {
            const gf_field *field = &result->fields[f];
            hash = fnv(hash, field->values, (size_t)(field->channels * field->count) * 8);
        }
        for (int64_t t = 0; t < result->n_tables; t++) {
            const gf_table *table = &result->tables[t];
            for (int32_t c = 0; c < table->n_columns; c++) {
                const gf_column *column = &table->columns[c];
                hash = fnv(hash, column->values,
                           (size_t)(table->rows * column->count) * gf_depth_size(column->depth));
            }
        }
    }
    return hash;
}

/* Runs again from a packed picture in the device's own memory, which other kernels may take than the padded
 * copies that are made of a picture on the host, and adds to *same whether the hash is the same. */
static gf_status run_packed(gf_exec *exec, const gf_image *in, gf_device device, gf_image *out, uint64_t hash,
                            bool *same, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(device);
    const gf_queue queue = {device, NULL};
    const size_t row = (size_t)(in->shape.width * in->shape.channels) * gf_depth_size(in->shape.depth);
    gf_image packed = *in;
    packed.device = device;
    packed.pitch = (int64_t)row;
    packed.data = NULL;
    gf_status status = backend->allocate(device, row * (size_t)in->shape.height, &packed.data, error);
    if (status == GF_OK) {
        status = backend->copy(queue, GF_COPY_UPLOAD, packed.data, packed.pitch, in->data, in->pitch, row,
                               in->shape.height, error);
    }
    status = status == GF_OK ? backend->wait(queue, error) : status;
    status = status == GF_OK ? gf_exec_run(exec, &packed, out, error) : status;
    *same = *same && status == GF_OK && hash_run(exec, out) == hash;
    backend->release(device, packed.data);
    return status;
}

/* The hash of one case on one device; false after saying why not on stdout. */
static bool hash_case(const char *text, const gf_shape *shape, gf_device device, uint64_t *hash)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    struct parity_picture in = {0}, out = {0};
    struct stage_inputs others = {0};
    struct plan_random random;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.alpha = GF_ALPHA_STRAIGHT;
    bool ok = parity_picture_make(&in, shape, 0) && gf_context_create(NULL, &context, &error) == GF_OK &&
              gf_pipeline_parse(text, NULL, 0, &pipeline, &error) == GF_OK;
    if (ok) {
        stage_inputs_find(pipeline, shape, &others, &options);
    }
    ok = ok && gf_plan_create(context, pipeline, shape, &options, &plan, &error) == GF_OK &&
         gf_exec_create(plan, &exec, &error) == GF_OK && stage_inputs_give(&others, exec, &error) == GF_OK;
    if (ok) {
        gf_shape made = gf_plan_output(plan);
        plan_random_seed(&random, (uint64_t)(shape->width * 31 + shape->channels), 3);
        plan_random_picture(&random, shape->width % 2 ? PLAN_SMOOTH : PLAN_EXTREMES, false, &in.image);
        ok = parity_picture_make(&out, &made, 0) && gf_exec_run(exec, &in.image, &out.image, &error) == GF_OK;
    }
    if (ok) {
        *hash = hash_run(exec, &out.image);
        if (device >= 0 && shape->channels == 1) {
            run_packed(exec, &in.image, device, &out.image, *hash, &ok, &error);
        }
    }
    if (!ok) {
        printf("# %s: %s\n", text, error.message[0] ? error.message : "a packed picture gives another hash");
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    parity_picture_free(&in);
    parity_picture_free(&out);
    stage_inputs_free(&others);
    return ok;
}

typedef bool visit_case(const char *text, const gf_shape *shape, void *user);

/* The chains above: they are what hashes were made of when there were no tables to draw from. */
static bool each_chain(visit_case *visit, void *user)
{
    for (int t = 0; t < TEXTS; t++) {
        for (int s = 0; s < SIZES; s++) {
            for (int32_t channels = 1; channels <= 4; channels++) {
                for (int depth = GF_U8; depth <= GF_F32; depth++) {
                    gf_shape shape = {sizes[s][0], sizes[s][1], channels, (gf_depth)depth};
                    bool fits = !strstr(texts[t], "roi") || (shape.width >= 69 && shape.height >= 38);
                    if (fits && !visit(texts[t], &shape, user)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

struct drawn {
    visit_case *visit;
    void *user;
    const gf_shape *shape;
    bool ok;
};

static void visit_drawn(const char *text, const gf_stage_type *type, const gf_param *row, const gf_plan *plan,
                        void *user)
{
    struct drawn *drawn = user;
    (void)type, (void)row, (void)plan;
    drawn->ok = drawn->ok && strlen(text) < MAX_TEXT && drawn->visit(text, drawn->shape, drawn->user);
}

/* Every parameter of every stage (stage_cases.h). */
static bool each_stage(visit_case *visit, void *user)
{
    static const gf_shape shapes[] = {{513, 67, 3, GF_U8}, {130, 71, 4, GF_U16}, {257, 41, 1, GF_F32}};
    gf_context *context = NULL;
    int32_t n;
    const gf_stage_type *const *types = picture_stage_types(&n);
    char why[512] = "";
    bool ok = gf_context_create(NULL, &context, NULL) == GF_OK;
    for (int32_t t = 0; ok && t < n; t++) {
        for (size_t s = 0; ok && s < sizeof shapes / sizeof *shapes; s++) {
            struct drawn drawn = {visit, user, &shapes[s], true};
            ok =
                stage_cases(context, types[t], &shapes[s], NULL, visit_drawn, &drawn, why, sizeof why) >= 0 &&
                drawn.ok;
        }
    }
    if (why[0]) {
        printf("# %s\n", why);
    }
    gf_context_destroy(&context);
    return ok;
}

/* Calls visit for every case of the list until it returns false. */
static bool each_case(visit_case *visit, void *user)
{
    return each_chain(visit, user) && each_stage(visit, user);
}

static bool print_case(const char *text, const gf_shape *shape, void *device)
{
    uint64_t hash;
    if (!hash_case(text, shape, *(gf_device *)device, &hash)) {
        return false;
    }
    printf("%016" PRIx64 " %s %" PRId64 " %" PRId64 " %d %s\n", hash, text, shape->width, shape->height,
           shape->channels, gf_depth_name(shape->depth));
    return true;
}

/* ---- checking the lines of a file ---- */

struct line {
    uint64_t hash;
    char text[MAX_TEXT];
    gf_shape shape;
    bool always; /* whatever the share */
};

enum { MAX_LINES = 16384 };
static struct line lines[MAX_LINES];
static long n_lines;

/* "hash text width height channels depth"; the text may have spaces. */
static bool read_line(const char *text, struct line *line)
{
    const char *begin = strchr(text, ' '), *end = text + strlen(text);
    char depth[8];
    int d = GF_U8;
    for (int fields = 0; fields < 4 && end > text; fields++) { /* back to the space before the last four */
        do {
            end--;
        } while (end > text && *end != ' ');
    }
    if (!begin || end <= begin || end - begin > (int)sizeof line->text ||
        sscanf(text, "%16" SCNx64, &line->hash) != 1 ||
        sscanf(end, " %" SCNd64 " %" SCNd64 " %d %7s", &line->shape.width, &line->shape.height,
               &line->shape.channels, depth) != 4) {
        return false;
    }
    memcpy(line->text, begin + 1, (size_t)(end - begin - 1));
    line->text[end - begin - 1] = '\0';
    while (d <= GF_F32 && strcmp(depth, gf_depth_name((gf_depth)d)) != 0) {
        d++;
    }
    line->shape.depth = (gf_depth)d;
    return d <= GF_F32;
}

/* Reads all lines of the file; false, after saying why, when one of them is none. */
static bool read_lines(FILE *file)
{
    char text[512];
    while (n_lines < MAX_LINES && fgets(text, sizeof text, file)) {
        if (!read_line(text, &lines[n_lines++])) {
            printf("Bail out! line %ld is no hash of a case: %s", n_lines, text);
            return false;
        }
    }
    return true;
}

/* Tells whether no line before this one has its stage, alone in its chain, and depth; the chains above, whose
 * radii need kernels of their own, have a gray picture each. */
static bool is_first(long line)
{
    const gf_shape *shape = &lines[line].shape;
    if (shape->channels == 1 && shape->depth == GF_U8 && shape->width == sizes[2][0]) {
        return true;
    }
    const char *text = lines[line].text;
    const size_t name = strcspn(text, ":");
    for (long i = 0; i < line; i++) {
        if (lines[i].shape.depth == lines[line].shape.depth && strcspn(lines[i].text, ":") == name &&
            memcmp(lines[i].text, text, name) == 0) {
            return false;
        }
    }
    return memchr(text, ',', name) == NULL;
}

static void check_device(gf_device device)
{
    for (long i = 0; i < n_lines; i++) {
        const struct line *line = &lines[i];
        uint64_t hash = 0;
        if (check_slice(i, n_lines) || line->always) {
            bool ran = hash_case(line->text, &line->shape, device, &hash);
            CHECK_MSG(ran && hash == line->hash,
                      "line %ld, %s on %s: %016" PRIx64 ", the file has %016" PRIx64, i + 1, line->text,
                      gf_depth_name(line->shape.depth), hash, line->hash);
        }
    }
    CHECK_MSG(n_lines >= 500, "the file has only %ld lines", n_lines);
}

/* A case that is in the list and not yet in the file: the two devices, at least, agree. */
static bool visit_new(const char *text, const gf_shape *shape, void *user)
{
    long *count = user;
    for (long i = 0; i < n_lines; i++) {
        const gf_shape *s = &lines[i].shape;
        if (strcmp(lines[i].text, text) == 0 && s->width == shape->width && s->height == shape->height &&
            s->channels == shape->channels && s->depth == shape->depth) {
            return true;
        }
    }
    if (check_slice((*count)++, LONG_MAX) && parity_has_cuda()) {
        uint64_t a = 0, b = 0;
        bool ran = hash_case(text, shape, GF_DEVICE_CPU, &a) && hash_case(text, shape, 0, &b);
        CHECK_MSG(ran && a == b, "%s on %" PRId64 " x %" PRId64 " x %d %s: CPU and CUDA differ", text,
                  shape->width, shape->height, shape->channels, gf_depth_name(shape->depth));
    }
    return true;
}

static void complete(void)
{
    long count = 0;
    each_case(visit_new, &count);
    if (count > 0 && check_now.failures == 0) {
        SKIP("%ld have none yet: script/test-gpu writes them on a machine with a GPU", count);
    }
}

static void cpu(void)
{
    check_device(GF_DEVICE_CPU);
}

static void cuda(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    check_device(0);
}

int main(int argc, char **argv)
{
    static const struct check_case cases[] = {{"the CPU gives the hashes of the file", cpu},
                                              {"CUDA gives the hashes of the file", cuda},
                                              {"every case of the list has a hash", complete}};
    static const char *const names[] = {"cpu", "reference", "cuda"};
    gf_device devices[] = {GF_DEVICE_CPU, GF_DEVICE_REFERENCE, 0};
    const bool each = argc == 4 && !strcmp(argv[3], "--each");
    if ((argc == 3 || each) && !strcmp(argv[1], "--check")) {
        FILE *file = fopen(argv[2], "r");
        if (!file) {
            printf("Bail out! no file %s\n", argv[2]);
            return 2;
        }
        bool whole = read_lines(file);
        fclose(file);
        for (long i = 0; each && i < n_lines; i++) {
            lines[i].always = is_first(i);
        }
        return whole ? check_run(cases, sizeof cases / sizeof *cases, NULL) : 2;
    }
    for (int i = 0; argc == 2 && i < 3; i++) {
        if (!strcmp(argv[1], names[i])) {
            return each_case(print_case, &devices[i]) ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: receipt cpu|reference|cuda | receipt --check FILE [--each]\n");
    return 2;
}
