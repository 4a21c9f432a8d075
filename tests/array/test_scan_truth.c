/* The sequential scan of floats: the order of its sums, and how near they are to the truth. */
#include "scan_case.h"

#include <math.h>
#include <stdlib.h>

/* The order of docs/exactness.md in its parts: 16777216 + 1 is 16777216 in f32, so which ones are added to
 * which shows. */
static void float_order(void)
{
    enum { N = 2 * 8192 };
    float *data = calloc(N, sizeof *data), *sums = calloc(N, sizeof *sums);
    REQUIRE(data && sums);
    gf_scan_options options = options_of(GF_SCAN_SUM, true, GF_F32, GF_F32, "sequential");
    data[0] = 16777216.0F;
    data[1] = 1.0F; /* lost in the lane */
    data[4] = 1.0F; /* 1 + 1 in the next lane, then added to what is before the lane */
    data[5] = 1.0F;
    scan(GF_DEVICE_CPU, options, data, N, (struct place){0}, sums);
    CHECK(sums[3] == 16777216.0F && sums[4] == 16777216.0F && sums[5] == 16777218.0F);
    memset(data, 0, N * sizeof *data);
    data[0] = 16777216.0F;
    data[8] = 1.0F;
    data[12] = 1.0F; /* lanes 2 and 3 meet at distance 1, before lanes 0 and 1 come at distance 2 */
    data[8192] = 1.0F;
    scan(GF_DEVICE_CPU, options, data, N, (struct place){0}, sums);
    CHECK(sums[8] == 16777216.0F && sums[12] == 16777216.0F && sums[16] == 16777218.0F);
    CHECK(sums[8191] == 16777218.0F && sums[8192] == 16777220.0F); /* ties go to even */
    free(data);
    free(sums);
}

/* Float sums stay near the true ones, and integer sums are true. */
static void near_the_truth(void)
{
    enum { N = 3000000 };
    float *data = malloc(N * sizeof *data);
    double *sums = malloc(N * sizeof *sums), exact = 0, worst = 0;
    float *narrow = malloc(N * sizeof *narrow);
    REQUIRE(data && sums && narrow);
    array_data_fill(data, GF_F32, N, ARRAY_RANDOM, 0, 3);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_SUM, true, GF_F32, GF_F64, "sequential"), data, N,
         (struct place){0}, sums);
    scan(GF_DEVICE_CPU, options_of(GF_SCAN_SUM, true, GF_F32, GF_F32, "sequential"), data, N,
         (struct place){0}, narrow);
    for (int64_t i = 0; i < N; i++) {
        exact += (double)data[i]; /* multiples of 2^-24 below 2^22: exact */
        CHECK_MSG(sums[i] == exact, "element %lld: %.17g, expected %.17g", (long long)i, sums[i], exact);
        worst = fmax(worst, fabs((double)narrow[i] - exact) / exact);
        if (check_now.failures) {
            break;
        }
    }
    CHECK_MSG(worst > 0 && worst < 12 * 0x1p-24, "worst relative error %g", worst);
    free(data);
    free(sums);
    free(narrow);
}

static const struct check_case cases[] = {
    {"order of float sums", float_order},
    {"near the truth", near_the_truth},
};
CHECK_MAIN(cases)
