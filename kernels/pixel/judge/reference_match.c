/* match, as the contract has it, in integers of any length. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/match/match.h"

enum { WORDS = 16 }; /* of 32 bits: more than any product here has */

struct number {
    uint32_t word[WORDS];
};

static struct number product(struct number a, struct number b)
{
    struct number made = {{0}};
    for (int i = 0; i < WORDS; i++) {
        uint64_t carry = 0;
        for (int k = 0; i + k < WORDS; k++) {
            carry += (uint64_t)a.word[i] * b.word[k] + made.word[i + k];
            made.word[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return made;
}

static struct number number(uint64_t v)
{
    return (struct number){{(uint32_t)v, (uint32_t)(v >> 32)}};
}

static int compare(struct number a, struct number b)
{
    for (int i = WORDS; i-- > 0;) {
        if (a.word[i] != b.word[i]) {
            return a.word[i] < b.word[i] ? -1 : 1;
        }
    }
    return 0;
}

/* a - b where b is not greater, or b - a. */
static struct number difference(struct number a, struct number b)
{
    struct number made;
    int64_t carry = 0;
    if (compare(a, b) < 0) {
        return difference(b, a);
    }
    for (int i = 0; i < WORDS; i++) {
        carry += (int64_t)a.word[i] - b.word[i];
        made.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return made;
}

static double rough(struct number a)
{
    double v = 0;
    for (int i = WORDS; i-- > 0;) {
        v = v * 4294967296.0 + a.word[i];
    }
    return v;
}

/* 1, 0 or -1: whether size^2 / both is greater than, equal to or less than the square of what lies in the
 * middle between a float and the next one. */
static int beside(struct number size, struct number both, float v)
{
    int exponent;
    const uint64_t m = 2 * (uint64_t)ldexp(frexp((double)v, &exponent), 24) + 1; /* m 2^(exponent - 25) */
    struct number power = {{0}};
    const int shift = 2 * (25 - exponent);
    power.word[shift / 32] = 1U << shift % 32;
    return compare(product(product(size, size), power), product(product(number(m), number(m)), both));
}

/* The float nearest to size / sqrt(both), a tie to the even one: a first guess goes to where it belongs. */
static float nearest(struct number size, struct number both)
{
    uint32_t bits = gf_float_bits((float)(rough(size) / sqrt(rough(both))));
    for (;;) {
        const int above = beside(size, both, gf_bits_float(bits));
        const int below = beside(size, both, gf_bits_float(bits - 1));
        if (above > 0 || (above == 0 && bits % 2)) {
            bits++;
        } else if (below < 0 || (below == 0 && bits % 2)) {
            bits--;
        } else {
            return gf_bits_float(bits);
        }
    }
}

static float score(const struct gf_judge *judge, const struct gf_apply *apply, int64_t x, int64_t y)
{
    const struct gf_value *in = &judge->list->values[apply->in[0]], *by = &judge->list->values[apply->in[1]];
    const uint64_t pixels = (uint64_t)(by->width * by->height);
    uint64_t both = 0, own = 0, other = 0; /* sums of I T, I I and T T */
    struct number n[3] = {{{0}}};          /* sum_c of sum I sum T, of (sum I)^2 and of (sum T)^2 */
    for (int32_t c = 0; c < in->channels; c++) {
        uint64_t sum[2] = {0, 0};
        for (int64_t i = 0; i < by->width * by->height; i++) {
            const int64_t at = (y + i / by->width) * in->width + x + i % by->width;
            const uint64_t v =
                (uint64_t)gf_judge_sample(judge->data[apply->in[0]], in->depth, at * in->channels + c);
            const uint64_t t =
                (uint64_t)gf_judge_sample(judge->data[apply->in[1]], in->depth, i * in->channels + c);
            both += v * t, own += v * v, other += t * t;
            sum[0] += v, sum[1] += t;
        }
        for (int k = 0; k < 3; k++) {
            const struct number more = product(number(sum[k == 2]), number(sum[k != 1]));
            uint64_t carry = 0;
            for (int w = 0; w < WORDS; w++) {
                carry += (uint64_t)n[k].word[w] + more.word[w];
                n[k].word[w] = (uint32_t)carry;
                carry >>= 32;
            }
        }
    }
    const struct number first = product(number(pixels), number(both));
    const bool negative = compare(first, n[0]) < 0;
    const struct number size = difference(first, n[0]);
    const struct number variances = product(difference(product(number(pixels), number(own)), n[1]),
                                            difference(product(number(pixels), number(other)), n[2]));
    const struct number none = {{0}};
    if (!compare(size, none) || !compare(variances, none)) {
        return 0;
    }
    return negative ? -nearest(size, variances) : nearest(size, variances);
}

gf_status gf_judge_match(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    float *scores = judge->data[apply->out[0]];
    (void)error;
    for (int64_t y = 0; y < out->height; y++) {
        for (int64_t x = 0; x < out->width; x++) {
            *scores++ = score(judge, apply, x, y);
        }
    }
    return GF_OK;
}
