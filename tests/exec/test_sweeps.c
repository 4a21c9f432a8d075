/* Plans that measure first: sweeps over all bands, by an input that is held or read again. */
#include "stream_bench.h"

static const struct {
    const char *text;
    int32_t sweeps, measuring; /* the latter: where results are all that is wanted */
    const char *waits;
} measured[] = {
    {"hist,blur", 1, 1, ""},
    {"gray,threshold:otsu", 2, 1, "stage 2 'threshold' needs what is measured of the whole picture first"},
    {"equalize,stats,blur:2,hist", 2, 2,
     "stage 1 'equalize' needs what is measured of the whole picture first"},
    {"stats,blur:sigma=1:radius=2,threshold:otsu,box:radius=3,stats", 2, 2,
     "stage 3 'threshold' needs what is measured of the whole picture first"},
    {"sobel,equalize:roi=20x80+5+100,blur:sigma=9,equalize,hist,threshold:otsu", 4, 3,
     "stage 2 'equalize' needs what is measured of the whole picture first"},
    {"convert:f32,equalize,stats,profile", 3, 3,
     "stage 2 'equalize' needs what is measured of the whole picture first"},
    {"convert:f32,threshold:otsu,profile:y", 3, 3,
     "stage 2 'threshold' needs what is measured of the whole picture first"},
    {"gray,threshold:0.5,label:largest=9", 2, 1,
     "stage 3 'label' gathers from the whole picture what it makes of it"},
    {"gray,threshold:otsu,label:4:border=drop:output=keep,invert,hist,label:output=colours", 4, 3,
     "stage 2 'threshold' needs what is measured of the whole picture first"},
    {"blur:3,equalize,invert,hist:roi=20x300+0+7,gamma:2,equalize:roi=9x200+20+0", 3, 2,
     "stage 2 'equalize' needs what is measured of the whole picture first"},
};

enum { HELD, READ_AGAIN, CANNOT_READ_AGAIN };

/* The same plan, but within a memory in which the input has no room. */
static gf_plan_options without_room(struct bench *b, gf_plan_options options)
{
    options.memory_limit = gf_plan_memory(b->plan) - 1;
    return options;
}

static void check_sweeps(struct bench *b, const char *text, int32_t sweeps, int32_t measuring, int how)
{
    gf_band_info info = bands_of(b->plan);
    CHECK_EQ_INT(info.sweeps, sweeps);
    CHECK_EQ_INT(info.holds_input != 0, how == HELD && sweeps > 1);
    struct image_rows from = {.image = &b->in}, to = {.image = &b->out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    source.again = how == CANNOT_READ_AGAIN ? NULL : source.again;
    for (int turn = 0; turn < 3; turn++) { /* the last: results only */
        from.next = to.next = 0;
        from.sweeps = 0;
        gf_status status = gf_exec_stream(b->exec, &source, turn < 2 ? &sink : NULL, &b->error);
        if (how == CANNOT_READ_AGAIN && sweeps > 1) {
            CHECK_EQ_INT(status, GF_ERROR_MEMORY);
            CHECK_STR_HAS(b->error.message,
                          "the input is held as a whole, as it cannot be read again: stage ");
            CHECK_EQ_INT(from.calls, 0);
            continue;
        }
        check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", text, b->error.message);
        CHECK_EQ_INT(from.sweeps, how == READ_AGAIN ? (turn < 2 ? sweeps : measuring) - 1 : 0);
        check_same(b, text);
    }
    memset(b->out.data, 0, (size_t)(b->out.pitch * b->out.shape.height));
    CHECK_EQ_INT(gf_exec_run(b->exec, &b->in, &b->out, &b->error), GF_OK);
    check_same(b, "from picture to picture");
}

static void sweeps(void)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        for (int how = HELD; how <= CANNOT_READ_AGAIN; how++) {
            struct bench b;
            gf_shape shape = {31, 590, 3, i % 2 ? GF_U8 : GF_U16}; /* more than two bands hold */
            gf_plan_options options = streamed(40);
            REQUIRE(open_bench(&b, measured[i].text, shape, options) == GF_OK);
            CHECK_STR(bands_of(b.plan).waits, measured[i].waits);
            if (how != HELD && measured[i].sweeps > 1) {
                options = without_room(&b, options);
                close_bench(&b);
                REQUIRE(open_bench(&b, measured[i].text, shape, options) == GF_OK);
            }
            check_sweeps(&b, measured[i].text, measured[i].sweeps, measured[i].measuring, how);
            close_bench(&b);
        }
    }
}

/* Steps done never fall, and at the end all are. */
struct progress {
    int32_t done, steps;
};

static int watch(void *user, int32_t done, int32_t steps)
{
    struct progress *progress = user;
    CHECK(done >= progress->done && done <= steps && (progress->steps == 0 || steps == progress->steps));
    *progress = (struct progress){done, steps};
    return 0;
}

static gf_status fail_again(void *user, gf_error *error)
{
    struct image_rows *rows = user;
    rows->sweeps++;
    snprintf(error->message, sizeof error->message, "not again");
    return GF_ERROR_INPUT;
}

static void sweeps_that_fail(void)
{
    struct bench b;
    gf_shape shape = {31, 390, 1, GF_U8};
    gf_plan_options options = streamed(40);
    REQUIRE(open_bench(&b, measured[4].text, shape, options) == GF_OK);
    options = without_room(&b, options);
    close_bench(&b);
    REQUIRE(open_bench(&b, measured[4].text, shape, options) == GF_OK);
    struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    source.again = fail_again;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_INPUT);
    CHECK_STR(b.error.message, "not again");
    CHECK_EQ_INT(from.sweeps, 1);
    CHECK_EQ_INT(to.calls, 0);
    source = image_source(&from);
    struct progress progress = {0, 0};
    gf_exec_set_progress(b.exec, watch, &progress);
    from.next = 0;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_OK); /* and nothing of it stays */
    check_same(&b, "after a failure");
    CHECK(progress.steps > bands_of(b.plan).count * bands_of(b.plan).sweeps);
    CHECK_EQ_INT(progress.done, progress.steps);
    close_bench(&b);
}

static const struct check_case cases[] = {
    {"sweeps", sweeps},
    {"sweeps that fail", sweeps_that_fail},
};

CHECK_MAIN(cases)
