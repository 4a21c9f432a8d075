#include "report/table_print.h"

#include "lang/pipeline.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CELL_SIZE = 64 };

/* ---- numbers ---- */

/* Whole numbers, which most are, without the search for the shortest decimal. */
static void add_float(struct gf_text *text, double value, bool json)
{
    if (value == floor(value) && fabs(value) < 1e15 && !(value == 0 && signbit(value))) {
        gf_text_append(text, "%lld", (long long)value);
    } else {
        (json ? gf_text_json_number : gf_text_number)(text, value);
    }
}

static void add_number(struct gf_text *text, const gf_column *column, int64_t i, bool json)
{
    switch (column->depth) {
    case GF_U32:
        gf_text_append(text, "%lu", (unsigned long)((const uint32_t *)column->values)[i]);
        break;
    case GF_U64:
        gf_text_append(text, "%llu", (unsigned long long)((const uint64_t *)column->values)[i]);
        break;
    case GF_F32:
        add_float(text, (double)((const float *)column->values)[i], json);
        break;
    default:
        add_float(text, ((const double *)column->values)[i], json);
        break;
    }
}

/* "x"; for a part "box_x". */
static void add_name(struct gf_text *text, const gf_column *column, int32_t part)
{
    gf_text_string(text, column->name);
    if (column->parts) {
        const char *name = column->parts;
        for (; part > 0; part--) {
            name += strcspn(name, "|") + 1;
        }
        gf_text_append(text, "_%.*s", (int)strcspn(name, "|"), name);
    }
}

/* ---- text ---- */

static int32_t number_count(const gf_table *table)
{
    int32_t n = 0;
    for (int32_t c = 0; c < table->n_columns; c++) {
        n += table->columns[c].count;
    }
    return n;
}

/* The width of the widest of a number's name and its numbers in the rows that are shown. */
static int width_of(const gf_column *column, int32_t part, int64_t rows)
{
    char cell[CELL_SIZE];
    struct gf_text text = gf_text_begin(cell, sizeof cell);
    add_name(&text, column, part);
    size_t widest = text.length;
    for (int64_t row = 0; row < rows; row++) {
        text = gf_text_begin(cell, sizeof cell);
        add_number(&text, column, row * column->count + part, false);
        widest = text.length > widest ? text.length : widest;
    }
    return (int)widest;
}

enum { MOST_WIDTHS = 64 }; /* columns beyond are not lined up */

static void add_cell(struct gf_text *text, const char *cell, int width)
{
    gf_text_append(text, "  %*s", width, cell);
}

void gf_table_add_text(struct gf_text *text, const gf_table *table, int64_t most_rows)
{
    int64_t rows = table->rows < most_rows ? table->rows : most_rows;
    int widths[MOST_WIDTHS] = {0};
    gf_text_append(text, "  %s, %lld row%s\n", table->name, (long long)table->rows,
                   table->rows == 1 ? "" : "s");
    if (rows == 0 || number_count(table) == 0) {
        return;
    }
    for (int64_t row = -1; row < rows; row++) { /* -1: the names */
        for (int32_t c = 0, k = 0; c < table->n_columns; c++) {
            const gf_column *column = &table->columns[c];
            for (int32_t part = 0; part < column->count; part++, k++) {
                char cell[CELL_SIZE];
                struct gf_text one = gf_text_begin(cell, sizeof cell);
                if (row < 0) {
                    add_name(&one, column, part);
                } else {
                    add_number(&one, column, row * column->count + part, false);
                }
                if (row < 0 && k < MOST_WIDTHS) {
                    widths[k] = width_of(column, part, rows);
                }
                add_cell(text, cell, k < MOST_WIDTHS ? widths[k] : 0);
            }
        }
        gf_text_string(text, "\n");
    }
    if (rows < table->rows) {
        gf_text_append(text, "  ... and %lld more\n", (long long)(table->rows - rows));
    }
}

/* ---- JSON and CSV ---- */

static void add_json_row(struct gf_text *text, const gf_table *table, int64_t row)
{
    for (int32_t c = 0; c < table->n_columns; c++) {
        const gf_column *column = &table->columns[c];
        gf_text_append(text, "%c\"%s\":%s", c ? ',' : '{', column->name, column->parts ? "[" : "");
        for (int32_t part = 0; part < column->count; part++) {
            gf_text_string(text, part ? "," : "");
            add_number(text, column, row * column->count + part, true);
        }
        gf_text_string(text, column->parts ? "]" : "");
    }
    gf_text_string(text, table->n_columns ? "}" : "{}");
}

void gf_table_add_json(struct gf_text *text, const gf_table *table)
{
    gf_text_string(text, "[");
    for (int64_t row = 0; row < table->rows; row++) {
        gf_text_string(text, row ? "," : "");
        add_json_row(text, table, row);
    }
    gf_text_string(text, "]");
}

static void add_csv(struct gf_text *text, const gf_table *table)
{
    for (int64_t row = -1; row < table->rows; row++) { /* -1: the names */
        for (int32_t c = 0; c < table->n_columns; c++) {
            const gf_column *column = &table->columns[c];
            for (int32_t part = 0; part < column->count; part++) {
                gf_text_string(text, c + part ? "," : "");
                if (row < 0) {
                    add_name(text, column, part);
                } else {
                    add_number(text, column, row * column->count + part, false);
                }
            }
        }
        gf_text_string(text, "\n");
    }
}

static void print(const void *table, gf_print_format format, struct gf_text *text)
{
    if (format == GF_PRINT_JSON) {
        gf_table_add_json(text, table);
    } else if (format == GF_PRINT_CSV) {
        add_csv(text, table);
    } else {
        gf_table_add_text(text, table, format == GF_PRINT_BRIEF ? GF_BRIEF_ROWS : INT64_MAX);
    }
}

gf_status gf_table_print(const gf_table *table, gf_print_format format, char *buffer, size_t capacity,
                         size_t *length, gf_error *error)
{
    return gf_print(table, "table", print, GF_PRINT_CSV, format, buffer, capacity, length, error);
}
