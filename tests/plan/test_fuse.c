/* Tests which ops share a step: passes, and the moves that they load through. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "plan_bench.h"

#include <string.h>

static void fusion_counts(void)
{
    static const struct {
        const char *text;
        int32_t fused, unfused;
    } expected[] = {
        {"gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", 1, 5},
        {"invert,gamma:2,contrast:2", 1, 3},
        {"blur,blur", 2, 2},
        {"invert,blur,invert,blur,invert", 2, 5},
        {"hist,stats", 1, 2},
        {"hist,invert", 2, 2},
        {"sobel,hist", 1, 2},
        {"threshold:otsu", 3, 3},           /* count; solve; apply */
        {"blur,threshold:otsu,hist", 3, 5}, /* blur and count; solve; apply and count */
        {"equalize,equalize", 5, 6},        /* the first's look-up and the second's count share a pass */
        {"hist,hist,hist,hist,hist", 2, 5},
        {"convert:u8", 0, 0},
        {"flip,invert", 1, 2},
        {"invert,flip", 1, 2},
        {"flip,hist", 1, 2},
        {"gray,flip", 2, 2}, /* a third of the bytes is turned */
        {"gray,flip:y", 1, 2},
        {"gray,crop:30x20+5+3,contrast:1.2,hist", 1, 4},
        {"crop:30x20+5+3,flip:xy,crop:9x8+1+2", 1, 3}, /* moves by themselves become one */
        {"crop:30x20+5+3,invert,flip,invert", 1, 4},
        {"pad:3,contrast:1.2", 1, 2},
        {"invert,pad:3", 2, 2}, /* what lies beside the picture does not go through the points */
        {"pad:3,crop:30x20+0+0,invert", 2, 3},
        {"invert:roi=5x5+1+1,flip", 2, 2}, /* its place is the picture's */
        {"flip,invert:roi=5x5+1+1", 1, 2},
        {"hist,flip,invert", 2, 3},
        {"blur,flip,invert", 2, 3},
        {"flip,blur", 2, 2},
        {"flip,invert,blur", 2, 3},
        {"flip,convert:f32,blur,blur", 3, 4}, /* samples become f32 in the pass of the window */
        {"invert,transpose,invert", 3, 3},
        {"invert,rotate:180,invert", 1, 3},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        for (int32_t no_fuse = 0; no_fuse < 2; no_fuse++) {
            struct bench b;
            gf_shape shape = {64, 48, 3, GF_U8};
            gf_status status = open_bench(&b, expected[i].text, shape, no_fuse);
            CHECK_EQ_INT(status, GF_OK);
            int32_t steps = b.plan ? gf_plan_step_count(b.plan) : -1;
            check_int(steps, no_fuse ? expected[i].unfused : expected[i].fused, expected[i].text, __FILE__,
                      __LINE__);
            close_bench(&b);
        }
    }
}

/* Returns what step `index` is called, fused; NULL: it is not there. */
static const char *label_of(const char *text, gf_depth depth, gf_device device, int32_t index)
{
    static gf_step_info info;
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    const gf_shape shape = {64, 48, 3, depth};
    info = (gf_step_info){.struct_size = sizeof info};
    const bool is = open_types(&b, text, shape, &options, NULL, 0) == GF_OK &&
                    gf_plan_step(b.plan, index, &info) == GF_OK;
    close_bench(&b);
    return is ? info.label : NULL;
}

/* Tests which stages share a step where more than one way would be as many steps. */
static void moves_join_what_pays(void)
{
    const char *label = label_of("flip,convert:f32,blur", GF_U8, GF_DEVICE_CPU, 1);
    CHECK_MSG(label && strcmp(label, "convert + blur") == 0, "%s", label ? label : "no step");
    label = label_of("flip,gray,blur", GF_U8, GF_DEVICE_CPU, 0);
    CHECK_MSG(label && strcmp(label, "flip + gray") == 0, "%s", label ? label : "no step");
    label = label_of("flip,hist", GF_F32, GF_DEVICE_CPU, 0); /* a move keeps each bit of a NaN */
    CHECK_MSG(label && strcmp(label, "flip") == 0, "%s", label ? label : "no step");
    label = label_of("flip,saturation:1.4", GF_U8, GF_DEVICE_CPU, 0);
    CHECK_MSG(label && strcmp(label, "flip + saturation") == 0, "%s", label ? label : "no step");
    if (parity_has_cuda()) { /* has a kernel that a mirrored picture cannot go through */
        label = label_of("flip,saturation:1.4", GF_U8, 0, 0);
        CHECK_MSG(label && strcmp(label, "flip") == 0, "%s", label ? label : "no step");
        label = label_of("flip,blend:in:amount=0.3", GF_U8, 0, 0);
        CHECK_MSG(label && strcmp(label, "flip") == 0, "%s", label ? label : "no step");
        label = label_of("flip,blend:in:amount=0.3", GF_F32, 0, 0);
        CHECK_MSG(label && strcmp(label, "flip + blend") == 0, "%s", label ? label : "no step");
        static const char *const apart[] = {"flip,invert", "flip,gamma:2", "pad:3,contrast:1.2"};
        for (size_t i = 0; i < sizeof apart / sizeof *apart;
             i++) { /* kernels that load straight are faster */
            label = label_of(apart[i], GF_U16, 0, 1);
            CHECK_MSG(label != NULL, "u16 %s is one step", apart[i]);
        }
        label = label_of("flip,lab", GF_U8, 0, 0);
        CHECK_MSG(label && strcmp(label, "flip") == 0, "%s", label ? label : "no step");
        label = label_of("flip:y,saturation:1.4", GF_U8, 0, 0);
        CHECK_MSG(label && strcmp(label, "flip + saturation") == 0, "%s", label ? label : "no step");
    }
}

/* ---- what steps are ---- */

static gf_status fail(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)in, (void)out, (void)args, (void)error;
    return GF_ERROR_INTERNAL; /* it is only planned */
}

static void lower_own(gf_lowering *l, const void *params)
{
    (void)params;
    gf_shape shape = gf_lower_shape(l, gf_lower_input(l));
    gf_lower_output(l, gf_lower_call(l, gf_lower_input(l), &shape, fail, NULL, NULL));
}

/* Each kind, by its number and by its name. */
static void kinds_of_steps(void)
{
    static const gf_stage_type own = {.struct_size = sizeof own, .name = "own", .lower = lower_own};
    static const gf_stage_type *const types[] = {&own};
    static const struct {
        gf_step_kind kind;
        const char *label, *name;
    } expected[] = {{GF_STEP_KIND_PASS, "equalize", "pass"}, {GF_STEP_KIND_SOLVE, "equalize (", "solve"},
                    {GF_STEP_KIND_PASS, "equalize", "pass"}, {GF_STEP_KIND_CALL, "own", "call"},
                    {GF_STEP_KIND_MAP, "transpose", "map"},  {GF_STEP_KIND_WHOLE, "integral", "whole"}};
    const int32_t n = sizeof expected / sizeof *expected;
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    gf_status status =
        open_types(&b, "equalize,own,transpose,integral", (gf_shape){64, 48, 1, GF_U8}, &options, types, 1);
    CHECK_MSG(status == GF_OK && gf_plan_step_count(b.plan) == n, "%d steps", gf_plan_step_count(b.plan));
    for (int32_t s = 0; s < n && s < gf_plan_step_count(b.plan); s++) {
        gf_step_info info = {.struct_size = sizeof info};
        CHECK_EQ_INT(gf_plan_step(b.plan, s, &info), GF_OK);
        CHECK_EQ_INT(info.kind, expected[s].kind);
        CHECK_STR(gf_step_kind_name(info.kind), expected[s].name);
        CHECK_STR_HAS(info.label, expected[s].label);
    }
    CHECK_STR(gf_step_kind_name((gf_step_kind)5), "unknown kind");
    CHECK_STR(gf_step_kind_name((gf_step_kind)-1), "unknown kind");
    close_bench(&b);
}

static const struct check_case cases[] = {
    {"fusion counts", fusion_counts},
    {"moves join what pays", moves_join_what_pays},
    {"kinds of steps", kinds_of_steps},
};
CHECK_MAIN(cases)
