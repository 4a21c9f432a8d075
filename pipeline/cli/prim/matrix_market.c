#include "prim/matrix_market.h"

#include "base/message.h"
#include "base/text_file.h"
#include "base/text_words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_SIDE = INT32_MAX,
    ROWS_OF_ANY = 1 << 24,
    ROWS_A_BYTE = 16,
    LEAST_LINE = 4 /* bytes of an entry: "1 1" and the line's end */
};

struct entry {
    int64_t row, column;
    long double value;
};

struct parser {
    struct text_words words;
    const char *text; /* all of the file, ended by 0 */
    size_t length;
    bool pattern, symmetric, skew;
    int64_t rows, columns, count;
    struct entry *entries;
    int64_t n; /* with the mirrored ones */
};

static gf_status bad(const struct parser *p, const char *what)
{
    return text_words_bad(&p->words, what);
}

/* ---- Words -------------------------------------------------------------------------------------- */

static bool take_whole(struct parser *p, int64_t *number)
{
    char *end = NULL;
    text_words_skip_blanks(&p->words);
    errno = 0;
    const bool digit = isdigit((unsigned char)*p->words.at) != 0;
    *number = digit ? strtoll(p->words.at, &end, 10) : 0;
    const bool good = digit && errno == 0 && (isspace((unsigned char)*end) || !*end);
    p->words.at = good ? end : p->words.at;
    return good;
}

/* ---- The parts ------------------------------------------------------------------------------------ */

static gf_status read_head(struct parser *p)
{
    char object[32], format[32], field[32], symmetry[32];
    if (strncasecmp(p->text, "%%MatrixMarket", 14) != 0 ||
        sscanf(p->text + 14, "%31s %31s %31s %31s", object, format, field, symmetry) != 4) {
        return bad(p, "must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: is a '%s' in the format '%s'; must be a matrix in coordinate", p->words.path,
                         object, format);
    }
    p->pattern = strcasecmp(field, "pattern") == 0;
    if (!p->pattern && strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: has %s entries; must be real, integer or pattern", p->words.path, field);
    }
    p->skew = strcasecmp(symmetry, "skew-symmetric") == 0;
    p->symmetric = p->skew || strcasecmp(symmetry, "symmetric") == 0;
    if (!p->symmetric && strcasecmp(symmetry, "general") != 0) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: is %s; must be general, symmetric or skew-symmetric", p->words.path, symmetry);
    }
    (void)text_words_next_line(&p->words);
    if (!take_whole(p, &p->rows) || !take_whole(p, &p->columns) || !take_whole(p, &p->count) ||
        !text_words_at_end_of_line(&p->words)) {
        return bad(p, "must be the numbers of rows, of columns and of entries");
    }
    if (p->rows > MOST_SIDE || p->columns > MOST_SIDE) {
        return bad(p, "more than 2^31 - 1 rows or columns");
    }
    if (p->rows >
        ROWS_OF_ANY + ROWS_A_BYTE * (int64_t)p->length) { /* they cost memory, which few bytes must not */
        return bad(p, "more rows than a file of this size can mean: next to all would be empty");
    }
    if (p->symmetric && p->rows != p->columns) {
        return bad(p, "a symmetric matrix must have as many rows as columns");
    }
    return p->count > (int64_t)(p->length / LEAST_LINE) ? bad(p, "more entries than the file has room for")
                                                        : GF_OK;
}

static gf_status read_entry(struct parser *p)
{
    struct entry e = {0, 0, 1};
    if (!text_words_next_line(&p->words)) {
        return bad(p, "the file ends before its last entry");
    }
    if (!take_whole(p, &e.row) || !take_whole(p, &e.column) ||
        (!p->pattern && !text_words_number(&p->words, &e.value)) || !text_words_at_end_of_line(&p->words)) {
        return bad(p, p->pattern ? "must be a row and a column" : "must be a row, a column and a number");
    }
    if (e.row < 1 || e.row > p->rows || e.column < 1 || e.column > p->columns) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: line %" PRId64 ": the entry (%" PRId64 ", %" PRId64 ") is outside of %" PRId64
                         " x %" PRId64,
                         p->words.path, p->words.line, e.row, e.column, p->rows, p->columns);
    }
    if (p->skew && e.row == e.column) {
        return bad(p, "a skew-symmetric matrix has no entries on its diagonal");
    }
    p->entries[p->n++] = e;
    if (p->symmetric && e.row != e.column) {
        p->entries[p->n++] = (struct entry){e.column, e.row, p->skew ? -e.value : e.value};
    }
    return GF_OK;
}

static gf_status read_entries(struct parser *p)
{
    CLI_TRY(read_head(p));
    p->entries = calloc((size_t)p->count * 2 + 1, sizeof *p->entries);
    if (!p->entries) {
        return cli_error(p->words.error, GF_ERROR_MEMORY, "%s: out of memory", p->words.path);
    }
    for (int64_t i = 0; i < p->count; i++) {
        CLI_TRY(read_entry(p));
    }
    return text_words_next_line(&p->words) ? bad(p, "more entries than the file says it has") : GF_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------ */

/* Compresses by counting: where each row ends, then from the last entry on where each entry goes. */
static gf_status compress(const struct parser *p, struct matrix_market *matrix)
{
    matrix->rows = p->rows;
    matrix->columns = p->columns;
    matrix->entries = p->n;
    matrix->symmetric = p->symmetric;
    matrix->offsets = calloc((size_t)p->rows + 1, sizeof *matrix->offsets);
    matrix->indices = calloc((size_t)p->n + 1, sizeof *matrix->indices);
    matrix->values = calloc((size_t)p->n + 1, sizeof *matrix->values);
    if (!matrix->offsets || !matrix->indices || !matrix->values) {
        return cli_error(p->words.error, GF_ERROR_MEMORY, "%s: out of memory", p->words.path);
    }
    int64_t *offsets = matrix->offsets;
    for (int64_t i = 0; i < p->n; i++) {
        offsets[p->entries[i].row - 1]++;
    }
    for (int64_t row = 1; row <= p->rows; row++) {
        offsets[row] += offsets[row - 1];
    }
    for (int64_t i = p->n - 1; i >= 0; i--) {
        const int64_t at = --offsets[p->entries[i].row - 1];
        matrix->indices[at] = (uint32_t)(p->entries[i].column - 1);
        matrix->values[at] = p->entries[i].value;
    }
    return GF_OK;
}

gf_status matrix_market_parse(const char *name, char *text, size_t length, struct matrix_market *matrix,
                              gf_error *error)
{
    struct parser p = {.words = {name, error, TEXT_BLANKS, "%", text, 1}, .text = text, .length = length};
    *matrix = (struct matrix_market){.rows = 0};
    gf_status status = read_entries(&p);
    status = status == GF_OK ? compress(&p, matrix) : status;
    free(p.entries);
    return status;
}

void matrix_market_free(struct matrix_market *matrix)
{
    free(matrix->offsets);
    free(matrix->indices);
    free(matrix->values);
    *matrix = (struct matrix_market){.rows = 0};
}

gf_status matrix_market_read(const char *path, struct matrix_market *matrix, gf_error *error)
{
    struct text_file file;
    *matrix = (struct matrix_market){.rows = 0};
    gf_status status = text_file_read(path, TEXT_MOST_ENTRIES, &file, error);
    status = status == GF_OK ? matrix_market_parse(path, file.text, file.length, matrix, error) : status;
    text_file_free(&file);
    return status;
}
