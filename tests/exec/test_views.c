/* What small structs of every call say: errors of any size, views of pictures, the number of threads, and the
 * version. */
#include "check.h"
#include "small_run.h"

/* ---- gf_error ---- */

/* Calls that fail with a stage, with a place in the text, and with neither. */
static gf_status fail(int which, gf_error *error)
{
    gf_pipeline *none = NULL;
    gf_plan *wrong = NULL;
    gf_status status = gf_pipeline_parse(which == 0 ? "invert,blurr" : "invert,stats:channels=3", NULL, 0,
                                         &none, which == 0 ? error : NULL);
    if (which == 1) {
        status = gf_plan_create(context, none, &in.shape, NULL, &wrong, error);
    } else if (which == 2) {
        status = gf_exec_run(exec, NULL, &out, error);
    }
    gf_pipeline_destroy(&none);
    return status;
}

static void errors(void)
{
    enum { ROOM = 1024 };
    static unsigned char bytes[ROOM];
    gf_error *error = (gf_error *)(void *)bytes;
    REQUIRE(open_small() == GF_OK);
    for (int which = 0; which < 3; which++) {
        gf_error whole = GF_ERROR_INIT;
        gf_status status = fail(which, &whole);
        CHECK(status != GF_OK && whole.code == status && whole.message[0] &&
              whole.stage == (which < 2 ? 1 : -1));
        for (uint32_t size = 0; size <= 600; size++) {
            uint32_t room = size == 0 || size > sizeof whole ? (uint32_t)sizeof whole : size;
            memset(bytes, 0xaa, sizeof bytes);
            memcpy(bytes, &size, sizeof size);
            CHECK_EQ_INT(fail(which, error), status);
            for (uint32_t i = room > 4 ? room : 4; i < ROOM; i++) {
                if (!check_that(bytes[i] == 0xaa, __FILE__, __LINE__, "size %u: byte %u was written", size,
                                i)) {
                    break;
                }
            }
            CHECK(room < 8 || error->code == whole.code);
            CHECK(room < 12 || error->stage == whole.stage);
            CHECK(room < 20 || error->text_length == whole.text_length);
            CHECK(room <= 20 || strncmp(error->message, whole.message, room - 21) == 0);
            CHECK(room <= 20 || memchr(error->message, 0, room - 20) != NULL);
        }
    }
    close_small();
}

/* ---- views, and versions ---- */

static void views(void)
{
    const float samples[12] = {0};
    gf_image image = gf_image_view(samples, 2, 3, 2, GF_F32, 0);
    CHECK(image.struct_size == sizeof image && image.device == GF_DEVICE_CPU && image.data == samples);
    CHECK(image.pitch == 16 && image.shape.height == 3 && image.shape.depth == GF_F32);
    CHECK_EQ_INT(gf_image_view(samples, 2, 3, 2, GF_F32, 64).pitch, 64);
    CHECK_EQ_INT(gf_image_view_device(2, samples, 2, 3, 2, GF_F32, 0).device, 2);
    const gf_image none = GF_IMAGE_INIT;
    CHECK(none.struct_size == sizeof none && none.device == GF_DEVICE_CPU && none.data == NULL);
    CHECK_EQ_INT(gf_image_row_bytes(INT64_MAX / 2, 1, GF_U16), INT64_MAX - 1);
    CHECK_EQ_INT(gf_image_row_bytes(INT64_MAX / 2 + 1, 1, GF_U16), 0);
    CHECK_EQ_INT(gf_image_row_bytes(-1, 1, GF_U8) + gf_image_row_bytes(1, 0, GF_U8), 0);
    CHECK_EQ_INT(gf_image_row_bytes(1, 1, (gf_depth)99), 0);
}

/* A pitch as large as numbers go is refused before anything is computed with it. */
static void pitches(void)
{
    REQUIRE(open_small() == GF_OK);
    const int64_t absurd[] = {INT64_MAX, INT64_MAX / 2, INT64_MAX / 7, INT64_MIN, -8, 7};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        gf_image image = in;
        image.pitch = absurd[i];
        CHECK_EQ_INT(gf_exec_run(exec, &image, &out, &e), GF_ERROR_ARGUMENT);
        image.data = made;
        CHECK_EQ_INT(gf_exec_run(exec, &in, &image, &e), GF_ERROR_ARGUMENT);
    }
    close_small();
}

/* Two views of one buffer, in each a right-hand and a left-hand half: memory behind their last samples, which
 * a pitch reaches over, is not theirs. */
static void views_of_one_buffer(void)
{
    static uint8_t buffer[64];
    const gf_shape shape = {4, 4, 1, GF_U8};
    gf_plan *quarter = NULL;
    gf_exec *runs = NULL;
    REQUIRE(open_small() == GF_OK);
    REQUIRE(gf_plan_create(context, pipeline, &shape, NULL, &quarter, &e) == GF_OK);
    REQUIRE(gf_exec_create(quarter, &runs, &e) == GF_OK);
    gf_image upper = gf_image_view(buffer + 4, 4, 4, 1, GF_U8, 8);
    gf_image lower = gf_image_view(buffer + 32, 4, 4, 1, GF_U8, 8);
    CHECK_EQ_INT(gf_exec_run(runs, &upper, &lower, &e), GF_OK);
    CHECK_EQ_INT(gf_exec_run(runs, &lower, &upper, &e), GF_OK);
    lower.data = buffer + 31; /* the last sample of the other */
    CHECK_EQ_INT(gf_exec_run(runs, &upper, &lower, &e), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_exec_run(runs, &lower, &upper, &e), GF_ERROR_ARGUMENT);
    gf_exec_destroy(&runs);
    gf_plan_destroy(&quarter);
    close_small();
}

static void threads(void)
{
    REQUIRE(open_small() == GF_OK);
    gf_plan *many = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = GF_MOST_THREADS;
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &in.shape, &options, &many, &e), GF_OK);
    gf_plan_destroy(&many);
    options.threads = GF_MOST_THREADS + 1;
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &in.shape, &options, &many, &e), GF_ERROR_ARGUMENT);
    CHECK_STR(e.message, "threads 1025: must be 0, for one per processor, to 1024");
    close_small();
}

static void versions(void)
{
    int major = -1, minor = -1, patch = -1;
    CHECK_STR(gf_version(), GF_CMAKE_VERSION);
    CHECK_STR(GF_VERSION, GF_CMAKE_VERSION);
    CHECK_EQ_INT(sscanf(GF_CMAKE_VERSION, "%d.%d.%d", &major, &minor, &patch), 3);
    CHECK_EQ_INT(GF_VERSION_NUMBER, 10000 * major + 100 * minor + patch);
    CHECK_EQ_INT(gf_version_number(), GF_VERSION_NUMBER);
}

static const struct check_case cases[] = {
    {"errors of every size", errors}, {"views", views},
    {"absurd pitches", pitches},      {"two views of one buffer", views_of_one_buffer},
    {"number of threads", threads},   {"versions agree", versions}};
CHECK_MAIN(cases)
