#include "job/cube_file.h"

#include "base/message.h"
#include "base/text_file.h"
#include "base/text_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OF_ONE = 65536,
    MOST_OF_THREE = 256,
    MOST_BYTES = 1 << 30, /* 64 a colour */
    LEAST_LINE = 6        /* bytes of a colour: "0 0 0" and its end */
};

struct parser {
    struct text_words words;
    size_t length; /* of all */
    int64_t size;  /* colours a side; 0: not said yet */
    bool three;    /* dimensions; else one */
    double domain[6];
    bool own_domain;   /* other than from 0 to 1 */
    int64_t wanted, n; /* colours, and how many were read */
};

static gf_status bad(const struct parser *p, const char *what)
{
    return text_words_bad(&p->words, what);
}

/* ---- words ---- */

static bool at_end_of_word(const char *c)
{
    return !*c || strchr(TEXT_BLANKS "\n", *c);
}

/* Takes a word where it comes next. */
static bool take_word(struct parser *p, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(p->words.at, word, n) != 0 || !at_end_of_word(p->words.at + n)) {
        return false;
    }
    p->words.at += n;
    return true;
}

/* `count` numbers, and nothing behind them in the line. */
static bool take_numbers(struct parser *p, int count, double *numbers)
{
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        text_words_skip_blanks(&p->words);
        if (at_end_of_word(p->words.at)) {
            return false;
        }
        numbers[i] = strtod(p->words.at, &end);
        if (end == p->words.at || !at_end_of_word(end) || !isfinite(numbers[i])) {
            return false;
        }
        p->words.at = end;
    }
    return text_words_at_end_of_line(&p->words);
}

/* ---- lines ---- */

static gf_status take_size(struct parser *p, bool three)
{
    const int64_t most = three ? MOST_OF_THREE : MOST_OF_ONE;
    double size = 0;
    if (p->size > 0) {
        return bad(p, "a second size: a file has either LUT_1D_SIZE or LUT_3D_SIZE, once");
    }
    if (!take_numbers(p, 1, &size) || size != floor(size) || size < 2 || size > (double)most) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: line %" PRId64 ": %s must be a whole number from 2 to %" PRId64, p->words.path,
                         p->words.line, three ? "LUT_3D_SIZE" : "LUT_1D_SIZE", most);
    }
    p->size = (int64_t)size;
    p->three = three;
    p->wanted = three ? p->size * p->size * p->size : p->size;
    if (p->wanted > (int64_t)(p->length / LEAST_LINE) + 1) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: line %" PRId64 ": says %" PRId64 " colours, and the file is too short for them",
                         p->words.path, p->words.line, p->wanted);
    }
    return GF_OK;
}

/* The ends of the domain, of all channels alike. */
static gf_status take_range(struct parser *p)
{
    double ends[2];
    if (!take_numbers(p, 2, ends)) {
        return bad(p, "an input range must be two numbers");
    }
    for (int c = 0; c < 6; c++) {
        p->domain[c] = ends[c / 3];
    }
    return GF_OK;
}

static gf_status take_keyword(struct parser *p)
{
    if (take_word(p, "TITLE")) {
        p->words.at += strcspn(p->words.at, "\n");
        return GF_OK;
    }
    if (take_word(p, "LUT_3D_SIZE")) {
        return take_size(p, true);
    }
    if (take_word(p, "LUT_1D_SIZE")) {
        return take_size(p, false);
    }
    if (take_word(p, "DOMAIN_MIN")) {
        return take_numbers(p, 3, p->domain) ? GF_OK : bad(p, "DOMAIN_MIN must be three numbers");
    }
    if (take_word(p, "DOMAIN_MAX")) {
        return take_numbers(p, 3, p->domain + 3) ? GF_OK : bad(p, "DOMAIN_MAX must be three numbers");
    }
    if (take_word(p, "LUT_3D_INPUT_RANGE") || take_word(p, "LUT_1D_INPUT_RANGE")) {
        return take_range(p);
    }
    return bad(p, "is neither three numbers nor TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN or DOMAIN_MAX");
}

static bool begins_word(char c)
{
    return (c >= 'A' && c <= 'Z') || c == '_';
}

static gf_status read_head(struct parser *p)
{
    gf_status status = GF_OK;
    for (text_words_next_line(&p->words); status == GF_OK && begins_word(*p->words.at);
         text_words_next_line(&p->words)) {
        status = take_keyword(p);
    }
    CLI_TRY(status);
    if (p->size == 0) {
        return bad(p, "LUT_1D_SIZE or LUT_3D_SIZE must come before the colours");
    }
    for (int c = 0; c < 3; c++) {
        if (!(p->domain[c] < p->domain[3 + c])) {
            return bad(p, "the domain before it is empty: DOMAIN_MIN must be less than DOMAIN_MAX");
        }
        p->own_domain = p->own_domain || p->domain[c] != 0 || p->domain[3 + c] != 1;
    }
    return p->own_domain && !p->three
               ? bad(p, "the domain before it must be from 0 to 1 in a file of one dimension")
               : GF_OK;
}

static gf_status read_colours(struct parser *p, struct cube_file *cube)
{
    while (text_words_next_line(&p->words)) {
        double colour[3];
        if (p->n == p->wanted) {
            return bad(p, "there are more colours than the size says");
        }
        if (!take_numbers(p, 3, colour)) {
            return bad(p, "a colour must be three finite numbers");
        }
        for (int c = 0; c < 3; c++) {
            cube->values[p->three ? 3 * p->n + c : c * p->size + p->n] = colour[c];
        }
        p->n++;
    }
    if (p->n < p->wanted) {
        return cli_error(p->words.error, GF_ERROR_INPUT,
                         "%s: line %" PRId64 ": the file ends after %" PRId64 " of %" PRId64 " colours",
                         p->words.path, p->words.line, p->n, p->wanted);
    }
    return GF_OK;
}

/* ---- the whole ---- */

gf_status cube_file_parse(const char *name, const char *text, size_t length, struct cube_file *cube,
                          gf_error *error)
{
    struct parser p = {
        .words = {name, error, TEXT_BLANKS, "#", text, 1}, .length = length, .domain = {0, 0, 0, 1, 1, 1}};
    *cube = (struct cube_file){0};
    CLI_TRY(read_head(&p));
    cube->rows = p.three ? (int32_t)(p.wanted + (p.own_domain ? 2 : 0)) : 3;
    cube->columns = p.three ? 3 : (int32_t)p.size;
    cube->values = malloc((size_t)cube->rows * (size_t)cube->columns * sizeof *cube->values);
    if (!cube->values) {
        return cli_error(error, GF_ERROR_MEMORY, "%s: no memory for %" PRId64 " colours", name, p.wanted);
    }
    if (p.own_domain) {
        memcpy(cube->values + 3 * p.wanted, p.domain, sizeof p.domain);
    }
    return read_colours(&p, cube);
}

gf_status cube_file_read(const char *path, struct cube_file *cube, gf_error *error)
{
    struct text_file file = {0};
    *cube = (struct cube_file){0};
    gf_status status = text_file_read(path, (size_t)MOST_BYTES, &file, error);
    status = status == GF_OK ? cube_file_parse(path, file.text, file.length, cube, error) : status;
    text_file_free(&file);
    return status;
}

void cube_file_free(struct cube_file *cube)
{
    free(cube->values);
    *cube = (struct cube_file){0};
}
