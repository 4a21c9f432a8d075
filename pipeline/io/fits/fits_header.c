/* Cards of a FITS header: 80 bytes, of which the first eight are a keyword, and the next two "= " where it
 * has a value (FITS standard 4.0, section 4). */
#include "io/fits/fits_header.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The keywords that count, by the kind of their value: a logical, an integer, a real number or a text. */
enum key { SIMPLE, XTENSION, BITPIX, NAXIS, PCOUNT, GCOUNT, BSCALE, BZERO, BLANK, ZIMAGE, ROWORDER, KEYS };
static const struct {
    char name[9], kind;
} keys[KEYS] = {{"SIMPLE", 'L'}, {"XTENSION", 'S'}, {"BITPIX", 'I'},  {"NAXIS", 'I'},
                {"PCOUNT", 'I'}, {"GCOUNT", 'I'},   {"BSCALE", 'R'},  {"BZERO", 'R'},
                {"BLANK", 'I'},  {"ZIMAGE", 'L'},   {"ROWORDER", 'S'}};

struct value {
    int is_set;
    int64_t whole; /* of L and I */
    double real;
    char text[9]; /* its beginning */
};

/* What is read of a header before it is known to make sense. */
struct cards {
    struct value value[KEYS], axis[GF_FITS_AXES];
    const char *label;
    int number; /* of the HDU */
    struct gf_fits_header *header;
};

size_t gf_fits_read(struct gf_fits_bytes *bytes, uint64_t at, void *to, size_t size)
{
    uint8_t skipped[4096];
    if (bytes->is_random) {
        return gf_bytes_in_at(bytes->in, at, to, size);
    }
    while (bytes->at < at) {
        const uint64_t left = at - bytes->at;
        const size_t part = left < sizeof skipped ? (size_t)left : sizeof skipped;
        if (gf_bytes_in_read(bytes->in, skipped, part) != part) {
            return 0;
        }
        bytes->at += part;
    }
    const size_t got = gf_bytes_in_read(bytes->in, to, size);
    bytes->at += got;
    return got;
}

static gf_status bad(const struct cards *cards, const char *name, const char *why, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged FITS: %s %s in the header of HDU %d", cards->label,
                   name, why, cards->number);
}

/* An integer, all of the word. */
static int read_whole(const char *word, size_t length, int64_t *value)
{
    size_t i = word[0] == '-' || word[0] == '+';
    int64_t number = 0; /* its negative, so that the least one fits */
    int ok = i < length;
    for (; i < length && ok; i++) {
        ok = word[i] >= '0' && word[i] <= '9' && !__builtin_mul_overflow(number, 10, &number) &&
             !__builtin_sub_overflow(number, word[i] - '0', &number);
    }
    ok = ok && (word[0] == '-' || number > INT64_MIN);
    *value = word[0] == '-' || !ok ? number : -number;
    return ok;
}

/* A real number, whose exponent may be written with a D. */
static int read_real(const char *word, size_t length, double *value)
{
    char text[GF_FITS_CARD];
    for (size_t i = 0; i < length; i++) {
        text[i] = word[i] == 'D' || word[i] == 'd' ? 'E' : word[i];
    }
    return length > 0 && gf_number_read(text, length, value) == length && isfinite(*value);
}

/* A text between quotes, without the blanks at its end; returns what it takes of the card. */
static size_t read_text(const char *at, size_t size, char text[9])
{
    size_t length = 0, i = 1;
    if (size == 0 || at[0] != '\'') {
        return 0;
    }
    for (; i < size && at[i] != '\''; i++) {
        text[length < 8 ? length++ : 8] = at[i];
    }
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    text[length] = '\0';
    return i < size ? i + 1 : 0;
}

/* The value behind "= ", and nothing but blanks and a comment behind that. */
static int read_value(const char *card, char kind, struct value *value)
{
    const char *at = card + 10, *end = card + GF_FITS_CARD;
    while (at < end && *at == ' ') {
        at++;
    }
    size_t length = 0;
    while (at + length < end && at[length] != ' ' && at[length] != '/') {
        length++;
    }
    int ok = length > 0 && card[8] == '=' && card[9] == ' ';
    if (kind == 'S') {
        length = read_text(at, (size_t)(end - at), value->text);
        ok &= length > 0;
    } else if (kind == 'L') {
        ok = ok && length == 1 && (*at == 'T' || *at == 'F');
        value->whole = ok && *at == 'T';
    } else {
        ok =
            ok && (kind == 'I' ? read_whole(at, length, &value->whole) : read_real(at, length, &value->real));
    }
    at += length;
    while (ok && at < end && *at == ' ') {
        at++;
    }
    return ok && (at == end || *at == '/');
}

/* The number of an axis, from 1 on, where the keyword is NAXIS and a number; 0 elsewhere. */
static int axis_of(const char *name)
{
    int number = 0;
    const char *c = name + 5;
    for (; strncmp(name, "NAXIS", 5) == 0 && *c >= '0' + (number == 0) && *c <= '9'; c++) {
        number = number * 10 + (*c - '0');
    }
    return *c == '\0' ? number : 0;
}

/* Cards that mean nothing to samples and that nobody misses. */
static int is_idle(const char *name)
{
    static const char *const idle[] = {"", "COMMENT", "HISTORY", "CONTINUE", "EXTEND", "DATE", "LONGSTRN"};
    size_t i = 0;
    while (i < sizeof idle / sizeof *idle && strcmp(name, idle[i]) != 0) {
        i++;
    }
    return i < sizeof idle / sizeof *idle;
}

static gf_status take_card(struct cards *cards, const char *card, gf_error *error)
{
    char name[9] = "";
    memcpy(name, card, 8);
    for (size_t length = 8; length > 0 && name[length - 1] == ' '; length--) {
        name[length - 1] = '\0';
    }
    const int axis = axis_of(name);
    struct value *value = axis > 0 && axis <= GF_FITS_AXES ? &cards->axis[axis - 1] : NULL;
    char kind = 'I';
    for (int key = 0; key < KEYS && value == NULL; key++) {
        if (strcmp(name, keys[key].name) == 0) {
            value = &cards->value[key];
            kind = keys[key].kind;
        }
    }
    if (value == NULL) {
        if (!is_idle(name) && cards->header->others++ == 0) {
            for (size_t i = 0; i < sizeof name; i++) {
                cards->header->other[i] = name[i] == '\0' || (name[i] > ' ' && name[i] < 127) ? name[i] : '?';
            }
        }
        return GF_OK;
    }
    if (value->is_set) {
        return bad(cards, name, "stands twice", error);
    }
    value->is_set = 1;
    return read_value(card, kind, value) ? GF_OK : bad(cards, name, "has no value of its kind", error);
}

/* How many bytes of samples there are; 0: more than can be counted. */
static int count_bytes(const struct cards *cards, struct gf_fits_header *header)
{
    const struct value *more = &cards->value[PCOUNT], *groups = &cards->value[GCOUNT];
    uint64_t size = header->axes > 0;
    int ok = 1;
    for (int i = 0; i < header->axes; i++) {
        ok = ok && !__builtin_mul_overflow(size, (uint64_t)header->axis[i], &size);
    }
    const int64_t heap = more->is_set ? more->whole : 0, count = groups->is_set ? groups->whole : 1;
    const int bits = header->bits < 0 ? -header->bits : header->bits;
    ok = ok && heap >= 0 && count >= 0 && !__builtin_add_overflow(size, (uint64_t)heap, &size) &&
         !__builtin_mul_overflow(size, (uint64_t)count, &size) &&
         !__builtin_mul_overflow(size, (uint64_t)(bits / 8), &size);
    header->size = size;
    return ok && size <= INT64_MAX / 2;
}

/* Fills in the header what its cards say together. */
static gf_status conclude(struct cards *cards, gf_error *error)
{
    struct gf_fits_header *header = cards->header;
    const struct value *v = cards->value, *first = &v[cards->number == 1 ? SIMPLE : XTENSION];
    static const enum key needed[] = {BITPIX, NAXIS};
    for (int i = 0; i < 2; i++) {
        if (!v[needed[i]].is_set) {
            return bad(cards, keys[needed[i]].name, "is missing", error);
        }
    }
    if (!first->is_set || (cards->number == 1 && !first->whole)) {
        return bad(cards, cards->number == 1 ? "SIMPLE = T" : "XTENSION", "is missing", error);
    }
    snprintf(header->kind, sizeof header->kind, "%s", cards->number == 1 ? "IMAGE" : first->text);
    const int64_t bits = v[BITPIX].whole, axes = v[NAXIS].whole;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != -32 && bits != -64) {
        return bad(cards, "BITPIX", "is none of 8, 16, 32, 64, -32 and -64", error);
    }
    if (axes < 0 || axes > GF_FITS_AXES) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: FITS with NAXIS %" PRId64 "; 2 and 3 are read",
                       cards->label, axes);
    }
    header->bits = (int)bits;
    header->axes = (int)axes;
    for (int i = 0; i < GF_FITS_AXES; i++) {
        char name[24];
        snprintf(name, sizeof name, "NAXIS%d", i + 1);
        header->axis[i] = cards->axis[i].whole;
        if (cards->axis[i].is_set != (i < axes) || header->axis[i] < 0) {
            return bad(cards, name, i < axes ? "is missing or below 0" : "is beyond NAXIS", error);
        }
    }
    header->scale = v[BSCALE].is_set ? v[BSCALE].real : 1;
    header->zero = v[BZERO].is_set ? v[BZERO].real : 0;
    header->has_blank = v[BLANK].is_set && bits > 0;
    header->blank = v[BLANK].whole;
    header->is_packed = v[ZIMAGE].whole != 0;
    header->is_top_down = strcmp(v[ROWORDER].text, "TOP-DOWN") == 0;
    return count_bytes(cards, header) ? GF_OK : bad(cards, "NAXISn", "are too large", error);
}

gf_status gf_fits_read_header(struct gf_fits_bytes *bytes, uint64_t at, int number, uint64_t most,
                              struct gf_fits_header *header, gf_error *error)
{
    struct cards cards = {.label = bytes->in->label, .number = number, .header = header};
    char block[GF_FITS_BLOCK];
    *header = (struct gf_fits_header){0};
    for (uint64_t taken = 0;; taken += GF_FITS_BLOCK) {
        if (taken + GF_FITS_BLOCK > most) {
            return gf_fail(error, GF_ERROR_LIMIT,
                           "%s: the header of HDU %d goes on beyond max_metadata_bytes, %" PRIu64,
                           cards.label, number, most);
        }
        const size_t got = gf_fits_read(bytes, at + taken, block, sizeof block);
        header->is_end = taken == 0 && got == 0 && bytes->in->errno_seen == 0 && !bytes->in->over_limit;
        if (header->is_end && number > 1) {
            return GF_OK;
        }
        if (got != sizeof block) {
            char where[48];
            snprintf(where, sizeof where, "the header of HDU %d", number);
            return gf_bytes_in_fail(bytes->in, where, error);
        }
        for (const char *card = block; card < block + sizeof block; card += GF_FITS_CARD) {
            if (memcmp(card, "END     ", 8) == 0) {
                header->samples = at + taken + GF_FITS_BLOCK;
                return conclude(&cards, error);
            }
            GF_TRY(take_card(&cards, card, error));
        }
    }
}

uint64_t gf_fits_next(const struct gf_fits_header *header)
{
    return header->samples + (header->size + GF_FITS_BLOCK - 1) / GF_FITS_BLOCK * GF_FITS_BLOCK;
}
