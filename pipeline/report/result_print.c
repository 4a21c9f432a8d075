/* Results as text for people and as JSON: decided by the form of a field, not by its stage.
 * A field of many values a channel is drawn as a bar chart, scalars and positions as a table. */
#include "base/text.h"
#include "lang/pipeline.h"

#include <string.h>

enum { CHART_ROWS = 16, CHART_COLUMNS = 48, FEW = 2, MAX_COLUMNS = 16 };

static double value_at(const gf_field *field, int32_t channel, int64_t i)
{
    int64_t index = channel * field->count + i;
    return field->depth == GF_U64 ? (double)((const uint64_t *)field->values)[index]
                                  : ((const double *)field->values)[index];
}

static void add_value(struct gf_text *text, const gf_field *field, int32_t channel, int64_t i)
{
    if (field->depth == GF_U64) {
        uint64_t value = ((const uint64_t *)field->values)[channel * field->count + i];
        gf_text_append(text, "%llu", (unsigned long long)value);
    } else {
        gf_text_json_number(text, value_at(field, channel, i));
    }
}

/* ---- text ---- */

/* The sum of the values that fall in row `row` of the chart. */
static double chart_sum(const gf_field *field, int32_t channel, int64_t row, int64_t rows, int64_t *from,
                        int64_t *to)
{
    double sum = 0;
    *from = field->count * row / rows;
    *to = field->count * (row + 1) / rows;
    for (int64_t i = *from; i < *to; i++) {
        sum += value_at(field, channel, i);
    }
    return sum;
}

static void add_chart(struct gf_text *text, const gf_field *field, int32_t channel)
{
    int64_t rows = field->count < CHART_ROWS ? field->count : CHART_ROWS;
    int64_t from, to;
    double most = 0, total = 0;
    for (int64_t row = 0; row < rows; row++) {
        double sum = chart_sum(field, channel, row, rows, &from, &to);
        most = sum > most ? sum : most;
        total += sum;
    }
    for (int64_t row = 0; row < rows; row++) {
        double sum = chart_sum(field, channel, row, rows, &from, &to);
        size_t bar = most > 0 ? (size_t)(sum / most * CHART_COLUMNS + 0.5) : 0;
        gf_text_append(text, "  %5lld-%-5lld |", (long long)from, (long long)(to - 1));
        gf_text_repeat(text, '#', bar);
        gf_text_repeat(text, ' ', CHART_COLUMNS - bar);
        gf_text_fixed(text, 7, 2, total > 0 ? 100 * sum / total : 0);
        gf_text_string(text, "%\n");
    }
}

static void add_table(struct gf_text *text, const gf_result *result)
{
    for (int32_t f = 0; f < result->n_fields; f++) {
        const gf_field *field = &result->fields[f];
        if (field->count > FEW) {
            continue;
        }
        gf_text_append(text, "  %-8s", field->name);
        for (int32_t c = 0; c < field->channels; c++) {
            char cell[64];
            struct gf_text inside = gf_text_begin(cell, sizeof cell);
            for (int64_t i = 0; i < field->count; i++) {
                gf_text_string(&inside, i ? "," : "");
                add_value(&inside, field, c, i);
            }
            gf_text_append(text, " %22s", cell);
        }
        gf_text_string(text, "\n");
    }
}

/* A level as an intensity, so that what was found can be given to a stage. One of f32 is one as it is. */
static void add_written_level(struct gf_text *text, const gf_result *result)
{
    const gf_field *level = gf_result_field(result, "level");
    gf_depth depth = result->shape.depth;
    if (!level || level->count != 1 || (depth != GF_U8 && depth != GF_U16)) {
        return;
    }
    gf_text_append(text, "  %-8s", "written");
    for (int32_t c = 0; c < level->channels; c++) {
        char cell[64];
        struct gf_text inside = gf_text_begin(cell, sizeof cell);
        gf_text_number(&inside, value_at(level, c, 0));
        gf_text_append(&inside, "%s", gf_depth_name(depth));
        gf_text_append(text, " %22s", cell);
    }
    gf_text_string(text, "\n");
}

static void print_text(const gf_result *result, struct gf_text *text)
{
    gf_text_append(text, "%s (stage %d)%s%s\n", result->stage, result->index + 1, *result->name ? " " : "",
                   result->name);
    for (int32_t f = 0; f < result->n_fields; f++) {
        const gf_field *field = &result->fields[f];
        for (int32_t c = 0; field->count > FEW && c < field->channels; c++) {
            gf_text_append(text, "  %s, channel %d of %d, bins %lld\n", field->name, c, field->channels,
                           (long long)field->count);
            add_chart(text, field, c);
        }
    }
    add_table(text, result);
    add_written_level(text, result);
}

/* ---- JSON ---- */

static void json_field(struct gf_text *text, const gf_field *field)
{
    gf_text_append(text, ",\"%s\":[", field->name);
    for (int32_t c = 0; c < field->channels; c++) {
        gf_text_string(text, c ? "," : "");
        gf_text_string(text, field->count > 1 ? "[" : "");
        for (int64_t i = 0; i < field->count; i++) {
            gf_text_string(text, i ? "," : "");
            add_value(text, field, c, i);
        }
        gf_text_string(text, field->count > 1 ? "]" : "");
    }
    gf_text_string(text, "]");
}

static void print_json(const gf_result *result, struct gf_text *text)
{
    gf_text_append(text, "{\"stage\":\"%s\",\"name\":", result->stage);
    gf_text_json_string(text, result->name);
    gf_text_append(text, ",\"index\":%d", result->index);
    for (int32_t f = 0; f < result->n_fields; f++) {
        json_field(text, &result->fields[f]);
    }
    gf_text_string(text, "}");
}

gf_status gf_result_print(const gf_result *result, gf_print_format format, char *buffer, size_t capacity,
                          size_t *length, gf_error *error)
{
    GF_TRY(gf_print_check(result ? NULL : "result", format, buffer, capacity, error));
    struct gf_text text = gf_text_begin(buffer, capacity);
    if (format == GF_PRINT_JSON) {
        print_json(result, &text);
    } else {
        print_text(result, &text);
    }
    if (length) {
        *length = text.length;
    }
    return GF_OK;
}
