/* gf_batch: pictures that are checked, and kinds that only the input tells. */
#define _DEFAULT_SOURCE /* setenv */
#include "batch_case.h"

static gf_status verify_item(void *user, const gf_plan *plan, gf_exec *exec, const gf_image *in,
                             const gf_image *out, gf_error *e)
{
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_status status = gf_verify(exec, in, out, gf_verify_judge(plan), &mismatch, e);
    return status == GF_OK ? call(user, 'c', e) : status;
}

/* Sees to it that gf_verify finds something. */
static gf_status spoil_item(void *user, const gf_plan *plan, gf_exec *exec, const gf_image *in,
                            const gf_image *out, gf_error *e)
{
    ((uint8_t *)out->data)[3] ^= 1;
    return verify_item(user, plan, exec, in, out, e);
}

static int32_t opened_kinds[4];

static gf_status open_kind(void *user, gf_source *source, gf_error *e)
{
    struct item *item = user;
    opened_kinds[item - items] = 100 + (int32_t)(item - items) / 2;
    return open_item(user, source, e);
}

static gf_status add_checked(gf_batch *batch, int i, bool spoils)
{
    gf_batch_item made = GF_BATCH_ITEM_INIT;
    made.open = open_kind;
    made.opened_kind = &opened_kinds[i];
    made.check = spoils ? spoil_item : verify_item;
    made.output = open_output;
    made.done = done;
    made.end = end;
    made.user = &items[i];
    return gf_batch_add(batch, &made, &error);
}

static void pictures_are_checked(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 1;
    set_items(5, (gf_shape){60, 40, 1, GF_U8});
    items[1].shape.width = items[0].shape.width;
    gf_batch *batch = make_batch("blur:2,stats", &options);
    REQUIRE(batch != NULL);
    items[2].fails_in = 'c';
    items[2].fails_with = GF_ERROR_INPUT;
    for (int i = 0; i < 4; i++) {
        CHECK(add_checked(batch, i, i == 3) == GF_OK);
    }
    CHECK(add(batch, &items[4]) == GF_OK);
    CHECK(gf_batch_finish(batch, &error) == GF_OK);
    CHECK_STR(items[0].calls, "orcwtde");
    CHECK_STR(items[4].calls, "orwtde");
    check_item("blur:2,stats", &items[0]);
    check_item("blur:2,stats", &items[4]);
    CHECK(items[0].outcome.status == GF_OK && items[1].outcome.status == GF_OK);
    CHECK_STR(items[2].calls, "orce");
    CHECK(items[2].outcome.status == GF_ERROR_INPUT && strstr(items[2].error.message, "told to fail in c"));
    CHECK_MSG(items[3].outcome.status == GF_ERROR_MISMATCH, "%s", items[3].error.message);
    CHECK_STR(items[3].calls, "ore");
    CHECK_MSG(numbers_of(batch).plans == 4, "%d plans", (int)numbers_of(batch).plans);
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

/* What one picture takes at most, and what is kept then. */
static gf_batch_numbers numbers_of_one(bool checked)
{
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 1;
    gf_batch *batch = make_batch("blur:2,stats", &options);
    set_items(1, (gf_shape){60, 40, 1, GF_U8});
    CHECK(batch && (checked ? add_checked(batch, 0, false) : add(batch, &items[0])) == GF_OK);
    CHECK(gf_batch_finish(batch, &error) == GF_OK && items[0].outcome.status == GF_OK);
    const gf_batch_numbers numbers = numbers_of(batch);
    gf_batch_destroy(&batch);
    return numbers;
}

static void a_check_counts_while_it_lasts(void)
{
    open_context();
    const gf_batch_numbers plain = numbers_of_one(false), checked = numbers_of_one(true);
    CHECK(plain.most_memory > 0);
    CHECK_EQ_INT(checked.most_memory, 2 * plain.most_memory);
    CHECK_EQ_INT(checked.memory, plain.memory);
    gf_context_destroy(&context);
}

static void a_check_needs_the_whole(void)
{
    open_context();
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.memory_limit = 200000;
    set_items(1, (gf_shape){100, 3000, 1, GF_U8});
    gf_batch *batch = make_batch("blur:2", &options);
    CHECK(batch && add_checked(batch, 0, false) == GF_OK && gf_batch_finish(batch, &error) == GF_OK);
    CHECK(items[0].outcome.status == GF_ERROR_MEMORY);
    CHECK_MSG(strstr(items[0].error.message, " bytes are needed, the memory limit is 200000"), "%s",
              items[0].error.message);
    CHECK_STR(items[0].calls, "oe");
    gf_batch_destroy(&batch);
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"pictures are checked, and kinds are told by the input", pictures_are_checked},
    {"a check counts as much again, while it lasts", a_check_counts_while_it_lasts},
    {"a check needs the whole picture", a_check_needs_the_whole},
};
CHECK_MAIN(cases)
