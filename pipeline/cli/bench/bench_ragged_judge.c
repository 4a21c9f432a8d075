/* What the text on nested loops claims, judged over all rows of an experiment. */
#include "bench/bench_ragged_judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGE_NODES 1e9
#define LARGE_SKEW  50
#define LEAST_SKEW  10   /* "k >> 1" */
#define TOLERANCE   1.05 /* "equal", within so much */

/* How many comparisons went which way. */
struct tally {
    int n, sure, open;
    double worst; /* factor */
    char at[96];
};

static void say_where(const struct bench_row *row, char *at, size_t size)
{
    snprintf(at, size, "nx %" PRId64 ", ny-max %" PRId64 ", k = %g", row->n, row->loop.ny_max,
             row->loop.skew);
}

static struct bench_span span_of(const struct bench_row *row)
{
    return (struct bench_span){row->q1_us, row->time_us, row->q3_us};
}

/* Counts whether `row` takes at most `most` times as long as `other`. */
static void add(struct tally *t, const struct bench_row *row, const struct bench_row *other, double most)
{
    const struct bench_span ratio = bench_quotient(span_of(row), span_of(other));
    const enum bench_verdict v = bench_within(ratio, 0, most);
    t->n++;
    t->sure += v == BENCH_HOLDS;
    t->open += v == BENCH_CLOSE;
    if (t->n == 1 || ratio.middle > t->worst) {
        t->worst = ratio.middle;
        say_where(row, t->at, sizeof t->at);
    }
}

static enum bench_verdict verdict_of(const struct tally *t, double share, const char *what, char *why,
                                     size_t size)
{
    snprintf(why, size, "%s at %d of %d, too close at %d; the greatest ratio is %.2f, at %s", what, t->sure,
             t->n, t->open, t->worst, t->at);
    return bench_share(t->sure, t->open, t->n, share);
}

/* ---- Two variants --------------------------------------------------------------------------------------- */

static enum bench_verdict judge_frame(const struct bench_result *result, bool large, double share, char *why,
                                      size_t size)
{
    struct tally t = {0};
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        const bool is_large =
            (double)row->n * (double)row->loop.ny_max >= LARGE_NODES && row->loop.skew >= LARGE_SKEW;
        const char *label = result->lines[row->series].label;
        if (!row->timed || strcmp(label, large ? "frame" : "simple") != 0 ||
            !(large ? is_large : row->loop.skew == 0)) {
            continue;
        }
        const int line = bench_line_of(result, row->panel, large ? "simple" : "frame");
        const struct bench_row *other = bench_same_loop(result, line, row);
        if (other) {
            add(&t, row, other, large ? 1 : TOLERANCE);
        }
    }
    return verdict_of(&t, share, large ? "frame is faster" : "simple takes at most 1.05 times as long", why,
                      size);
}

/* The least time among the labels' rows that measured the same loop; NULL: there is none. */
static const struct bench_row *least_of(const struct bench_result *result, const char *const *labels,
                                        const struct bench_row *row)
{
    const struct bench_row *least = NULL;
    for (; *labels; labels++) {
        const int line = bench_line_of(result, row->panel, *labels);
        const struct bench_row *other = bench_same_loop(result, line, row);
        least = other && (!least || other->time_us < least->time_us) ? other : least;
    }
    return least;
}

static enum bench_verdict judge_best(const struct bench_result *result, const char *label,
                                     const char *const *others, double share, char *why, size_t size)
{
    struct tally t = {0};
    char what[64];
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->timed && !strcmp(result->lines[row->series].label, label)) {
            const struct bench_row *other = least_of(result, others, row);
            if (other) {
                add(&t, row, other, TOLERANCE);
            }
        }
    }
    snprintf(what, sizeof what, "%s takes at most 1.05 times as long", label);
    return verdict_of(&t, share, what, why, size);
}

/* ---- Data --------------------------------------------------------------------------------------------- */

/* It needs no clock: it judges the counts themselves. */
static enum bench_verdict judge_skew(const struct bench_result *result, double most, char *why, size_t size)
{
    int n = 0, right = 0;
    double worst = 0, at = 0, at_worst = 0;
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->loop.skew >= LEAST_SKEW && row->loop.calls > 0) {
            const double ratio = (double)row->loop.most * (double)row->n / (double)row->loop.calls;
            const double off = fmax(ratio / row->loop.skew, row->loop.skew / ratio);
            n++;
            right += off <= most;
            if (off > worst) {
                worst = off;
                at = row->loop.skew;
                at_worst = ratio;
            }
        }
    }
    snprintf(why, size, "within a factor of %g in %d of %d rows; at k = %g max / mean is %.1f", most, right,
             n, at, at_worst);
    return bench_share(right, 0, n, 1);
}

/* ---- Parameters ---------------------------------------------------------------------------------------- */

/* Tells whether a line is a member of the sweep of the other one's parameter. */
static bool is_beside(const struct bench_result *result, int line, const char *sweep)
{
    const char *label = result->lines[line].label;
    return !strncmp(label, "combined, ", 10) && !strncmp(label + 10, sweep, strlen(sweep));
}

/* claim->a: the label of the default, claim->b: "area" or "alpha". */
static enum bench_verdict judge_defaults(const struct bench_result *result, const struct bench_claim *claim,
                                         char *why, size_t size)
{
    const int own = bench_line_of(result, claim->panel, claim->a);
    struct bench_span usual = {0, 0, 0}, least = {0, 0, 0}, tau;
    int best = -1;
    if (own < 0 || bench_tau(result, own, &usual) == 0) {
        return BENCH_NOT_JUDGED;
    }
    for (int l = 0; l < result->n_lines; l++) {
        if (is_beside(result, l, claim->b) && bench_tau(result, l, &tau) > 0 &&
            (best < 0 || tau.middle < least.middle)) {
            least = tau;
            best = l;
        }
    }
    snprintf(why, size, "tau is %.3f, and the least %.3f with %s", usual.middle, least.middle,
             best >= 0 ? result->lines[best].label : "");
    return best < 0
               ? BENCH_NOT_JUDGED
               : bench_within((struct bench_span){usual.middle / least.middle, usual.middle / least.middle,
                                                  usual.middle / least.middle},
                              0, claim->high);
}

/* Each loop against the threshold of its nx. */
static enum bench_verdict judge_threshold(const struct bench_result *result, double share, char *why,
                                          size_t size)
{
    const int simple = bench_line_of(result, 0, "simple"), combined = bench_line_of(result, 0, "combined");
    const struct bench_row *row;
    struct tally t = {0};
    for (int i = 0; simple >= 0 && combined >= 0 && (row = bench_row_at(result, combined, i)) != NULL; i++) {
        const struct bench_row *other = bench_same_loop(result, simple, row);
        if (other) {
            const bool above = row->loop.ny_max >= bench_threshold_of(result, row->n);
            add(&t, above ? row : other, above ? other : row, 1);
        }
    }
    return verdict_of(&t, share, "the one that the threshold says is faster", why, size);
}

enum bench_verdict bench_ragged_judge(const struct bench_result *result, const struct bench_claim *claim,
                                      char *why, size_t size)
{
    static const char *const two[] = {"simple", "frame", NULL};
    static const char *const all[] = {"simple", "frame", "combined", "smart", NULL};
    switch ((int)claim->low) {
    case RAGGED_LARGE:
    case RAGGED_UNIFORM:
        return judge_frame(result, claim->low == RAGGED_LARGE, claim->high, why, size);
    case RAGGED_SMART:
        return judge_best(result, "smart", two, claim->high, why, size);
    case RAGGED_OURS:
        return judge_best(result, "auto", all, claim->high, why, size);
    case RAGGED_SKEW:
        return judge_skew(result, claim->high, why, size);
    case RAGGED_DEFAULTS:
        return judge_defaults(result, claim, why, size);
    case RAGGED_THRESHOLD:
        return judge_threshold(result, claim->high, why, size);
    default:
        return BENCH_NOT_JUDGED;
    }
}
