/* Calls of the API in any order that it permits. The bytes are a program: a letter names a call, the bytes
 * behind it choose objects and arguments, wrong ones too. Objects are destroyed in any order; an exec goes on
 * when its plan, the pipeline and the context are gone. At the end everything is destroyed and no memory of
 * the context may be left. */
#include "fuzz_calls.h"
#include "plan_cases.h"

struct world world;

/* ---- what lives ---- */

static void *take(void *user, size_t bytes)
{
    struct world *w = user;
    void *memory = bytes < (size_t)1 << 26 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
    w->blocks += memory != NULL;
    return memory;
}

static void give(void *user, void *memory)
{
    struct world *w = user;
    w->blocks -= memory != NULL;
    free(memory);
}

void end_exec(struct run *run)
{
    gf_exec_destroy(&run->exec);
    gf_picture_destroy(&run->in);
    gf_picture_destroy(&run->out);
    *run = (struct run){0};
}

uint8_t next(void)
{
    return world.at < world.end ? *world.at++ : 0;
}

/* ---- pipelines ---- */

static const char *const texts[] = {
    "invert",
    "blur",
    "hist",
    "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
    "threshold:otsu",
    "equalize,stats:name=x",
    "convert:f32,gamma:2.2,convert:u8",
    "sobel,hist:bins=7",
    "box:radius=3:border=wrap",
    "blur:sigma=9",
    "levels:0.1,brightness:0.2",
    "invert:roi=3x2+1+1,hist:channels=r",
    "blur:border=constant:value=0.5:channels=all",
    "stats,invert,stats,box:2,stats:name=stats",
    "convert:u16,sobel:border=reflect,equalize",
    "blur:sigma=0.3:border=reflect101,threshold:otsu,hist",
    "",
    "blurr",
    "blur:radius=-1",
    "invert:roi=1x1+99999+0",
};

/* One of the texts, or from 240 on a chain that two more bytes draw from the tables of all stages. */
static const char *any_text(void)
{
    static char drawn[PLAN_TEXT_SIZE];
    const uint8_t choice = next();
    if (choice < 240) {
        return texts[choice % (sizeof texts / sizeof *texts)];
    }
    struct plan_random random;
    const struct plan_chain chain = {.shape = {24, 16, 1 + choice % 4,
                                               choice & 4   ? GF_U8
                                               : choice & 8 ? GF_U16
                                                            : GF_F32},
                                     .least = 1,
                                     .most = 4,
                                     .greatest_radius = 5,
                                     .common = true};
    const uint8_t high = next(), low = next();
    plan_random_seed(&random, (uint64_t)high << 8 | low, choice);
    plan_random_chain(&random, &chain, drawn, sizeof drawn);
    return drawn;
}

static void parse(void)
{
    int i = next() % SLOTS;
    gf_error error = GF_ERROR_INIT;
    gf_pipeline_destroy(&world.pipelines[i]);
    fuzz_status(gf_pipeline_parse(any_text(), NULL, 0, &world.pipelines[i], &error), &error);
}

/* Plans that were made before do not notice. */
static void append(void)
{
    static const char *const arguments[] = {NULL,          "",         "0.5",    "name=n",
                                            "border=wrap", "radius=1", "sigma=", "u8"};
    int i = next() % SLOTS, count = 0;
    gf_error error = GF_ERROR_INIT;
    const gf_stage_type *const *types = gf_stage_types(&count);
    if (world.pipelines[i] == NULL) {
        fuzz_status(gf_pipeline_create(&world.pipelines[i], &error), &error);
    }
    const gf_stage_type *type = types[next() % count];
    int32_t before = gf_pipeline_stage_count(world.pipelines[i]);
    gf_status status = before < 6
                           ? gf_pipeline_append(world.pipelines[i], type, arguments[next() % 8], &error)
                           : gf_pipeline_append(NULL, type, NULL, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK(gf_pipeline_stage_count(world.pipelines[i]) == before + (status == GF_OK), "%d stages",
               before);
}

static void print_pipeline(void)
{
    static char text[1 << 12];
    const gf_pipeline *pipeline = world.pipelines[next() % SLOTS];
    gf_error error = GF_ERROR_INIT;
    size_t length = 0, capacity = (size_t)next() * 16 % sizeof text;
    gf_status status = gf_pipeline_print(pipeline, next() % 2, text, capacity, &length, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK(status != GF_OK || capacity == 0 ||
                   strlen(text) == (length < capacity ? length : capacity - 1),
               "%zu bytes of %zu", length, capacity);
    for (int32_t s = -1; s <= gf_pipeline_stage_count(pipeline); s++) {
        const gf_stage_type *type = gf_pipeline_stage_type(pipeline, s);
        FUZZ_CHECK((type != NULL) == (pipeline != NULL && s >= 0 && s < gf_pipeline_stage_count(pipeline)),
                   "stage %d", s);
    }
}

static void drop_pipeline(void)
{
    gf_pipeline_destroy(&world.pipelines[next() % SLOTS]);
}

/* The context, too: what was made from it keeps it, and what comes is made from a new one. */
static void new_context(void)
{
    const gf_context_options options = {sizeof options, NULL, take, give, &world};
    gf_error error = GF_ERROR_INIT;
    gf_context_destroy(&world.context);
    fuzz_status(gf_context_create(&options, &world.context, &error), &error);
}

/* ---- plans ---- */

static gf_shape any_shape(void)
{
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32, GF_U8, GF_U16, GF_F32, GF_U64, (gf_depth)77};
    uint8_t a = next(), b = next(), c = next();
    return (gf_shape){a % 25, b % 25, c % 6, depths[c / 6 % 8]};
}

/* Without CUDA a GPU is an error, which is to be met; with it, plans stay on the CPU. */
static gf_device no_gpu(gf_device device)
{
    return gf_has_cuda() && (device >= 0 || device == GF_DEVICE_AUTO) ? GF_DEVICE_CPU : device;
}

static gf_plan_options any_options(void)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    uint8_t a = next(), b = next(), c = next();
    options.device = a % 4 == 3 ? GF_DEVICE_REFERENCE : GF_DEVICE_CPU;
    options.device = a == 255 ? 0 : a == 254 ? -77 : a == 253 ? GF_DEVICE_AUTO : options.device;
    options.device = no_gpu(options.device);
    options.alpha = (gf_alpha)(a / 4 % 4);
    options.no_fuse = a / 16 % 2;
    options.threads = b % 4 - (b == 255);
    options.band_rows = b / 4 % 8 - (b == 254) * 9;
    options.memory_limit = fuzz_memory_limits[c / 8 % 8];
    options.stream_rows = fuzz_stream_rows[c % 8];
    options.runs = b == 253 ? -1 : b;
    options.busy_ms = b == 252 ? -1.0 : b;
    options.struct_size = b == 251 ? next() % (sizeof options + 1) : options.struct_size;
    return options;
}

static void make_plan(void)
{
    int from = next() % SLOTS, i = next() % SLOTS;
    uint8_t how = next();
    gf_error error = GF_ERROR_INIT;
    gf_shape shape = any_shape();
    gf_plan_options options = any_options();
    gf_plan_destroy(&world.plans[i]);
    gf_status status =
        gf_plan_create(how == 1 ? NULL : world.context, world.pipelines[from], how == 2 ? NULL : &shape,
                       how == 3 ? NULL : &options, how == 4 ? NULL : &world.plans[i], &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (world.plans[i] != NULL), "status %d", (int)status);
}

static void rebind(void)
{
    static const gf_device devices[] = {GF_DEVICE_CPU, GF_DEVICE_REFERENCE, 0, GF_DEVICE_AUTO, -9, 70};
    int from = next() % SLOTS, i = next() % SLOTS;
    gf_device device = no_gpu(devices[next() % 6]);
    const char *reason = next() % 2
                             ? "the device failed, and this is a long story of how it came to that; it "
                               "goes on and on, until nobody can remember what the start of the line said"
                             : NULL;
    gf_error error = GF_ERROR_INIT;
    if (world.plans[from] == NULL || from == i) {
        return;
    }
    gf_plan_destroy(&world.plans[i]);
    gf_status status = gf_plan_rebind(world.plans[from], device, reason, &world.plans[i], &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (world.plans[i] != NULL), "status %d", (int)status);
}

static void ask_plan(void)
{
    static char text[1 << 14];
    const gf_plan *plan = world.plans[next() % SLOTS];
    gf_error error = GF_ERROR_INIT;
    size_t length = 0, capacity = next() % 2 ? sizeof text : 9;
    if (plan == NULL) {
        return;
    }
    for (int32_t s = -1; s <= gf_plan_step_count(plan); s++) {
        gf_step_info info = {.struct_size = sizeof info};
        FUZZ_CHECK((gf_plan_step(plan, s, &info) == GF_OK) == (s >= 0 && s < gf_plan_step_count(plan)),
                   "step %d", s);
    }
    gf_band_info bands = {.struct_size = sizeof bands};
    FUZZ_CHECK(gf_plan_bands(plan, &bands) == GF_OK && bands.count >= 1 &&
                   (bands.count == 1 || bands.reason[0] == '\0') && bands.rows <= gf_plan_input(plan).height,
               "%lld bands of %lld rows", (long long)bands.count, (long long)bands.rows);
    fuzz_status(gf_plan_explain(plan, next() % 2, text, capacity, &length, &error), &error);
    gf_shape out = gf_plan_output(plan);
    FUZZ_CHECK(gf_plan_device(plan) < 0 && strlen(gf_plan_device_reason(plan)) < 160 &&
                   gf_verify_judge(plan) != gf_plan_device(plan) && out.width > 0 && out.height > 0 &&
                   gf_plan_result_count(plan) >= 0 && gf_plan_memory(plan) < (uint64_t)1 << 26,
               "what the plan tells");
    FUZZ_CHECK(!gf_plan_measures_only(plan) || memcmp(&out, &(gf_shape){0}, sizeof out) != 0, "no shape");
}

static void drop_plan(void)
{
    gf_plan_destroy(&world.plans[next() % SLOTS]);
}

/* ---- the rest ---- */

static void devices(void)
{
    static const int32_t indices[] = {0, 1, -1, INT32_MIN, INT32_MAX, 2};
    union {
        gf_device_description description;
        unsigned char room[256];
    } any = {.room = {0}};
    gf_error error = GF_ERROR_INIT;
    int32_t index = indices[next() % 6];
    index = gf_has_cuda() && index > 0 ? 0 : index;
    uint8_t size = next();
    any.description.struct_size = size % 4 == 1 ? size - 1u : sizeof any.description;
    gf_status status = gf_device_describe(world.context, index, next() % 2, &any.description, &error);
    for (size_t i = sizeof any.description; i < sizeof any; i++) {
        FUZZ_CHECK(any.room[i] == 0, "byte %zu was written", i);
    }
    fuzz_status(status, &error);
    FUZZ_CHECK(status != GF_OK || index == 0, "device %d is there", index);
    error = (gf_error)GF_ERROR_INIT;
    fuzz_status(gf_context_start(world.context, no_gpu(indices[next() % 6]), &error), &error);
}

/* Destroying nothing is nothing. */
static void drop_nothing(void)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *none = NULL;
    gf_exec *exec = NULL;
    gf_picture *picture = NULL;
    gf_context_destroy(&context), gf_context_destroy(NULL);
    gf_pipeline_destroy(&pipeline), gf_pipeline_destroy(NULL);
    gf_plan_destroy(&none), gf_plan_destroy(NULL);
    gf_exec_destroy(&exec), gf_exec_destroy(NULL);
    gf_picture_destroy(&picture), gf_picture_destroy(NULL);
}

static void wrong_contexts(void)
{
    gf_context_options options = GF_CONTEXT_OPTIONS_INIT;
    gf_context *context = NULL;
    gf_error error = GF_ERROR_INIT;
    int kind = next() % 3;
    options.struct_size = kind == 0 ? next() % 16 : options.struct_size; /* 16 has all that must be */
    options.allocate = kind == 1 ? take : NULL;
    options.release = kind == 2 ? give : NULL;
    fuzz_status(gf_context_create(&options, &context, &error), &error);
    FUZZ_CHECK(error.code == GF_ERROR_ARGUMENT && context == NULL, "kind %d", kind);
}

static void nothing(void) {}

/* Indexed by the low five bits of a byte, so that seeds can be read: 'a' and 'A' are 1. */
static void (*const calls[32])(void) = {
    ['a' & 31] = append,        ['b' & 31] = make_plan,      ['c' & 31] = wrong_contexts,
    ['d' & 31] = devices,       ['e' & 31] = make_exec,      ['f' & 31] = finish,
    ['g' & 31] = progress,      ['h' & 31] = picture_wrong,  ['i' & 31] = ask_plan,
    ['j' & 31] = run_wrong,     ['k' & 31] = make_picture,   ['l' & 31] = rebind,
    ['m' & 31] = set_metadata,  ['n' & 31] = drop_nothing,   ['o' & 31] = drop_pipeline,
    ['p' & 31] = parse,         ['q' & 31] = enqueue,        ['r' & 31] = run_now,
    ['s' & 31] = ask_exec,      ['t' & 31] = print_pipeline, ['u' & 31] = drop_plan,
    ['v' & 31] = verify,        ['w' & 31] = drop_exec,      ['x' & 31] = drop_picture,
    ['y' & 31] = write_picture, ['z' & 31] = stream,         [0] = new_context,
};

void fuzz_calls(const uint8_t *data, size_t size)
{
    const gf_context_options options = {sizeof options, NULL, take, give, &world};
    gf_error error = GF_ERROR_INIT;
    size = size < 96 ? size : 96;
    world = (struct world){.at = data, .end = data + size};
    fuzz_status(gf_context_create(&options, &world.context, &error), &error);
    while (world.at < world.end) {
        void (*call)(void) = calls[next() & 31];
        (call != NULL ? call : nothing)();
    }
    gf_context_destroy(&world.context);
    for (int i = 0; i < SLOTS; i++) {
        gf_plan_destroy(&world.plans[i]);
        gf_pipeline_destroy(&world.pipelines[i]);
        end_exec(&world.runs[i]);
        gf_picture_destroy(&world.pictures[i]);
    }
    FUZZ_CHECK(world.blocks == 0, "%ld blocks are left", world.blocks);
}
