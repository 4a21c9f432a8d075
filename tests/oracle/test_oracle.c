/* Every line of oracle/INDEX.tsv: results against arrays that other libraries made (oracle/README.md has the
 * meaning of each column). Usage: test_oracle FOLDER [PART]: those
 * whose name contains PART alone. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MAX_CASES = 2000, FIELDS = 8 };

struct oracle {
    char line[2048];
    char *id, *input, *stages, *expect, *kind, *tolerance;
};

static struct oracle oracles[MAX_CASES];
static int n_oracles, at;
static const char *folder;

/* What one case has open. */
struct bench {
    gf_picture *in, *expect, *out;
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_error error;
};

static gf_status read_array(const char *name, gf_picture **picture, gf_error *error)
{
    char path[600];
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = 1;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return gf_io_read(path, &limits, picture, error);
}

static gf_status run(struct bench *b, const struct oracle *o)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.alpha = strstr(o->id, "weighed") ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT;
    gf_status status = read_array(o->input, &b->in, &b->error);
    if (status == GF_OK) {
        status = read_array(o->expect, &b->expect, &b->error);
    }
    if (status == GF_OK) {
        status = gf_context_create(NULL, &b->context, &b->error);
    }
    if (status == GF_OK) {
        status = gf_pipeline_parse(o->stages, NULL, 0, &b->pipeline, &b->error);
    }
    if (status == GF_OK) {
        status = gf_plan_create(b->context, b->pipeline, &b->in->image.shape, &options, &b->plan, &b->error);
    }
    if (status == GF_OK) {
        status = gf_exec_create(b->plan, &b->exec, &b->error);
    }
    if (status == GF_OK) {
        gf_shape shape = gf_plan_output(b->plan);
        status = gf_picture_create(&shape, &b->out, &b->error);
    }
    return status == GF_OK ? gf_exec_run(b->exec, &b->in->image, &b->out->image, &b->error) : status;
}

static void close_bench(struct bench *b)
{
    gf_exec_destroy(&b->exec);
    gf_plan_destroy(&b->plan);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
    gf_picture_destroy(&b->in);
    gf_picture_destroy(&b->expect);
    gf_picture_destroy(&b->out);
}

static double sample(const gf_image *image, int64_t y, int64_t i)
{
    const char *row = (const char *)image->data + y * image->pitch;
    switch (image->shape.depth) {
    case GF_U8:
        return ((const uint8_t *)row)[i];
    case GF_U16:
        return ((const uint16_t *)row)[i];
    case GF_F32:
        return (double)((const float *)row)[i];
    case GF_U32:
        return ((const uint32_t *)row)[i];
    case GF_U64:
        return (double)((const uint64_t *)row)[i];
    default:
        return ((const double *)row)[i];
    }
}

/* ---- pictures ---- */

static void check_picture(const struct bench *b, const char *tolerance)
{
    const gf_image *out = &b->out->image, *expect = &b->expect->image;
    int64_t row = out->shape.width * out->shape.channels, off = 0;
    double worst = 0;
    REQUIRE(row == expect->shape.width * expect->shape.channels && out->shape.height == expect->shape.height);
    for (int64_t y = 0; y < out->shape.height; y++) {
        for (int64_t i = 0; i < row; i++) {
            double difference = fabs(sample(out, y, i) - sample(expect, y, i));
            worst = difference > worst || isnan(difference) ? difference : worst;
            off += difference > 0.5 + 1e-9;
        }
    }
    double most = !strcmp(tolerance, "exact") ? 0 : !strcmp(tolerance, "f32") ? 1e-5 : 1;
    check_that(worst <= most, __FILE__, __LINE__, "largest difference %g, allowed %g", worst, most);
    if (!strcmp(tolerance, "int")) {
        int64_t samples = row * out->shape.height;
        check_that(off <= (samples + 99) / 100, __FILE__, __LINE__,
                   "%lld of %lld samples are not the nearest", (long long)off, (long long)samples);
    }
}

/* ---- results ---- */

static double field(const gf_result *result, const char *name, int32_t channel, int64_t i)
{
    const gf_field *f = gf_result_field(result, name);
    if (!f || channel >= f->channels || i >= f->count) {
        return NAN;
    }
    int64_t index = channel * f->count + i;
    return f->depth == GF_U64 ? (double)((const uint64_t *)f->values)[index]
                              : ((const double *)f->values)[index];
}

static void check_hist(const gf_result *result, const gf_image *expect)
{
    int64_t bins = expect->shape.width - 3;
    static const char *const rest[] = {"below", "above", "nan"};
    for (int32_t c = 0; c < expect->shape.height; c++) {
        for (int64_t i = 0; i < bins; i++) {
            check_near(field(result, "counts", c, i), sample(expect, c, i), 0, "counts", __FILE__, __LINE__);
        }
        for (int i = 0; i < 3; i++) {
            check_near(field(result, rest[i], c, 0), sample(expect, c, bins + i), 0, rest[i], __FILE__,
                       __LINE__);
        }
    }
}

static void check_stats(const gf_result *result, const gf_image *expect, const gf_shape *shape)
{
    static const char *const names[] = {"min", "max", "mean", "stddev", "sum", "count"};
    double bound = shape->depth == GF_F32 ? 1e-9 : 1e-12;
    for (int32_t c = 0; c < expect->shape.height; c++) {
        for (int i = 0; i < 6; i++) {
            double e = sample(expect, c, i);
            bool sum = i == 2 || i == 3 || i == 4;
            check_near(field(result, names[i], c, 0), e, sum ? bound * fabs(e) : 0, names[i], __FILE__,
                       __LINE__);
        }
        double width = (double)shape->width;
        check_near(field(result, "argmin", c, 0) + width * field(result, "argmin", c, 1),
                   sample(expect, c, 6), 0, "argmin", __FILE__, __LINE__);
        check_near(field(result, "argmax", c, 0) + width * field(result, "argmax", c, 1),
                   sample(expect, c, 7), 0, "argmax", __FILE__, __LINE__);
    }
}

static void check_level(const gf_result *result, const gf_image *expect)
{
    for (int32_t c = 0; c < expect->shape.height; c++) {
        double lo = sample(expect, c, 0), hi = sample(expect, c, 1), slack = lo < hi ? 1e-6 : 0;
        double level = field(result, "level", c, 0);
        check_that(level >= lo - slack && level <= hi + slack, __FILE__, __LINE__,
                   "level %g, expected %g to %g", level, lo, hi);
    }
}

/* ---- tables ---- */

static double number(const gf_column *column, int64_t i)
{
    return column->depth == GF_U32   ? ((const uint32_t *)column->values)[i]
           : column->depth == GF_U64 ? (double)((const uint64_t *)column->values)[i]
           : column->depth == GF_F32 ? (double)((const float *)column->values)[i]
                                     : ((const double *)column->values)[i];
}

/* Columns from `first` on, and their parts, against the columns of the array. */
static void check_rows(const gf_table *table, int32_t first, const gf_image *expect, double bound)
{
    REQUIRE(table && table->rows == expect->shape.height);
    for (int64_t row = 0; row < table->rows; row++) {
        int64_t at_column = 0;
        for (int32_t c = first; c < table->n_columns; c++) {
            const gf_column *column = &table->columns[c];
            for (int32_t part = 0; part < column->count; part++, at_column++) {
                double e = sample(expect, row, at_column);
                check_near(number(column, row * column->count + part), e,
                           column->depth == GF_F64 ? bound * fabs(e) : 0, column->name, __FILE__, __LINE__);
            }
        }
        CHECK_EQ_INT(at_column, expect->shape.width);
    }
}

static void one(void)
{
    const struct oracle *o = &oracles[at++];
    struct bench b = {.error = GF_ERROR_INIT};
    gf_status status = run(&b, o);
    const gf_result *result = b.exec ? gf_exec_result(b.exec, 0) : NULL;
    if (check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", o->stages, b.error.message)) {
        if (!strcmp(o->kind, "picture")) {
            check_picture(&b, o->tolerance);
        } else if (!strcmp(o->kind, "hist")) {
            check_hist(result, &b.expect->image);
        } else if (!strcmp(o->kind, "stats")) {
            check_stats(result, &b.expect->image, &b.in->image.shape);
        } else if (!strcmp(o->kind, "points")) {
            check_rows(gf_result_table(result, "points"), 0, &b.expect->image, 0);
        } else if (!strcmp(o->kind, "peaks")) {
            check_rows(gf_result_table(result, "peaks"), 0, &b.expect->image, 0);
        } else if (!strcmp(o->kind, "places")) {
            check_rows(gf_result_table(result, "places"), 0, &b.expect->image, 0);
        } else if (!strcmp(o->kind, "profile")) {
            check_rows(gf_result_table(result, "profile"), 0, &b.expect->image,
                       b.in->image.shape.depth == GF_F32 ? 1e-9 : 1e-12);
        } else if (!strcmp(o->kind, "regions")) {
            check_rows(gf_result_table(result, "regions"), 1, &b.expect->image, 1e-12);
        } else {
            check_that(!strcmp(o->kind, "level"), __FILE__, __LINE__, "unknown kind %s", o->kind);
            check_level(result, &b.expect->image);
        }
    }
    close_bench(&b);
}

static bool split(struct oracle *o)
{
    char *fields[FIELDS], *rest = o->line;
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = rest;
        rest += strcspn(rest, "\t\n");
        if (i + 1 < FIELDS && *rest != '\t') {
            return false;
        }
        *rest++ = '\0';
    }
    o->id = fields[0];
    o->input = fields[1];
    o->stages = fields[2];
    o->expect = fields[3];
    o->kind = fields[4];
    o->tolerance = fields[5];
    return true;
}

int main(int argc, char **argv)
{
    static struct check_case cases[MAX_CASES];
    char path[600];
    folder = argc > 1 ? argv[1] : ".";
    snprintf(path, sizeof path, "%s/INDEX.tsv", folder);
    FILE *index = fopen(path, "r");
    if (!index || !fgets(oracles[0].line, sizeof oracles[0].line, index)) {
        printf("not ok 1 - %s can be read\n1..1\n", path);
        return 1;
    }
    while (fgets(oracles[n_oracles].line, sizeof oracles[0].line, index)) {
        if (n_oracles + 1 == MAX_CASES) {
            printf("not ok 1 - %s has fewer than %d lines\n1..1\n", path, (int)MAX_CASES);
            return 1;
        }
        if (!split(&oracles[n_oracles])) {
            printf("not ok 1 - line %d of %s has %d fields\n1..1\n", n_oracles + 2, path, FIELDS);
            return 1;
        }
        if (argc < 3 || strstr(oracles[n_oracles].id, argv[2])) { /* the others' place is taken by the next */
            cases[n_oracles] = (struct check_case){oracles[n_oracles].id, one};
            n_oracles++;
        }
    }
    fclose(index);
    return check_run(cases, (size_t)n_oracles, NULL);
}
