/* label by bands of rows on the CPU: regions that go through many of them, from few rows to one, as the judge
 * has them of the whole picture. */
#include "check.h"
#include "label_shapes.h"
#include "parity.h"
#include "stream_bench.h"

#include <stdlib.h>

static const struct parity_way ways[] = {{"bands of 1 row", GF_DEVICE_CPU, 0, 1, 0, 1},
                                         {"bands of 2 rows", GF_DEVICE_CPU, 1, 2, 0, 2},
                                         {"bands of 7 rows", GF_DEVICE_CPU, 0, 2, 0, 7}};
enum { WAYS = sizeof ways / sizeof *ways };

static void check_ways(const char *text, const gf_image *in, const struct parity_way *way, int n)
{
    char why[512];
    CHECK_MSG(parity_check_ways(text, in, GF_ALPHA_STRAIGHT, way, n, why, sizeof why) == n,
              "%s, %lld x %lld: %s", text, (long long)in->shape.width, (long long)in->shape.height, why);
}

/* Arms that meet below, corners to both sides, a value that changes, a region of one band, one at each edge.
 */
static void by_hand(void)
{
    enum { W = 8, H = 6 };
    static const uint8_t pixels[W * H] = {5, 0, 5, 0, 0, 0, 9, 0, /**/
                                          5, 0, 5, 0, 0, 9, 0, 0, /**/
                                          5, 5, 5, 0, 0, 0, 9, 0, /**/
                                          0, 0, 7, 0, 0, 0, 0, 0, /**/
                                          0, 3, 0, 0, 4, 0, 0, 0, /**/
                                          0, 0, 0, 0, 0, 0, 0, 2};
    static const uint8_t numbers[W * H] = {1, 0, 1, 0, 0, 0, 2, 0, /**/
                                           1, 0, 1, 0, 0, 2, 0, 0, /**/
                                           1, 1, 1, 0, 0, 0, 2, 0, /**/
                                           0, 0, 1, 0, 0, 0, 0, 0, /**/
                                           0, 1, 0, 0, 3, 0, 0, 0, /**/
                                           0, 0, 0, 0, 0, 0, 0, 4};
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    struct bench b;
    REQUIRE(open_bench(&b, "label", (gf_shape){W, H, 1, GF_U8}, streamed(1)) == GF_OK);
    CHECK_EQ_INT(bands_of(b.plan).count, H);
    CHECK(gf_exec_run(b.exec, &in, &b.out, &b.error) == GF_OK);
    for (int i = 0; i < W * H; i++) {
        const uint32_t *row = (const void *)((const char *)b.out.data + i / W * b.out.pitch);
        CHECK_MSG(row[i % W] == numbers[i], "pixel %d is %u", i, row[i % W]);
    }
    const gf_table *table = gf_result_table(gf_exec_result(b.exec, 0), "regions");
    REQUIRE(table != NULL && table->rows == 4);
    const uint64_t *area = gf_table_column(table, "area")->values;
    const uint32_t *box = gf_table_column(table, "box")->values;
    CHECK(area[0] == 9 && area[1] == 3 && area[2] == 1);
    CHECK(box[0] == 0 && box[1] == 0 && box[2] == 3 && box[3] == 5);
    close_bench(&b);
}

static void hard_shapes(void)
{
    static const char *const texts[] = {"label",
                                        "label:4:of=equal:largest=4",
                                        "label:of=equal:min_area=2:max_area=9",
                                        "label:border=drop:output=keep",
                                        "label:4:largest=3:output=colours",
                                        "threshold:1u8,label:output=mask,hist,invert,label:4"};
    static const int64_t sizes[][2] = {{1, 40}, {33, 40}, {131, 29}};
    struct plan_random random;
    plan_random_seed(&random, 5, 1);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            uint8_t *samples = calloc((size_t)sizes[s][0], (size_t)sizes[s][1]);
            REQUIRE(samples != NULL);
            label_draw((enum label_shape)shape, &random, samples, sizes[s][0], sizes[s][1]);
            const gf_image in = gf_image_view(samples, sizes[s][0], sizes[s][1], 1, GF_U8, 0);
            for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
                check_ways(texts[t], &in, ways, WAYS);
            }
            free(samples);
        }
    }
}

/* A picture so large that several threads have a share of each band. */
static void threads(void)
{
    static const struct parity_way way = {"bands of 280 rows", GF_DEVICE_CPU, 0, 3, 0, 280};
    enum { W = 1001, H = 600 };
    uint8_t *drawn = malloc((size_t)W * H);
    float *samples = calloc((size_t)W * H, sizeof *samples); /* whose bands are larger */
    struct plan_random random;
    REQUIRE(drawn != NULL && samples != NULL);
    plan_random_seed(&random, 6, 1);
    label_draw(NOISE_40, &random, drawn, W, H);
    for (int64_t i = 0; i < (int64_t)W * H; i++) {
        samples[i] = drawn[i];
    }
    const gf_image in = gf_image_view(samples, W, H, 1, GF_F32, 0);
    check_ways("label:min_area=3:largest=5000", &in, &way, 1);
    free(samples);
    free(drawn);
}

/* Checks what is told where a stage behind it needs rows of other bands; points do not. */
static void what_cannot(void)
{
    static const char *const texts[][2] = {
        {"label:output=mask,invert,hist,threshold:0.5", ""},
        {"crop:60x300+1+5,label", ""},
        {"label:output=mask,invert,dilate",
         "stage 3 'dilate' reads more rows of what stage 1 'label' makes than a band has"},
        {"label:output=keep,crop:30x300+1+5",
         "stage 2 'crop' reads more rows of what stage 1 'label' makes than a band has"},
        {"label:output=keep,blur:9,label",
         "stage 2 'blur' reads more rows of what stage 1 'label' makes than a band has"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bench b;
        REQUIRE(open_bench(&b, texts[i][0], (gf_shape){64, 400, 1, GF_U8}, streamed(40)) == GF_OK);
        CHECK_STR(bands_of(b.plan).reason, texts[i][1]);
        CHECK_EQ_INT(bands_of(b.plan).count > 1, *texts[i][1] == '\0');
        close_bench(&b);
    }
}

static const struct check_case cases[] = {{"by hand", by_hand},
                                          {"hard shapes", hard_shapes},
                                          {"several threads a band", threads},
                                          {"what cannot", what_cannot}};
CHECK_MAIN(cases)
