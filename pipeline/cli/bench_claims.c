/* Judges the claims of a text by what was measured. A claim that rows are missing for is not judged. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verdict { HOLDS, FAILS, NOT_JUDGED };

/* What a judgement is made from, and what it says. */
struct judgement {
    const struct bench_result *result;
    const struct bench_claim *claim;
    char why[200];
};

/* ---- Rows ---------------------------------------------------------------------------------------------- */

/* The line of that label in the claim's panel, or -1. */
static int line_of(const struct judgement *c, const char *label)
{
    for (int l = 0; label && l < c->result->n_lines; l++) {
        if (c->result->lines[l].panel == c->claim->panel && !strcmp(c->result->lines[l].label, label)) {
            return l;
        }
    }
    return -1;
}

/* The timed row of a line at the index-th of its values, in the order of the sweep; NULL past the last. */
static const struct bench_row *row_at(const struct judgement *c, int line, int index)
{
    for (int i = 0; i < c->result->n_rows; i++) {
        const struct bench_row *row = &c->result->rows[i];
        if (row->series == line && row->timed && index-- == 0) {
            return row;
        }
    }
    return NULL;
}

static const struct bench_row *last_row(const struct judgement *c, int line)
{
    const struct bench_row *row = NULL;
    for (int i = 0; row_at(c, line, i); i++) {
        row = row_at(c, line, i);
    }
    return row;
}

/* The timed row of a line at the same value as another's. */
static const struct bench_row *beside(const struct judgement *c, int line, const struct bench_row *other)
{
    const struct bench_row *row;
    for (int i = 0; (row = row_at(c, line, i)) != NULL; i++) {
        if (row->x == other->x) {
            return row;
        }
    }
    return NULL;
}

/* At how many values both lines have rows, at how many of them a is faster, and the mean (of logarithms) of
 * b's time over a's. */
static int compare_lines(const struct judgement *c, int a, int b, int *faster, double *ratio)
{
    const struct bench_row *row, *other;
    int n = 0;
    double sum = 0;
    *faster = 0;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        if ((other = beside(c, b, row)) != NULL) {
            n++;
            *faster += row->time_us < other->time_us;
            sum += log(other->time_us / row->time_us);
        }
    }
    *ratio = n > 0 ? exp(sum / n) : 0;
    return n;
}

/* ---- Kinds --------------------------------------------------------------------------------------------- */

static enum verdict judge_pair(struct judgement *c, int a, int b)
{
    int faster = 0, n;
    double ratio = 0;
    n = compare_lines(c, a, b, &faster, &ratio);
    if (n == 0) {
        return NOT_JUDGED;
    }
    snprintf(c->why, sizeof c->why, "faster at %d of %d, %.2f times on average", faster, n, ratio);
    return faster >= c->claim->low * n ? HOLDS : FAILS;
}

/* The last value that both have. */
static enum verdict judge_end(struct judgement *c, int a, int b)
{
    const struct bench_row *row, *at = NULL, *other = NULL;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        const struct bench_row *found = beside(c, b, row);
        at = found ? row : at;
        other = found ? found : other;
    }
    if (!at) {
        return NOT_JUDGED;
    }
    snprintf(c->why, sizeof c->why, "at %s: %.4g us and %.4g us", at->x_word, at->time_us, other->time_us);
    return at->time_us < other->time_us ? HOLDS : FAILS;
}

/* Ours and the vendors' stand in the figures of a text, but its claims are not about them. */
static bool is_guest(const char *label)
{
    return !strcmp(label, "auto") || !strncmp(label, "cub", 3) || !strcmp(label, "cusparse") ||
           !strcmp(label, "thrust");
}

/* Against each other line on the same kind of device, at every value. */
static enum verdict judge_all(struct judgement *c, int a, bool fastest)
{
    const struct bench_row *row, *other;
    int n = 0, won = 0;
    bool ours = is_guest(c->claim->a);
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        bool beaten = false, compared = false;
        for (int l = 0; l < c->result->n_lines; l++) {
            bool rival = l != a && c->result->lines[l].panel == c->claim->panel &&
                         c->result->lines[l].cpu == c->result->lines[a].cpu;
            bool known = ours || !is_guest(c->result->lines[l].label);
            if (rival && known && (other = beside(c, l, row)) != NULL) {
                compared = true;
                beaten = beaten || (fastest ? other->time_us < row->time_us : other->time_us > row->time_us);
            }
        }
        n += compared;
        won += compared && !beaten;
    }
    if (n == 0) {
        return NOT_JUDGED;
    }
    snprintf(c->why, sizeof c->why, "%s at %d of %d", fastest ? "fastest" : "slowest", won, n);
    return won >= c->claim->low * n ? HOLDS : FAILS;
}

static enum verdict judge_ends(struct judgement *c, int a, bool bandwidth)
{
    const struct bench_row *first = row_at(c, a, 0), *last = last_row(c, a);
    if (!first || first == last) {
        return NOT_JUDGED;
    }
    double ratio = bandwidth ? last->gbps / first->gbps : last->time_us / first->time_us;
    snprintf(c->why, sizeof c->why, "from %s to %s: %.3g times the %s", first->x_word, last->x_word, ratio,
             bandwidth ? "bandwidth" : "time");
    return (bandwidth ? ratio <= c->claim->low : ratio >= c->claim->low) ? HOLDS : FAILS;
}

static enum verdict judge_best(struct judgement *c, int a)
{
    const struct bench_row *row, *best = NULL;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        best = !best || row->time_us < best->time_us ? row : best;
    }
    if (!best) {
        return NOT_JUDGED;
    }
    snprintf(c->why, sizeof c->why, "least at %s", best->x_word);
    return best->x >= c->claim->low && best->x <= c->claim->high ? HOLDS : FAILS;
}

static enum verdict judge_crossing(struct judgement *c, int a, int b)
{
    const struct bench_row *first = row_at(c, a, 0), *last = last_row(c, a);
    const struct bench_row *first_b = first ? beside(c, b, first) : NULL,
                           *last_b = last ? beside(c, b, last) : NULL;
    if (!first_b || !last_b || first == last) {
        return NOT_JUDGED;
    }
    snprintf(c->why, sizeof c->why, "at %s: %.4g us and %.4g us, at %s: %.4g us and %.4g us", first->x_word,
             first->time_us, first_b->time_us, last->x_word, last->time_us, last_b->time_us);
    return first->time_us < first_b->time_us && last->time_us > last_b->time_us ? HOLDS : FAILS;
}

/* From the value on behind which a stays faster. */
static enum verdict judge_overtaking(struct judgement *c, int a, int b)
{
    const struct bench_row *row, *other, *from = NULL;
    int n = 0;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        if ((other = beside(c, b, row)) != NULL) {
            n++;
            from = row->time_us >= other->time_us ? NULL : from ? from : row;
        }
    }
    if (n == 0) {
        return NOT_JUDGED;
    }
    if (from) {
        snprintf(c->why, sizeof c->why, "from %s on", from->x_word);
    } else {
        snprintf(c->why, sizeof c->why, "at none of %d values", n);
    }
    return from ? HOLDS : FAILS;
}

/* The power from the middle value to the last: small arrays are all launches. */
static enum verdict judge_growth(struct judgement *c, int a)
{
    int n = 0;
    while (row_at(c, a, n)) {
        n++;
    }
    const struct bench_row *from = row_at(c, a, n / 2 < n - 1 ? n / 2 : 0),
                           *to = n > 1 ? row_at(c, a, n - 1) : NULL;
    if (!to || from->x <= 0) {
        return NOT_JUDGED;
    }
    double power = log(to->time_us / from->time_us) / log(to->x / from->x);
    snprintf(c->why, sizeof c->why, "from %s to %s time grows as n^%.2f", from->x_word, to->x_word, power);
    return power >= c->claim->low && power <= c->claim->high ? HOLDS : FAILS;
}

static enum verdict judge_ratio(struct judgement *c, int a, int b)
{
    const struct bench_row *row = row_at(c, a, 0), *other = row ? beside(c, b, row) : NULL;
    if (!other) {
        return NOT_JUDGED;
    }
    double ratio = row->time_us / other->time_us;
    snprintf(c->why, sizeof c->why, "at %s: %.2f times", row->x_word, ratio);
    return ratio >= c->claim->low && ratio <= c->claim->high ? HOLDS : FAILS;
}

static enum verdict judge_checked(struct judgement *c)
{
    int right = 0;
    for (int i = 0; i < c->result->n_rows; i++) {
        right += c->result->rows[i].verdict == PRIM_RIGHT || c->result->rows[i].verdict == PRIM_NEAR;
    }
    snprintf(c->why, sizeof c->why, "%d of %d rows", right, c->result->n_rows);
    return c->result->n_rows == 0 ? NOT_JUDGED : right == c->result->n_rows ? HOLDS : FAILS;
}

static enum verdict judge(struct judgement *c)
{
    const int a = line_of(c, c->claim->a), b = line_of(c, c->claim->b);
    if (c->claim->kind == CLAIM_CHECKED) {
        return judge_checked(c);
    }
    if (a < 0 || (c->claim->b && b < 0)) {
        return NOT_JUDGED;
    }
    switch (c->claim->kind) {
    case CLAIM_FASTER:
        return judge_pair(c, a, b);
    case CLAIM_FASTER_END:
        return judge_end(c, a, b);
    case CLAIM_FASTEST:
    case CLAIM_SLOWEST:
        return judge_all(c, a, c->claim->kind == CLAIM_FASTEST);
    case CLAIM_RISES:
    case CLAIM_DROPS:
        return judge_ends(c, a, c->claim->kind == CLAIM_DROPS);
    case CLAIM_BEST_AT:
        return judge_best(c, a);
    case CLAIM_CROSSES:
        return judge_crossing(c, a, b);
    case CLAIM_OVERTAKES:
        return judge_overtaking(c, a, b);
    case CLAIM_GROWTH:
        return judge_growth(c, a);
    case CLAIM_RATIO:
        return judge_ratio(c, a, b);
    case CLAIM_CHECKED:
        break;
    }
    return NOT_JUDGED;
}

void bench_judge(const struct bench_result *result, struct buffer *text)
{
    static const char *const words[] = {"holds on this device", "does not hold on this device", "not judged"};
    for (const struct bench_claim *claim = result->experiment->claims; claim && claim->text; claim++) {
        struct judgement c = {.result = result, .claim = claim};
        enum verdict verdict = judge(&c);
        if (verdict == NOT_JUDGED) {
            snprintf(c.why, sizeof c.why, "%s",
                     result->emulated ? "an emulated device has no times" : "there are no rows for it");
        }
        buffer_printf(text, "  %s: %s\n    (%s)\n", words[verdict], claim->text, c.why);
    }
}
