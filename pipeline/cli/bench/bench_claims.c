/* Judges the claims of a text by what was measured. A claim that rows are missing for is not judged, and none
 * is where the sizes were others than the experiment's own. */
#include "batch/quantile.h"
#include "bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 256 }; /* of a fit */

/* What a judgement is made from, and what it says. */
struct judgement {
    const struct bench_result *result;
    const struct bench_claim *claim;
    char why[240];
};

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static const struct bench_row *row_at(const struct judgement *c, int line, int index)
{
    return bench_row_at(c->result, line, index);
}

static struct bench_span span_of(const struct bench_row *row)
{
    return (struct bench_span){row->q1_us, row->time_us, row->q3_us};
}

static enum bench_order order_of(const struct bench_row *a, const struct bench_row *b)
{
    return bench_compare(span_of(a), span_of(b));
}

/* The span of all runs of a line together. */
static struct bench_span span_of_runs(const struct judgement *c, int line, int n)
{
    double times[MOST_VALUES];
    n = n < MOST_VALUES ? n : MOST_VALUES;
    for (int i = 0; i < n; i++) {
        times[i] = row_at(c, line, i)->time_us;
    }
    return (struct bench_span){quantile(times, n, 0.25), quantile(times, n, 0.5), quantile(times, n, 0.75)};
}

/* ---- Kinds by two series ------------------------------------------------------------------------------- */

static enum bench_verdict judge_runs(struct judgement *c, int a, int b)
{
    const int n = bench_row_count(c->result, a), m = bench_row_count(c->result, b);
    if (n == 0 || m == 0) {
        return BENCH_NOT_JUDGED;
    }
    const struct bench_span x = span_of_runs(c, a, n), y = span_of_runs(c, b, m);
    const enum bench_order order = bench_compare(x, y);
    snprintf(c->why, sizeof c->why, "%.4g us (%.4g to %.4g) and %.4g us (%.4g to %.4g)", x.middle, x.low,
             x.high, y.middle, y.low, y.high);
    return order == BENCH_LESS ? BENCH_HOLDS : order == BENCH_MORE ? BENCH_FAILS : BENCH_CLOSE;
}

/* The mean ratio is that of logarithms. */
static enum bench_verdict judge_pair(struct judgement *c, int a, int b)
{
    const struct bench_row *row, *other;
    int n = 0, faster = 0, near = 0;
    double sum = 0;
    if (!strcmp(c->result->experiment->panels[c->claim->panel].sweep, "run")) {
        return judge_runs(c, a, b);
    }
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        if ((other = bench_row_beside(c->result, b, row)) != NULL) {
            const enum bench_order order = order_of(row, other);
            n++;
            faster += order == BENCH_LESS;
            near += order == BENCH_NEITHER;
            sum += log(other->time_us / row->time_us);
        }
    }
    snprintf(c->why, sizeof c->why, "faster at %d of %d, too close at %d, %.2f times on average", faster, n,
             near, n > 0 ? exp(sum / n) : 0);
    return bench_share(faster, near, n, c->claim->low);
}

/* The last value that both have. */
static enum bench_verdict judge_end(struct judgement *c, int a, int b)
{
    const struct bench_row *row, *at = NULL, *other = NULL;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        const struct bench_row *found = bench_row_beside(c->result, b, row);
        at = found ? row : at;
        other = found ? found : other;
    }
    if (!at) {
        return BENCH_NOT_JUDGED;
    }
    const enum bench_order order = order_of(at, other);
    snprintf(c->why, sizeof c->why, "at %s: %.4g us and %.4g us", at->x_word, at->time_us, other->time_us);
    return order == BENCH_LESS ? BENCH_HOLDS : order == BENCH_MORE ? BENCH_FAILS : BENCH_CLOSE;
}

static enum bench_verdict judge_crossing(struct judgement *c, int a, int b)
{
    const struct bench_row *first = row_at(c, a, 0), *last = row_at(c, a, bench_row_count(c->result, a) - 1);
    const struct bench_row *first_b = first ? bench_row_beside(c->result, b, first) : NULL,
                           *last_b = last ? bench_row_beside(c->result, b, last) : NULL;
    if (!first_b || !last_b || first == last) {
        return BENCH_NOT_JUDGED;
    }
    const enum bench_order begins = order_of(first, first_b), ends = order_of(last, last_b);
    snprintf(c->why, sizeof c->why, "at %s: %.4g us and %.4g us, at %s: %.4g us and %.4g us", first->x_word,
             first->time_us, first_b->time_us, last->x_word, last->time_us, last_b->time_us);
    return begins == BENCH_MORE || ends == BENCH_LESS   ? BENCH_FAILS
           : begins == BENCH_LESS && ends == BENCH_MORE ? BENCH_HOLDS
                                                        : BENCH_CLOSE;
}

/* Judges from which value on a stays faster. */
static enum bench_verdict judge_overtaking(struct judgement *c, int a, int b)
{
    const struct bench_row *row, *other, *from = NULL;
    enum bench_order last = BENCH_MORE;
    int n = 0;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        if ((other = bench_row_beside(c->result, b, row)) != NULL) {
            n++;
            last = order_of(row, other);
            from = last != BENCH_LESS ? NULL : from ? from : row;
        }
    }
    if (n == 0) {
        return BENCH_NOT_JUDGED;
    }
    if (from) {
        snprintf(c->why, sizeof c->why, "from %s on", from->x_word);
        return c->claim->high > 0 && from->x > c->claim->high ? BENCH_FAILS : BENCH_HOLDS;
    } else {
        snprintf(c->why, sizeof c->why,
                 last == BENCH_NEITHER ? "as fast at the last of %d values"
                                       : "at none of %d values to the end",
                 n);
    }
    return last == BENCH_NEITHER ? BENCH_CLOSE : BENCH_FAILS;
}

static enum bench_verdict judge_ratio(struct judgement *c, int a, int b, bool at_end)
{
    const struct bench_row *row = row_at(c, a, at_end ? bench_row_count(c->result, a) - 1 : 0),
                           *other = row ? bench_row_beside(c->result, b, row) : NULL;
    if (!other) {
        return BENCH_NOT_JUDGED;
    }
    const struct bench_span ratio = bench_quotient(span_of(row), span_of(other));
    snprintf(c->why, sizeof c->why, "at %s: %.2f times, by the quartiles %.2f to %.2f", row->x_word,
             ratio.middle, ratio.low, ratio.high);
    return bench_within(ratio, c->claim->low, c->claim->high);
}

/* ---- Kinds by one series and all others ------------------------------------------------------------------ */

/* Ours and the vendors' stand in the figures of a text, but its claims are not about them. */
static bool is_guest(const char *label)
{
    return !strcmp(label, "auto") || !strncmp(label, "cub", 3) || !strcmp(label, "cusparse") ||
           !strcmp(label, "thrust");
}

static bool is_rival(const struct judgement *c, int a, int l)
{
    const struct bench_line *own = &c->result->lines[a], *other = &c->result->lines[l];
    return l != a && other->panel == c->claim->panel && other->cpu == own->cpu &&
           (is_guest(own->label) || !is_guest(other->label));
}

/* Judges it against each other line on the same kind of device, at every value. */
static enum bench_verdict judge_all(struct judgement *c, int a, bool fastest)
{
    const enum bench_order better = fastest ? BENCH_LESS : BENCH_MORE;
    const struct bench_row *row, *other;
    int n = 0, won = 0, near = 0;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        int rivals = 0, beaten = 0, open = 0;
        for (int l = 0; l < c->result->n_lines; l++) {
            if (is_rival(c, a, l) && (other = bench_row_beside(c->result, l, row)) != NULL) {
                const enum bench_order order = order_of(row, other);
                rivals++;
                beaten += order == better;
                open += order == BENCH_NEITHER;
            }
        }
        n += rivals > 0;
        won += rivals > 0 && beaten == rivals;
        near += beaten < rivals && beaten + open == rivals;
    }
    snprintf(c->why, sizeof c->why, "%s at %d of %d, too close at %d", fastest ? "fastest" : "slowest", won,
             n, near);
    return bench_share(won, near, n, c->claim->low);
}

/* ---- Kinds by one series ----------------------------------------------------------------------------------- */

static enum bench_verdict judge_ends(struct judgement *c, int a, bool bandwidth)
{
    const struct bench_row *first = row_at(c, a, 0), *last = row_at(c, a, bench_row_count(c->result, a) - 1);
    if (!first || first == last) {
        return BENCH_NOT_JUDGED;
    }
    struct bench_span ratio = bench_quotient(span_of(last), span_of(first));
    if (bandwidth) { /* of the same bytes at both ends: the other way round */
        const double moved = last->gbps * last->time_us / (first->gbps * first->time_us);
        ratio = (struct bench_span){moved / ratio.high, moved / ratio.middle, moved / ratio.low};
    }
    snprintf(c->why, sizeof c->why, "from %s to %s: %.3g times the %s, by the quartiles %.3g to %.3g",
             first->x_word, last->x_word, ratio.middle, bandwidth ? "bandwidth" : "time", ratio.low,
             ratio.high);
    return bandwidth ? bench_within(ratio, 0, c->claim->low) : bench_within(ratio, c->claim->low, INFINITY);
}

/* Judges it beside the copy that was timed with it. */
static enum bench_verdict judge_slow(struct judgement *c, int a)
{
    const struct bench_row *last = row_at(c, a, bench_row_count(c->result, a) - 1);
    if (!last || !(last->time_us > 0)) {
        return BENCH_NOT_JUDGED;
    }
    const double moved = last->fraction * last->time_us;
    const struct bench_span part = {moved / last->q3_us, last->fraction, moved / last->q1_us};
    snprintf(c->why, sizeof c->why, "at %s: %.3g of the bandwidth of a copy, by the quartiles %.3g to %.3g",
             last->x_word, part.middle, part.low, part.high);
    return bench_within(part, 0, c->claim->high);
}

/* Tells whether all, some or none of the possibly fastest, by their quartiles, lie in the interval. */
static enum bench_verdict judge_best(struct judgement *c, int a)
{
    const struct bench_row *row, *best = NULL;
    int in = 0, out = 0;
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        best = !best || row->time_us < best->time_us ? row : best;
    }
    if (!best) {
        return BENCH_NOT_JUDGED;
    }
    for (int i = 0; (row = row_at(c, a, i)) != NULL; i++) {
        const bool inside = row->x >= c->claim->low && row->x <= c->claim->high;
        const bool may = order_of(row, best) == BENCH_NEITHER;
        in += may && inside;
        out += may && !inside;
    }
    snprintf(c->why, sizeof c->why, "least at %s; %d others are too close to tell", best->x_word,
             in + out - 1);
    return out == 0 ? BENCH_HOLDS : in == 0 ? BENCH_FAILS : BENCH_CLOSE;
}

/* The power over the upper half of the values: small arrays are all launches. How far points lie off the
 * line, or quartiles off their median, at both ends the power may be off so much; few points, and single
 * runs, say nothing of that. */
static enum bench_verdict judge_growth(struct judgement *c, int a)
{
    const int n = bench_row_count(c->result, a), from = bench_upper_half(n);
    double x[MOST_VALUES], y[MOST_VALUES], noise = 1;
    struct bench_power fit;
    int used = 0;
    for (int i = from; i < n && used < MOST_VALUES; i++, used++) {
        const struct bench_row *row = row_at(c, a, i);
        x[used] = row->x;
        y[used] = row->time_us;
        noise = fmax(noise, fmax(row->q3_us / row->time_us, row->time_us / row->q1_us));
    }
    if (!bench_fit(x, y, used, &fit)) {
        return BENCH_NOT_JUDGED;
    }
    const bool few = used < BENCH_FIT_LEAST || noise == 1;
    const double off = 2 * log(fmax(noise, fit.residual)) / log(x[used - 1] / x[0]);
    snprintf(c->why, sizeof c->why,
             "from %s to %s time grows as n^%.2f, n^%.2f to n^%.2f by what %d points are off it (%.2f times) "
             "and by their quartiles%s",
             row_at(c, a, from)->x_word, row_at(c, a, n - 1)->x_word, fit.power, fit.power - off,
             fit.power + off, used, fit.residual, few ? "; too few points, or single runs" : "");
    return few ? BENCH_CLOSE
               : bench_within((struct bench_span){fit.power - off, fit.power, fit.power + off}, c->claim->low,
                              c->claim->high);
}

/* ---- Kinds that are counted ----------------------------------------------------------------------------------- */

/* The counts of a row that the claim is about; 0: nobody counted them. */
static int64_t counted(const struct bench_claim *claim, const struct bench_row *row)
{
    return claim->kind == CLAIM_LAUNCHES ? row->launches : row->additions;
}

static enum bench_verdict judge_counts(struct judgement *c, int a)
{
    const struct bench_claim *claim = c->claim;
    const struct bench_row *last = NULL;
    int n = 0, right = 0;
    for (int i = 0; i < c->result->n_rows; i++) {
        const struct bench_row *row = &c->result->rows[i];
        if (row->series == a && counted(claim, row) > 0) {
            const double most = claim->kind == CLAIM_WORK
                                    ? claim->high * (double)row->n
                                    : claim->low * ceil(log2((double)row->n)) + claim->high;
            right +=
                claim->kind == CLAIM_WORK ? (double)row->additions <= most : (double)row->launches == most;
            last = row;
            n++;
        }
    }
    if (last && claim->kind == CLAIM_LAUNCHES) {
        snprintf(c->why, sizeof c->why, "counted at %s: %" PRId64 " launches; log2 n is %.4g", last->x_word,
                 last->launches, log2((double)last->n));
    } else if (last) {
        snprintf(c->why, sizeof c->why,
                 "counted at %s: %.2f additions an element, without those that carry "
                 "from block to block",
                 last->x_word, (double)last->additions / (double)last->n);
    }
    return bench_share(right, 0, n, 1);
}

static enum bench_verdict judge_checked(struct judgement *c)
{
    int right = 0, n = 0;
    for (int i = 0; i < c->result->n_rows; i++) {
        n += c->result->rows[i].verdict != PRIM_UNCHECKED;
        right += c->result->rows[i].verdict == PRIM_RIGHT || c->result->rows[i].verdict == PRIM_NEAR;
    }
    const int used = snprintf(c->why, sizeof c->why, "%d of %d rows", right, n);
    if (n < c->result->n_rows) {
        snprintf(c->why + used, sizeof c->why - (size_t)used, "; %d are not checked", c->result->n_rows - n);
    }
    return bench_share(right, 0, n, 1);
}

/* ---- All of it ------------------------------------------------------------------------------------------- */

static enum bench_verdict judge(struct judgement *c)
{
    const int a = bench_line_of(c->result, c->claim->panel, c->claim->a),
              b = bench_line_of(c->result, c->claim->panel, c->claim->b);
    const struct bench_study *study = c->result->experiment->study;
    if (c->claim->kind == CLAIM_CHECKED) {
        return judge_checked(c);
    }
    if (c->claim->kind == CLAIM_OWN) {
        return study->judge(c->result, c->claim, c->why, sizeof c->why);
    }
    if (a < 0 || (c->claim->b && b < 0)) {
        return BENCH_NOT_JUDGED;
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
    case CLAIM_RATIO_END:
        return judge_ratio(c, a, b, c->claim->kind == CLAIM_RATIO_END);
    case CLAIM_LAUNCHES:
    case CLAIM_WORK:
        return judge_counts(c, a);
    case CLAIM_SLOW_END:
        return judge_slow(c, a);
    case CLAIM_CHECKED:
    case CLAIM_OWN:
        break;
    }
    return BENCH_NOT_JUDGED;
}

void bench_judge(const struct bench_result *result, struct buffer *text)
{
    static const char *const words[] = {"holds on this device", "does not hold on this device",
                                        "too close to tell", "not judged"};
    const bool ours = !strcmp(result->experiment->source, "ours");
    for (const struct bench_claim *claim = result->experiment->claims; claim && claim->text; claim++) {
        struct judgement c = {.result = result, .claim = claim};
        enum bench_verdict verdict = judge(&c);
        if (verdict == BENCH_NOT_JUDGED) {
            snprintf(c.why, sizeof c.why, "%s",
                     claim->kind == CLAIM_WORK ? "only an emulated device counts additions"
                     : result->emulated        ? "an emulated device has no times"
                                               : "there are no rows for it");
        }
        const bool judges = !result->reduced || claim->kind == CLAIM_WORK || claim->kind == CLAIM_LAUNCHES;
        buffer_printf(text, "  %s: %s\n    (", words[judges ? verdict : BENCH_NOT_JUDGED], claim->text);
        if (!judges) {
            buffer_printf(text, "not the %s sizes; here: ", ours ? "experiment's" : "text's");
        }
        buffer_printf(text, "%s)\n", c.why);
    }
}
