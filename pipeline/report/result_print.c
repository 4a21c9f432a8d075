/* Results as text for people and as JSON: decided by the form of a field, not by its stage.
 * A field of many values a channel is drawn as a bar chart, scalars and positions as a table of channels.
 * Both stay within the columns of a terminal. Tables of rows that were found follow (table_print.h). */
#include "base/text.h"
#include "lang/pipeline.h"
#include "report/table_print.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CHART_ROWS = 16, BAR_COLUMNS = 48, LABEL_SIZE = 64, FEW = 2, COLUMNS = 79, CELL_SIZE = 64 };

static double value_at(const gf_field *field, int32_t channel, int64_t i)
{
    int64_t index = channel * field->count + i;
    return field->depth == GF_U64 ? (double)((const uint64_t *)field->values)[index]
                                  : ((const double *)field->values)[index];
}

static void add_whole(struct gf_text *text, const gf_field *field, int32_t channel, int64_t i)
{
    uint64_t value = ((const uint64_t *)field->values)[channel * field->count + i];
    gf_text_append(text, "%llu", (unsigned long long)value);
}

/* ---- channels ---- */

/* "r", "alpha": the row-th channel that was measured; its number where the picture has no such row. */
static void channel_word(const gf_result *result, int32_t row, char word[16])
{
    static const char *const words[4][4] = {
        {"gray"}, {"gray", "alpha"}, {"r", "g", "b"}, {"r", "g", "b", "alpha"}};
    struct gf_text text = gf_text_begin(word, 16);
    int32_t channels = result->shape.channels, left = row;
    if (result->shape.height == 0) { /* a signal, whose channels count from 1 */
        gf_text_append(&text, "%d", row + 1);
        return;
    }
    for (int32_t c = 0; c < channels && channels <= 4; c++) {
        if (result->channels >> c & 1 && left-- == 0) {
            gf_text_string(&text, words[channels - 1][c]);
            return;
        }
    }
    gf_text_append(&text, "%d", row);
}

/* A gray picture has no channels to tell apart, nor has a field that is of all channels together. */
static bool names_channels(const gf_result *result)
{
    const bool is_signal = result->shape.height == 0;
    const int32_t measured = is_signal ? result->shape.channels : __builtin_popcount(result->channels);
    return result->shape.channels != 1 && (result->n_fields == 0 || result->fields[0].channels == measured);
}

/* ---- charts ---- */

/* What the rows of a chart stand for: an interval of samples, where the result has its ends, or the numbers
 * of the values. Whole samples are named as such. */
struct axis {
    int64_t count, rows;
    bool has_ends, whole;
    double lo, hi;
};

static bool read_end(const gf_result *result, const char *name, int32_t channel, double *end)
{
    const gf_field *field = gf_result_field(result, name);
    bool good = field && field->count == 1 && channel < field->channels && field->depth == GF_F64;
    *end = good ? value_at(field, channel, 0) : 0;
    return good;
}

static int64_t first_of(const struct axis *axis, int64_t row)
{
    return axis->count * row / axis->rows;
}

/* The lower edge of a row, as hist decides by it. */
static double edge_of(const struct axis *axis, int64_t row)
{
    double width = (axis->hi - axis->lo) / (double)axis->count;
    return row == axis->rows ? axis->hi : axis->lo + (double)first_of(axis, row) * width;
}

/* The least and the greatest whole number in a row. */
static void whole_ends(const struct axis *axis, int64_t row, double *from, double *to)
{
    double upper = edge_of(axis, row + 1);
    *from = ceil(edge_of(axis, row));
    *to = row + 1 == axis->rows ? floor(upper) : ceil(upper) - 1;
}

static struct axis axis_of(const gf_result *result, const gf_field *field, int32_t channel)
{
    struct axis axis = {.count = field->count, .rows = field->count < CHART_ROWS ? field->count : CHART_ROWS};
    bool has_lo = read_end(result, "lo", channel, &axis.lo);
    axis.has_ends = read_end(result, "hi", channel, &axis.hi) && has_lo && axis.lo < axis.hi;
    axis.whole = !axis.has_ends || result->shape.depth != GF_F32;
    for (int64_t row = 0; row < axis.rows && axis.has_ends && axis.whole; row++) {
        double from, to;
        whole_ends(&axis, row, &from, &to);
        axis.whole = from <= to && fabs(from) < 1e15 && fabs(to) < 1e15;
    }
    return axis;
}

/* Rounds to what a chart of so many rows can tell apart. */
static double rounded(const struct axis *axis, double edge)
{
    double unit = pow(10, floor(log10(axis->hi - axis->lo)) - 5);
    double steps = floor(edge / unit + 0.5);
    return isfinite(steps) && unit > 0 ? (unit < 1 ? steps / floor(1 / unit + 0.5) : steps * unit) : edge;
}

static void row_label(const struct axis *axis, int64_t row, char label[LABEL_SIZE])
{
    struct gf_text text = gf_text_begin(label, LABEL_SIZE);
    double from = (double)first_of(axis, row), to = (double)first_of(axis, row + 1) - 1;
    if (axis->has_ends && axis->whole) {
        whole_ends(axis, row, &from, &to);
    }
    if (axis->whole) {
        gf_text_append(&text, from == to ? "%lld" : "%lld%s%lld", (long long)from, from < 0 ? " to " : "-",
                       (long long)to);
        return;
    }
    gf_text_number(&text, rounded(axis, edge_of(axis, row)));
    gf_text_string(&text, " to ");
    gf_text_number(&text, rounded(axis, edge_of(axis, row + 1)));
}

/* The sum of the values that fall in a row of the chart. */
static double chart_sum(const gf_field *field, int32_t channel, const struct axis *axis, int64_t row)
{
    double sum = 0;
    for (int64_t i = first_of(axis, row); i < first_of(axis, row + 1); i++) {
        sum += value_at(field, channel, i);
    }
    return sum;
}

static void add_chart(struct gf_text *text, const gf_result *result, const gf_field *field, int32_t channel)
{
    const struct axis axis = axis_of(result, field, channel);
    char label[LABEL_SIZE];
    double most = 0, total = 0;
    size_t widest = 0;
    for (int64_t row = 0; row < axis.rows; row++) {
        double sum = chart_sum(field, channel, &axis, row);
        most = sum > most ? sum : most;
        total += sum;
        row_label(&axis, row, label);
        widest = strlen(label) > widest ? strlen(label) : widest;
    }
    size_t columns = COLUMNS - strlen("  ") - widest - strlen(" |") - strlen("100.00%") - 1;
    columns = columns < BAR_COLUMNS ? columns : BAR_COLUMNS;
    for (int64_t row = 0; row < axis.rows; row++) {
        double sum = chart_sum(field, channel, &axis, row);
        size_t bar = most > 0 ? (size_t)(sum / most * (double)columns + 0.5) : 0;
        row_label(&axis, row, label);
        gf_text_append(text, "  %*s |", (int)widest, label);
        gf_text_repeat(text, '#', bar);
        gf_text_repeat(text, ' ', columns - bar);
        gf_text_fixed(text, 7, 2, total > 0 ? 100 * sum / total : 0);
        gf_text_string(text, "%\n");
    }
}

static void add_charts(struct gf_text *text, const gf_result *result, const gf_field *field)
{
    for (int32_t c = 0; c < field->channels; c++) {
        char word[16];
        channel_word(result, c, word);
        gf_text_append(text, "  %s%s%s, %lld bins\n", field->name, names_channels(result) ? " of " : "",
                       names_channels(result) ? word : "", (long long)field->count);
        add_chart(text, result, field, c);
    }
}

/* ---- tables ---- */

static void cell_of(const gf_field *field, int32_t channel, char cell[CELL_SIZE])
{
    struct gf_text text = gf_text_begin(cell, CELL_SIZE);
    for (int64_t i = 0; i < field->count && channel < field->channels; i++) {
        gf_text_string(&text, i ? "," : "");
        if (field->depth == GF_U64) {
            add_whole(&text, field, channel, i);
        } else {
            gf_text_number(&text, value_at(field, channel, i));
        }
    }
}

/* The level that was found, where it is one of whole samples; NULL: there is none. */
static const gf_field *written_level(const gf_result *result)
{
    const gf_field *level = gf_result_field(result, "level");
    gf_depth depth = result->shape.depth;
    return level && level->count == 1 && (depth == GF_U8 || depth == GF_U16) ? level : NULL;
}

/* Writes it as an intensity, so that what was found can be given to a stage. One of f32 stays as it is. */
static void written_cell_of(const gf_result *result, const gf_field *level, int32_t channel,
                            char cell[CELL_SIZE])
{
    struct gf_text text = gf_text_begin(cell, CELL_SIZE);
    gf_text_number(&text, value_at(level, channel, 0));
    gf_text_append(&text, "%s", gf_depth_name(result->shape.depth));
}

/* Columns as wide as three of them fit; more of them, as wide as what stands in them. */
static int table_width(const gf_result *result, int32_t columns)
{
    size_t widest = columns > 3 ? 0 : (COLUMNS - 10) / 3 - 1;
    for (int32_t f = 0; f < result->n_fields; f++) {
        for (int32_t c = 0; c < columns && result->fields[f].count <= FEW; c++) {
            char cell[CELL_SIZE];
            cell_of(&result->fields[f], c, cell);
            widest = strlen(cell) > widest ? strlen(cell) : widest;
        }
    }
    const gf_field *level = written_level(result);
    for (int32_t c = 0; level && c < level->channels; c++) {
        char cell[CELL_SIZE];
        written_cell_of(result, level, c, cell);
        widest = strlen(cell) > widest ? strlen(cell) : widest;
    }
    return (int)widest;
}

static void add_written_level(struct gf_text *text, const gf_result *result, int width)
{
    const gf_field *level = written_level(result);
    if (!level) {
        return;
    }
    gf_text_append(text, "  %-8s", "written");
    for (int32_t c = 0; c < level->channels; c++) {
        char cell[CELL_SIZE];
        written_cell_of(result, level, c, cell);
        gf_text_append(text, " %*s", width, cell);
    }
    gf_text_string(text, "\n");
}

static void add_table(struct gf_text *text, const gf_result *result)
{
    int32_t columns = 0;
    for (int32_t f = 0; f < result->n_fields; f++) {
        const gf_field *field = &result->fields[f];
        columns = field->count <= FEW && field->channels > columns ? field->channels : columns;
    }
    int width = table_width(result, columns);
    gf_text_string(text, columns && names_channels(result) ? "          " : "");
    for (int32_t c = 0; c < columns && names_channels(result); c++) {
        char word[16];
        channel_word(result, c, word);
        gf_text_append(text, " %*s%s", width, word, c + 1 < columns ? "" : "\n");
    }
    for (int32_t f = 0; f < result->n_fields; f++) {
        const gf_field *field = &result->fields[f];
        if (field->count > FEW) {
            continue;
        }
        gf_text_append(text, "  %-8s", field->name);
        for (int32_t c = 0; c < field->channels; c++) {
            char cell[CELL_SIZE];
            cell_of(field, c, cell);
            gf_text_append(text, " %*s", width, cell);
        }
        gf_text_string(text, "\n");
    }
    add_written_level(text, result, width);
}

/* A line a channel. */
static void add_list(struct gf_text *text, const gf_result *result, const gf_field *field)
{
    for (int32_t c = 0; c < field->channels; c++) {
        char word[16];
        channel_word(result, c, word);
        gf_text_append(text, "  %-8s", field->name);
        gf_text_append(text, names_channels(result) ? " %-5s" : "%s", names_channels(result) ? word : "");
        for (int64_t i = 0; i < field->count; i++) {
            gf_text_string(text, " ");
            gf_text_number(text, value_at(field, c, i));
        }
        gf_text_string(text, "\n");
    }
}

static void print_text(const gf_result *result, int64_t most_rows, struct gf_text *text)
{
    gf_text_append(text, "%s (stage %d)%s%s\n", result->stage, result->index + 1, *result->name ? " " : "",
                   result->name);
    for (int32_t f = 0; f < result->n_fields; f++) {
        if (result->fields[f].count > FEW && result->fields[f].depth == GF_F64) {
            add_list(text, result, &result->fields[f]);
        } else if (result->fields[f].count > FEW) {
            add_charts(text, result, &result->fields[f]);
        }
    }
    add_table(text, result);
    for (int64_t t = 0; t < result->n_tables; t++) {
        gf_table_add_text(text, &result->tables[t], most_rows);
    }
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
            if (field->depth == GF_U64) {
                add_whole(text, field, c, i);
            } else {
                gf_text_json_number(text, value_at(field, c, i));
            }
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
    for (int64_t t = 0; t < result->n_tables; t++) {
        gf_text_append(text, ",\"%s\":", result->tables[t].name);
        gf_table_add_json(text, &result->tables[t]);
    }
    gf_text_string(text, "}");
}

static void print(const void *result, gf_print_format format, struct gf_text *text)
{
    if (format == GF_PRINT_JSON) {
        print_json(result, text);
    } else {
        print_text(result, format == GF_PRINT_BRIEF ? GF_BRIEF_ROWS : INT64_MAX, text);
    }
}

gf_status gf_result_print(const gf_result *result, gf_print_format format, char *buffer, size_t capacity,
                          size_t *length, gf_error *error)
{
    return gf_print(result, "result", print, GF_PRINT_BRIEF, format, buffer, capacity, length, error);
}
