/* Nothing is forgotten: each stage, parameter, kernel, path and instruction is in a case of those that the
 * tests draw from the tables (stage_cases.h), which test_parity runs on every device. Plans only, so it takes
 * half a minute. */
#include "check.h"
#include "pixel/ir/kernel_table.h"
#include "plan/plan.h"
#include "stage_cases.h"

static const char *const instructions[] = {
#define GF_INSN(name, word, properties, channels) [GF_INSN_##name] = #name,
#include "pixel/ir/instructions.def"
#undef GF_INSN
};

enum {
    INSTRUCTIONS = sizeof instructions / sizeof *instructions,
    MOST_STAGES = 256,
    MOST_ROWS = 32,
    MOST_KERNELS = 128,
    MOST_PATHS = 16
};

/* What the cases reached, by place in the tables. */
static struct seen {
    bool kernels[MOST_KERNELS], instructions[INSTRUCTIONS], rows[MOST_STAGES][MOST_ROWS];
    bool cpu_paths[MOST_KERNELS][MOST_PATHS], cuda_paths[MOST_KERNELS][MOST_PATHS];
    long stages[MOST_STAGES], plans;
    int32_t stage;
} seen;

static void see_path(const struct gf_path *paths, const struct gf_path *taken, bool seen_paths[MOST_PATHS])
{
    for (int p = 0; paths && paths[p].name; p++) {
        seen_paths[p] |= taken == &paths[p];
    }
}

static const struct gf_path *cuda_paths(const struct gf_kernel *kernel)
{
    return kernel->paths.cuda ? kernel->paths.cuda() : NULL;
}

/* pass: that it runs, or NULL. */
static void see_kernel(const struct gf_kernel *kernel, const struct gf_pass *pass)
{
    for (int k = 0; gf_kernels[k]; k++) {
        if (gf_kernels[k] == kernel) {
            seen.kernels[k] = true;
            if (pass) {
                see_path(kernel->paths.cpu, gf_pass_path(pass, GF_DEVICE_CPU), seen.cpu_paths[k]);
                see_path(cuda_paths(kernel), gf_pass_path(pass, 0), seen.cuda_paths[k]);
            }
        }
    }
}

static void see_program(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        seen.instructions[program->insn[i].code] = true;
    }
}

/* Programs count as the stages asked for them, before some of it becomes tables, and as they run. */
static void see_plan(const gf_plan *plan)
{
    seen.plans++;
    for (int32_t i = 0; i < plan->lowered.list.n_ops; i++) {
        const struct gf_op *op = &plan->lowered.list.ops[i];
        if (op->kind == GF_OP_POINT) {
            see_program(op->u.point);
        }
    }
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        if (step->kind == GF_STEP_APPLY) {
            see_kernel(step->u.apply.kernel, NULL);
        } else if (step->kind == GF_STEP_PASS) {
            const struct gf_pass *pass = step->u.pass;
            see_kernel(gf_pass_kernel(pass), pass);
            see_program(&pass->pre);
            see_program(&pass->post);
            for (int32_t i = 0; i < pass->n_taps; i++) {
                see_kernel(pass->taps[i].kernel, NULL);
            }
        }
    }
}

/* The same stage by stage, as parity runs them, too. */
static void see_unfused(const gf_plan *plan)
{
    gf_plan_options options = plan->options;
    gf_plan *unfused = NULL;
    options.no_fuse = 1;
    CHECK(gf_plan_create_like(plan, plan->n_stages, &options, &unfused, NULL) == GF_OK);
    if (unfused) {
        see_plan(unfused);
    }
    gf_plan_destroy(&unfused);
}

static void see_case(const char *text, const gf_stage_type *type, const gf_param *row, const gf_plan *plan,
                     void *user)
{
    (void)text, (void)user;
    seen.stages[seen.stage]++;
    for (int32_t r = 0; row && r < MOST_ROWS; r++) {
        seen.rows[seen.stage][r] |= gf_stage_param(type, r) == row;
    }
    see_plan(plan);
    see_unfused(plan);
}

/* Chains: what meets only where stages do. Premultiplied alpha has instructions of its own. */
static void see_chains(gf_context *context)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct plan_random random;
        char text[PLAN_TEXT_SIZE];
        gf_plan *plan = NULL;
        gf_error error;
        bool premultiplied = i % 4 == 0;
        struct plan_chain chain = {{120, 100, 1 + (int32_t)(i / 4 % 4), (gf_depth)(i % 3)}, 1, 6, 4, true,
                                   premultiplied ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT};
        chain.common = !premultiplied;
        plan_random_seed(&random, i, 7);
        CHECK_MSG(plan_random_chain(&random, &chain, text, sizeof text) > 0 &&
                      stage_bind(context, text, &chain.shape, chain.alpha, &plan, &error) == STAGE_BOUND,
                  "%s", text);
        if (plan) {
            see_plan(plan);
            see_unfused(plan);
        }
        gf_plan_destroy(&plan);
    }
}

/* What no built-in stage has, but those of programs. */
static gf_status copy_row(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)args, (void)error;
    memcpy(row->out, row->in[0], (size_t)row->pixels * (size_t)row->channels_out * gf_depth_size(row->depth));
    return GF_OK;
}

static void lower_own(gf_lowering *l, const void *params)
{
    gf_window_function window = GF_WINDOW_FUNCTION_INIT;
    (void)params;
    window.host = copy_row;
    window.as_stored = 1;
    gf_lower_output(l, gf_lower_window(l, gf_lower_input(l), &window));
}

static void see_own_stage(gf_context *context)
{
    static const gf_stage_type own = {.struct_size = sizeof own, .name = "own", .lower = lower_own};
    const gf_stage_type *const types[] = {&own};
    const gf_shape shape = {8, 8, 1, GF_U8};
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    CHECK(gf_pipeline_parse("own", types, 1, &pipeline, NULL) == GF_OK &&
          gf_plan_create(context, pipeline, &shape, NULL, &plan, NULL) == GF_OK);
    if (plan) {
        see_plan(plan);
    }
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
}

/* Kernels may share paths, and not all of them need to take each. */
static bool seen_elsewhere(const struct gf_path *path)
{
    for (int k = 0; gf_kernels[k]; k++) {
        for (int p = 0; gf_kernels[k]->paths.cpu && gf_kernels[k]->paths.cpu[p].name; p++) {
            if (&gf_kernels[k]->paths.cpu[p] == path && seen.cpu_paths[k][p]) {
                return true;
            }
        }
    }
    return false;
}

static int missing_paths(struct gf_text *lines, const struct gf_kernel *kernel, const char *backend,
                         const struct gf_path *paths, const bool seen_paths[MOST_PATHS])
{
    int count = 0;
    for (int p = 0; paths && paths[p].name; p++) {
        if (!seen_paths[p] && !seen_elsewhere(&paths[p])) {
            gf_text_append(lines, "path '%s' of kernel '%s' on %s has no case: no pass takes it\n",
                           paths[p].name, kernel->name, backend);
            count++;
        }
    }
    return count;
}

static char lines[1 << 16];

/* Writes into `lines` one line for each thing that no case reached, and returns their number. */
static int missing(void)
{
    struct gf_text text = gf_text_begin(lines, sizeof lines);
    int32_t n;
    int count = 0;
    const gf_stage_type *const *types = picture_stage_types(&n);
    const gf_param *row;
    for (int32_t t = 0; t < n; t++) {
        if (seen.stages[t] == 0) {
            gf_text_append(&text, "stage '%s' has no case: no text drawn from its parameters can be bound\n",
                           types[t]->name);
            count++;
        }
        for (int32_t r = 0; seen.stages[t] > 0 && (row = gf_stage_param(types[t], r)) != NULL; r++) {
            if (!seen.rows[t][r] && !stage_param_is_of_signals(row)) {
                gf_text_append(&text,
                               "parameter '%s' of stage '%s' has no case: no value that "
                               "stage_value() knows can be bound\n",
                               row->name, types[t]->name);
                count++;
            }
        }
    }
    for (int k = 0; gf_kernels[k]; k++) {
        if (!seen.kernels[k]) {
            gf_text_append(&text, "kernel '%s' has no case: no stage leads to it\n", gf_kernels[k]->name);
            count++;
        } else {
            count += missing_paths(&text, gf_kernels[k], "CPU", gf_kernels[k]->paths.cpu, seen.cpu_paths[k]);
            count +=
                missing_paths(&text, gf_kernels[k], "CUDA", cuda_paths(gf_kernels[k]), seen.cuda_paths[k]);
        }
    }
    for (int i = 0; i < INSTRUCTIONS; i++) {
        if (!seen.instructions[i]) {
            gf_text_append(&text, "instruction %s has no case: no stage leads to it\n", instructions[i]);
            count++;
        }
    }
    return count;
}

/* The cases of all stages but those that `without` names (NULL: of all), for one shape after the other, until
 * nothing is missing or there have been `shapes`: what was seen once needs no more plans. Shapes are in the
 * order of their depths; a stride of 7 comes to all of them, and soon to each depth. */
static void see_all(const char *without, int32_t shapes)
{
    enum { STRIDE = 7 };
    gf_context *context = NULL;
    gf_shape shape;
    int32_t n, left = 1, count = 0;
    const gf_stage_type *const *types = picture_stage_types(&n);
    seen = (struct seen){.plans = 0};
    while (stage_shape(count, &shape)) {
        count++;
    }
    REQUIRE(n <= MOST_STAGES && count % STRIDE != 0 && gf_context_create(NULL, &context, NULL) == GF_OK);
    see_own_stage(context);
    if (!without) {
        see_chains(context);
    }
    for (int32_t i = 0; i < shapes && i < count && left > 0; i++) {
        stage_shape(i * STRIDE % count, &shape);
        for (seen.stage = 0; seen.stage < n; seen.stage++) {
            const gf_stage_type *type = types[seen.stage];
            char why[512];
            if (!without || !strstr(without, type->name)) {
                CHECK_MSG(stage_cases(context, type, &shape, NULL, see_case, NULL, why, sizeof why) >= 0,
                          "%s", why);
            }
        }
        left = missing();
    }
    gf_context_destroy(&context);
}

static void everything_has_a_case(void)
{
    see_all(NULL, INT32_MAX);
    const int count = missing();
    CHECK_MSG(count == 0, "%d without a case:\n%s", count, lines);
    CHECK_MSG(seen.plans > 1000, "%ld plans", seen.plans);
}

/* The test of this test: without the cases of some stages it names them and what only they lead to. */
static void what_is_left_out_is_named(void)
{
    static const char *const lost[] = {"stage 'levels' has no case", "stage 'sobel' has no case",
                                       "stage 'gray' has no case", "kernel 'gradient' has no case",
                                       "instruction SLOPE has no case"};
    see_all("levels sobel gray", 1);
    CHECK(missing() >= 5);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        CHECK_STR_HAS(lines, lost[i]);
    }
}

/* --explain says which path runs: no two have the same name. Kernels share whole lists on the CPU. */
static void paths_have_names_of_their_own(void)
{
    const struct gf_path *all[2 * MOST_KERNELS * MOST_PATHS];
    int n = 0;
    for (int k = 0; gf_kernels[k]; k++) {
        for (int p = 0; cuda_paths(gf_kernels[k]) && cuda_paths(gf_kernels[k])[p].name; p++) {
            all[n++] = &cuda_paths(gf_kernels[k])[p];
        }
    }
    for (const struct gf_path *path = gf_paths_cpu; path->name; path++) {
        all[n++] = path;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            CHECK_MSG(strcmp(all[i]->name, all[j]->name) != 0, "'%s' is the name of two paths", all[i]->name);
        }
    }
    CHECK(n >= (cuda_paths(&gf_kernel_point) ? 28 : 2));
}

static const struct check_case cases[] = {
    {"every stage, parameter, kernel, path and instruction has a case", everything_has_a_case},
    {"what is left out is named", what_is_left_out_is_named},
    {"paths have names of their own", paths_have_names_of_their_own},
};
CHECK_MAIN(cases)
