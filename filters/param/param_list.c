/* Parameters: numbers in rows and columns, and names of files and inputs. */
#include "design/design_math.h"
#include "param/param_value.h"

#include <inttypes.h>

/* ---- shapes ---- */

/* "3", or "*" for any: *fits when that is n. Returns how many bytes it takes, 0 when it is neither. */
static size_t extent(const char *text, size_t length, int64_t n, bool *fits)
{
    int64_t wanted = 0;
    if (length > 0 && text[0] == '*') {
        *fits = true;
        return 1;
    }
    size_t digits = gf_param_digits(text, length, &wanted);
    *fits = wanted == n;
    return wanted >= 1 && wanted <= GF_LIST_NUMBERS ? digits : 0;
}

/* Tells whether some shape of the list allows so many rows and columns; *fine: all can be read. */
static bool shape_fits(const char *shapes, int64_t rows, int64_t columns, bool *fine)
{
    bool found = false;
    *fine = true;
    for (const char *s = shapes;; s++) {
        bool rows_fit, columns_fit = false;
        size_t n = strcspn(s, "|");
        size_t across = extent(s, n, rows, &rows_fit);
        bool has_x = across > 0 && across < n && s[across] == 'x';
        size_t down = has_x ? extent(s + across + 1, n - across - 1, columns, &columns_fit) : 0;
        *fine = *fine && down > 0 && across + 1 + down == n;
        found |= rows_fit && columns_fit;
        s += n;
        if (!*s) {
            return found;
        }
    }
}

bool gf_param_shapes_are_fine(const char *shapes)
{
    bool fine;
    shape_fits(shapes, 1, 1, &fine);
    return fine;
}

bool gf_param_is_large(const gf_param *param)
{
    const char *shapes = param->type == GF_PARAM_LIST ? param->choices : NULL;
    return shapes && (strncmp(shapes, "*x", 2) == 0 || strstr(shapes, "|*x"));
}

static void list_shapes(const gf_param *param, struct gf_text *text)
{
    const char *joint = "";
    for (const char *s = param->choices; *s;) {
        size_t n = strcspn(s, "|");
        gf_text_string(text, joint);
        gf_text_bytes(text, s, n);
        s += n + (s[n] == '|');
        joint = strchr(s, '|') ? ", " : " or ";
    }
}

void gf_param_describe_list(const gf_param *param, struct gf_text *text)
{
    if (gf_param_is_colour(param)) {
        gf_text_string(text, "a colour, as #f80, orange, rgb(255,136,0) or [1 0.53 0]");
        return;
    }
    gf_text_string(text, "a number or rows of them, as [0 1 0; 1 -4 1], ");
    if (param->choices && strcmp(param->choices, "*x*") != 0) {
        gf_text_string(text, "rows x columns ");
        list_shapes(param, text);
        gf_text_string(text, ", ");
    }
    gf_text_string(text, param->unit ? "or in dB, as -6dB, " : "");
    gf_text_string(text, gf_param_is_large(param) && param->choices[2] == '3'
                             ? "or a file, as @curve.npy or @film.cube"
                             : "or a file, as @kernel.npy");
}

gf_status gf_param_list_check(const gf_param *param, int64_t rows, int64_t columns, struct gf_text *why)
{
    bool fine;
    const int32_t most = gf_param_is_large(param) ? GF_LIST_FILE_NUMBERS : GF_LIST_NUMBERS;
    if (rows < 1 || columns < 1 || columns > most / rows) {
        gf_text_append(why, "%s has %" PRId64 " rows of %" PRId64 " numbers, must have 1 to %d in all",
                       param->name, rows, columns, most);
        return GF_ERROR_ARGUMENT;
    }
    if (param->choices && !shape_fits(param->choices, rows, columns, &fine)) {
        gf_text_append(why, "%s is %" PRId64 "x%" PRId64 " (rows x columns), must be ", param->name, rows,
                       columns);
        list_shapes(param, why);
        return GF_ERROR_ARGUMENT;
    }
    return GF_OK;
}

/* ---- numbers in brackets ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* 10^(db / 20), whole powers of ten as they are. */
static double factor_of_db(double db)
{
    double tens = 1, left = db;
    for (; left >= 20; left -= 20) {
        tens *= 10;
    }
    for (; left <= -20; left += 20) {
        tens *= 10;
    }
    const double factor = gf_exp_double(left * (GF_LN10 / 20));
    return db < 0 ? factor / tens : factor * tens;
}

/* The number of n bytes at `word`, in the interval of the list's own. */
static gf_status read_item(const gf_param *param, int64_t row, int64_t column, const char *word, size_t n,
                           double *value, struct gf_text *why)
{
    char name[96];
    struct gf_text t = gf_text_begin(name, sizeof name);
    gf_text_append(&t, "row %" PRId64 ", column %" PRId64 " of %.40s", row + 1, column + 1, param->name);
    gf_param item = {.name = name, .type = GF_PARAM_NUMBER, .min = param->min, .max = param->max};
    const bool in_db = n > 2 && gf_param_equal(word + n - 2, 2, param->unit);
    if (in_db) {
        item = (gf_param){.name = name, .type = GF_PARAM_NUMBER, .min = -600, .max = 600, .unit = "dB"};
    }
    struct gf_argument argument = {GF_ARGUMENT_BARE, word, n};
    union gf_param_value read;
    GF_TRY(gf_param_read_number(&item, &argument, &read, why));
    *value = in_db ? factor_of_db(read.number) : read.number;
    return GF_OK;
}

/* The numbers of one row, up to ';' or the end; *at goes behind it. */
static gf_status read_row(const gf_param *param, const struct gf_argument *a, size_t *at, gf_list *list,
                          struct gf_text *why)
{
    int64_t used = (int64_t)list->rows * list->columns, n = 0;
    size_t i = *at;
    while (i < a->length && a->text[i] != ';') {
        size_t from = i;
        while (i < a->length && a->text[i] != ';' && !is_blank(a->text[i])) {
            i++;
        }
        if (i == from) {
            i++; /* a blank */
            continue;
        }
        if (used + n == GF_LIST_NUMBERS) {
            gf_text_append(why, "%s has more than %d numbers", param->name, GF_LIST_NUMBERS);
            return GF_ERROR_ARGUMENT;
        }
        GF_TRY(read_item(param, list->rows, n, a->text + from, i - from, &list->values[used + n], why));
        n++;
    }
    if (n == 0 || (list->rows > 0 && n != list->columns)) {
        gf_text_append(why, "row %d of %s has %" PRId64 " number%s, must have ", list->rows + 1, param->name,
                       n, n == 1 ? "" : "s");
        if (list->rows > 0) {
            gf_text_append(why, "%d as the first", list->columns);
        } else {
            gf_text_string(why, "at least 1");
        }
        return GF_ERROR_PARSE;
    }
    *at = i;
    list->rows++;
    list->columns = (int32_t)n;
    return GF_OK;
}

static gf_status read_rows(const gf_param *param, const struct gf_argument *a, gf_list *list,
                           struct gf_text *why)
{
    size_t at = 0;
    for (;; at++) { /* behind ';' */
        GF_TRY(read_row(param, a, &at, list, why));
        if (at == a->length) {
            return gf_param_list_check(param, list->rows, list->columns, why);
        }
    }
}

/* ---- names ---- */

static gf_status read_name(const gf_param *param, const char *before, const struct gf_argument *a, char *name,
                           struct gf_text *why)
{
    size_t n = strlen(before);
    if (a->length == 0) {
        gf_text_append(why, "%s has no name of a file behind '@'", param->name);
        return GF_ERROR_PARSE;
    }
    if (n + a->length >= GF_FILE_NAME_SIZE) {
        gf_text_append(why, "%s is a name of %zu bytes, must have at most %zu", param->name, a->length,
                       GF_FILE_NAME_SIZE - 1 - n);
        return GF_ERROR_ARGUMENT;
    }
    memcpy(name, before, n);
    memcpy(name + n, a->text, a->length);
    return GF_OK;
}

/* A text in quotes may hold what stands without them in the language, as in JSON. */
static struct gf_argument unquoted(const struct gf_argument *a)
{
    struct gf_argument plain = *a;
    bool word = (a->kind == GF_ARGUMENT_QUOTED || a->kind == GF_ARGUMENT_BARE) && a->length > 0;
    if (word && a->text[0] == '@') {
        plain = (struct gf_argument){GF_ARGUMENT_FILE, a->text + 1, a->length - 1};
    } else if (word && a->length > 1 && a->text[0] == '[' && a->text[a->length - 1] == ']') {
        plain = (struct gf_argument){GF_ARGUMENT_LIST, a->text + 1, a->length - 2};
    }
    return plain;
}

/* A colour that is no list of numbers. */
static gf_status read_colour(const gf_param *param, const struct gf_argument *a, gf_list *list,
                             struct gf_text *why)
{
    bool fine;
    list->columns = gf_param_read_colour(a->text, a->length, list->values);
    list->rows = list->columns > 0;
    if (list->rows == 0) {
        return gf_param_wrong_form(param, a, why);
    }
    return list->columns < 4 || !param->choices || shape_fits(param->choices, 1, 4, &fine)
               ? GF_OK
               : gf_param_out_of_range(param, a, "a colour without alpha", why);
}

gf_status gf_param_read_list(const gf_param *param, const struct gf_argument *argument,
                             union gf_param_value *value, struct gf_text *why)
{
    struct gf_argument a = unquoted(argument);
    if (a.kind == GF_ARGUMENT_FILE) {
        return read_name(param, "", &a, value->list.file, why);
    }
    double one; /* which needs no brackets */
    struct gf_text unread = gf_text_begin(NULL, 0);
    if (a.kind == GF_ARGUMENT_LIST ||
        read_item(param, 0, 0, a.text, a.length, &one, &unread) != GF_ERROR_PARSE) {
        return read_rows(param, &a, &value->list, why);
    }
    return gf_param_is_colour(param) ? read_colour(param, &a, &value->list, why)
                                     : gf_param_wrong_form(param, &a, why);
}

gf_status gf_param_read_picture(const gf_param *param, const struct gf_argument *argument,
                                union gf_param_value *value, struct gf_text *why)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    struct gf_argument a = unquoted(argument);
    if (a.kind == GF_ARGUMENT_FILE) {
        return read_name(param, "@", &a, value->picture.name, why);
    }
    for (size_t i = 0; i < a.length; i++) {
        if (!a.text[i] || !strchr(letters, a.text[i])) {
            return gf_param_wrong_form(param, &a, why);
        }
    }
    return a.kind == GF_ARGUMENT_LIST || a.length == 0 ? gf_param_wrong_form(param, &a, why)
                                                       : read_name(param, "", &a, value->picture.name, why);
}

void gf_param_write_list(const gf_list *list, struct gf_text *text)
{
    if (list->file[0]) {
        gf_text_append(text, "@%s", list->file);
        return;
    }
    gf_text_string(text, list->rows ? "[" : "");
    for (int32_t i = 0; i < list->rows * list->columns; i++) { /* written out: they fit */
        gf_text_string(text, i == 0 ? "" : i % list->columns ? " " : "; ");
        gf_text_number(text, list->values[i]);
    }
    gf_text_string(text, list->rows ? "]" : "");
}
