/* Recursive descent, from the weakest sign to the strongest: comparisons, sums, products, signs, powers.
 * Steps go to the list in the order in which a stack needs them. */
#include "param/formula_parse.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NESTED = 32 };

struct parser {
    const char *text;
    size_t length, at;
    int32_t channels, colours, depth, nested;
    int64_t width, height;
    bool failed;
    struct gf_formula *f;
    char *why;
};

static const struct function {
    const char *name;
    int least, most; /* arguments */
    enum gf_formula_code code;
} functions[] = {
    {"min", 2, 8, GF_FORMULA_MIN},   {"max", 2, 8, GF_FORMULA_MAX},   {"abs", 1, 1, GF_FORMULA_ABS},
    {"sqrt", 1, 1, GF_FORMULA_SQRT}, {"exp", 1, 1, GF_FORMULA_EXP},   {"log", 1, 1, GF_FORMULA_LOG},
    {"pow", 2, 2, GF_FORMULA_POWER}, {"clamp", 3, 3, GF_FORMULA_END}, {"if", 3, 3, GF_FORMULA_IF},
};

static void expression(struct parser *p);

static GF_PRINTF(2, 3) void fail(struct parser *p, const char *format, ...)
{
    if (!p->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->why, 160, format, arguments);
        va_end(arguments);
        p->failed = true;
    }
}

static char next(struct parser *p)
{
    while (p->at < p->length && (p->text[p->at] == ' ' || p->text[p->at] == '\t' || p->text[p->at] == '\n')) {
        p->at++;
    }
    return p->at < p->length && !p->failed ? p->text[p->at] : '\0';
}

static bool take(struct parser *p, const char *sign)
{
    const size_t n = strlen(sign);
    next(p);
    if (p->failed || p->length - p->at < n || memcmp(p->text + p->at, sign, n) != 0) {
        return false;
    }
    p->at += n;
    return true;
}

static void step(struct parser *p, enum gf_formula_code code, float operand)
{
    if (p->f->n == GF_FORMULA_STEPS) {
        fail(p, "more than %d steps", GF_FORMULA_STEPS);
    }
    if (p->failed) {
        return;
    }
    p->f->steps[2 * p->f->n] = (float)code;
    p->f->steps[2 * p->f->n + 1] = operand;
    p->f->n++;
    p->depth += 1 - gf_formula_takes((int)code);
    if (p->depth > GF_FORMULA_DEPTH) {
        fail(p, "more than %d values wait for what they belong to: write it with fewer brackets",
             GF_FORMULA_DEPTH);
    }
}

/* ---- names ---- */

/* r g b a v: the channel's own value, or that of another. */
static void channel(struct parser *p, char name)
{
    const char *const at = strchr("rgb", name);
    if (name == 'v') {
        step(p, GF_FORMULA_OWN, 0);
    } else if (p->colours == 0) {
        fail(p, "'%c' is a channel of pictures; a signal's are c0 to c%d, and v is the own one", name,
             p->channels - 1);
    } else if (name == 'a' && p->colours == p->channels) {
        fail(p, "'a' is alpha, which the picture does not have");
    } else if (name != 'a' && p->colours < 3) {
        fail(p, "'%c' is a channel of colour pictures; this one is gray: use v", name);
    } else {
        p->f->mixes = true;
        step(p, GF_FORMULA_CHANNEL, (float)(name == 'a' ? p->channels - 1 : at - "rgb"));
    }
}

/* c0, c1 and so on. */
static void numbered(struct parser *p)
{
    int32_t number = 0;
    size_t n = 1;
    for (char c; p->at + n < p->length && (c = p->text[p->at + n]) >= '0' && c <= '9'; n++) {
        number = number < 10000 ? 10 * number + (c - '0') : number;
    }
    if (n == 1 || number >= p->channels) {
        const int32_t most = p->channels - 1;
        fail(p, "'%.*s' is no channel: there %s%.0d", (int)n, p->text + p->at,
             most ? "are c0 to c" : "is c0 alone", most); /* %.0d: nothing of 0 */
        return;
    }
    p->f->mixes = true;
    step(p, GF_FORMULA_CHANNEL, (float)number);
    p->at += p->failed ? 0 : n;
}

/* x y width height of the picture. */
static void place(struct parser *p, const char *name, size_t n)
{
    if (p->colours == 0) {
        fail(p, "'%.*s' is of pictures; this is a signal", (int)n, name);
    } else if (n == 1) {
        p->f->placed = true;
        step(p, GF_FORMULA_CHANNEL, (float)(p->channels + (name[0] == 'y')));
    } else {
        step(p, GF_FORMULA_NUMBER, (float)(name[0] == 'w' ? p->width : p->height));
    }
    p->at += p->failed ? 0 : n;
}

static bool is_place(const char *name, size_t n)
{
    return (n == 1 && (name[0] == 'x' || name[0] == 'y')) || (n == 5 && memcmp(name, "width", 5) == 0) ||
           (n == 6 && memcmp(name, "height", 6) == 0);
}

static void call(struct parser *p, const struct function *f)
{
    int n = 0;
    if (!take(p, "(")) {
        fail(p, "'(' must follow %s", f->name);
    }
    do {
        expression(p);
        n++;
        if (f->code == GF_FORMULA_END && n > 1) { /* clamp(x, low, high) */
            step(p, n == 2 ? GF_FORMULA_MAX : GF_FORMULA_MIN, 0);
        } else if (f->most > f->least && n > 1) {
            step(p, f->code, 0);
        }
    } while (!p->failed && n < f->most && take(p, ","));
    if (!take(p, ")") || n < f->least) {
        fail(p, "%s takes %d value%s, separated by ',', then ')'", f->name, f->least,
             f->least == 1        ? ""
             : f->most > f->least ? "s or more"
                                  : "s");
    }
    if (f->code != GF_FORMULA_END && f->most == f->least) {
        step(p, f->code, 0);
    }
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static void name(struct parser *p)
{
    const char *const from = p->text + p->at;
    size_t n = 0;
    while (p->at + n < p->length && is_letter(from[n])) {
        n++;
    }
    if (n == 1 && strchr("vrgba", from[0])) {
        channel(p, from[0]);
        p->at += p->failed ? 0 : 1;
        return;
    }
    if (is_place(from, n)) {
        place(p, from, n);
        return;
    }
    if (n == 1 && from[0] == 'c') {
        numbered(p);
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == n && memcmp(functions[i].name, from, n) == 0) {
            p->at += n;
            call(p, &functions[i]);
            return;
        }
    }
    fail(p, "no '%.*s': there are v r g b a c0, x y width height, and min max abs sqrt exp log pow clamp if",
         (int)n, from);
}

/* ---- signs ---- */

static void primary(struct parser *p)
{
    double value;
    const char c = next(p);
    const bool number = (c >= '0' && c <= '9') || c == '.';
    const size_t n = number ? gf_number_read(p->text + p->at, p->length - p->at, &value) : 0;
    if (n > 0) {
        p->at += n;
        step(p, GF_FORMULA_NUMBER, (float)value);
    } else if (is_letter(c)) {
        name(p);
    } else if (take(p, "(")) {
        expression(p);
        if (!take(p, ")")) {
            fail(p, "')' is missing");
        }
    } else {
        fail(p, "a number, a name or '(' must stand here");
    }
}

static void power(struct parser *p);

static void sign(struct parser *p)
{
    if (take(p, "-")) {
        if (++p->nested > MOST_NESTED) {
            fail(p, "nested more than %d deep", MOST_NESTED);
            return;
        }
        sign(p);
        p->nested--;
        step(p, GF_FORMULA_NEGATE, 0);
    } else {
        power(p);
    }
}

/* a^b^c is a^(b^c), and -a^b is -(a^b). */
static void power(struct parser *p)
{
    primary(p);
    if (take(p, "^")) {
        sign(p);
        step(p, GF_FORMULA_POWER, 0);
    }
}

static void product(struct parser *p)
{
    sign(p);
    while (!p->failed) {
        const bool times = take(p, "*");
        if (!times && !take(p, "/")) {
            return;
        }
        sign(p);
        step(p, times ? GF_FORMULA_MULTIPLY : GF_FORMULA_DIVIDE, 0);
    }
}

static void sum(struct parser *p)
{
    product(p);
    while (!p->failed) {
        const bool plus = take(p, "+");
        if (!plus && !take(p, "-")) {
            return;
        }
        product(p);
        step(p, plus ? GF_FORMULA_ADD : GF_FORMULA_SUBTRACT, 0);
    }
}

static void expression(struct parser *p)
{
    static const struct {
        const char *sign;
        enum gf_formula_code code;
    } comparisons[] = {{"<=", GF_FORMULA_AT_MOST}, {">=", GF_FORMULA_AT_LEAST}, {"==", GF_FORMULA_SAME},
                       {"!=", GF_FORMULA_OTHER},   {"<", GF_FORMULA_LESS},      {">", GF_FORMULA_GREATER}};
    if (++p->nested > MOST_NESTED) {
        fail(p, "nested more than %d deep", MOST_NESTED);
        return;
    }
    sum(p);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (take(p, comparisons[i].sign)) {
            sum(p);
            step(p, comparisons[i].code, 0);
            break;
        }
    }
    p->nested--;
}

bool gf_formula_parse(const char *text, size_t length, const struct gf_formula_of *of, struct gf_formula *f,
                      size_t *at, char why[160])
{
    struct parser p = {.text = text,
                       .length = length,
                       .channels = of->channels,
                       .colours = of->colours,
                       .width = of->width,
                       .height = of->height,
                       .f = f,
                       .why = why};
    memset(f, 0, sizeof *f);
    expression(&p);
    if (!p.failed && next(&p)) {
        fail(&p, "'%c' must not follow: the formula has ended", p.text[p.at]);
    }
    *at = p.at;
    return !p.failed;
}
