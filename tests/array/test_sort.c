/* The sort: every variant against the sequential definition, byte by byte; the definition against its
 * properties and against arrays sorted by hand. GF_ARRAY_MOST: the largest n on CUDA (the emulator is slow).
 */
#include "sort_check.h"

#ifdef GF_EMU
#include "emu_control.h"

/* Launches so far of a kernel. */
static size_t launches_of(const char *kernel)
{
    size_t launches = 0;
    const char *name;
    for (size_t i = 0; (name = gf_emu_kernel(i, &launches)) != NULL; i++) {
        if (!strcmp(name, kernel)) {
            return launches;
        }
    }
    return 0;
}
#endif

/* ---- The definition ------------------------------------------------------------------------ */

static void by_hand(void)
{
    const float in[] = {1.0F, NAN, -0.0F, INFINITY, 0.0F, -NAN, -INFINITY, 1.0F, 1e-45F, -1e-45F};
    const float up[] = {-INFINITY, -1e-45F, -0.0F, 0.0F, 1e-45F, 1.0F, 1.0F, INFINITY, NAN, -NAN};
    const float down[] = {INFINITY, 1.0F, 1.0F, 1e-45F, 0.0F, -0.0F, -1e-45F, -INFINITY, NAN, -NAN};
    const uint32_t up_places[] = {6, 9, 2, 4, 8, 0, 7, 3, 1, 5},
                   down_places[] = {3, 0, 7, 8, 4, 2, 9, 6, 1, 5};
    const int16_t small[] = {3, -32768, 32767, -1, 0}, small_up[] = {-32768, -1, 0, 3, 32767};
    for (int auto_ = 0; auto_ < 2; auto_++) {
        struct sort_case c = {.algo = auto_ ? "auto" : "sequential",
                              .device = GF_DEVICE_CPU,
                              .type = GF_F32,
                              .n = 10,
                              .value_size = 4};
        sort_case_run(&c, in);
        CHECK_MEM(c.keys, up, sizeof up);
        CHECK_MEM(c.values, up_places, sizeof up_places);
        sort_case_free(&c);
        c.descending = 1;
        sort_case_run(&c, in);
        CHECK_MEM(c.keys, down, sizeof down);
        CHECK_MEM(c.values, down_places, sizeof down_places);
        sort_case_free(&c);
        c = (struct sort_case){.algo = c.algo, .device = GF_DEVICE_CPU, .type = GF_S16, .n = 5};
        sort_case_run(&c, small);
        CHECK_MEM(c.keys, small_up, sizeof small_up);
        sort_case_free(&c);
    }
}

static void properties(void)
{
    for (int type = GF_U8; type <= GF_S64; type++) {
        for (int kind = 0; kind < ARRAY_DATA_COUNT; kind++) {
            struct sort_case c = {.algo = "sequential",
                                  .device = GF_DEVICE_CPU,
                                  .type = (gf_depth)type,
                                  .n = 1000 + 37 * kind,
                                  .descending = kind & 1,
                                  .value_size = 8};
            void *in = sort_case_data(c.type, c.n, (array_data)kind, 3);
            sort_case_run(&c, in);
            check_properties(&c, in);
            sort_case_free(&c);
            free(in);
        }
    }
}

/* ---- Every variant against the definition ---------------------------------------------------- */

/* A tile for the radix sort behind "auto" on CUDA; 0: its own choice. */
static int some_tile(const gf_variant *v, const struct sort_case *c, unsigned draw)
{
    int wide = gf_depth_size(c->type) == 8 || c->value_size == 8 ? 4096 : c->value_size == 4 ? 10240 : 11264;
    return !v->cuda || strcmp(v->name, "auto") != 0 || draw % 3 == 0 ? 0 : draw % 3 == 1 ? 2048 : wide;
}

/* One size and type, every content on the CPU and some on CUDA; options are drawn from a counter, so that all
 * combinations come up. */
static void variant_size(const gf_variant *v, gf_depth type, int64_t n)
{
    static unsigned draw;
    int kinds = array_is_emulated() && v->cuda ? 3 : ARRAY_DATA_COUNT;
    for (int at = 0; at < kinds; at++) {
        draw += 1 + (unsigned)at;
        if (!array_in_slice() || (kinds == 3 && n > 2100 && at != n % 3)) {
            continue; /* enough of the large ones */
        }
        array_data kind = (array_data)((draw + (unsigned)at * 3) % ARRAY_DATA_COUNT);
        struct sort_case c = {.algo = v->name,
                              .device = v->cuda ? 0 : GF_DEVICE_CPU,
                              .type = type,
                              .n = n,
                              .descending = draw & 1,
                              .value_size = (int)(draw / 2 % 3) * 4,
                              .keys_in_place = draw / 6 % 3 == 0,
                              .values_in_place = draw / 18 % 3 == 0,
                              .offset = draw % 16,
                              .threads = (int)(draw / 7 % 4)};
        c.tile = some_tile(v, &c, draw / 5);
        void *in = sort_case_data(type, n, kind, draw);
        struct sort_case expected = judge(&c, in);
        compare(&c, &expected, in, array_data_name(kind));
        sort_case_free(&expected);
        free(in);
    }
}

static int64_t most_elements(gf_device device)
{
    const char *most = getenv("GF_ARRAY_MOST");
    return device < 0 ? 40000 : most ? atoll(most) : array_is_emulated() ? 17000 : 600000;
}

/* A launch for every bit and every step of its scan: slow where threads are fibres. */
static bool is_too_long(const gf_variant *v, int64_t n)
{
    return array_is_emulated() && ((!strcmp(v->name, "radix-1bit") && n > 700) ||
                                   (!strcmp(v->name, "radix-1bit-lookback") && n > 5000));
}

static void variants(bool is_cuda)
{
    int32_t sizes_count = 0;
    if (is_cuda && !array_has_cuda()) {
        SKIP("no CUDA device");
    }
    const int64_t *sizes = array_data_sizes(most_elements(is_cuda ? 0 : GF_DEVICE_CPU), &sizes_count);
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("sort", i)) != NULL; i++) {
        if (v->cuda != is_cuda || !strcmp(v->name, "sequential")) {
            continue;
        }
        for (int type = GF_U8; type <= GF_S64; type++) {
            for (int32_t k = 0; k < sizes_count && (v->types >> type & 1) != 0; k++) {
                if ((v->max_n == 0 || sizes[k] <= v->max_n) && !is_too_long(v, sizes[k])) {
                    variant_size(v, (gf_depth)type, sizes[k]);
                }
            }
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
}

static void cuda_variants(void)
{
    variants(true);
}

/* Keys that differ in one digit only, or in every other: passes that need not run, in place and not. */
static void idle_passes(gf_device device)
{
    static const uint64_t masks[] = {0xff, 0xff00, 0xff0000, 0xff00ff00, 0xff000000, 0xffff00, 1, 0x80000000};
    for (int at = 0; at < 8 * 8; at++) {
        struct sort_case c = {.algo = "auto",
                              .device = device,
                              .type = GF_U32,
                              .n = 3000,
                              .value_size = at & 1 ? 4 : 0,
                              .keys_in_place = at >> 1 & 1,
                              .values_in_place = at >> 2 & 1,
                              .descending = at & 1};
        if (!check_slice(at, 8 * 8)) {
            continue;
        }
        uint32_t *in = sort_case_data(GF_U32, c.n, ARRAY_RANDOM, (uint64_t)at);
        for (int64_t i = 0; i < c.n; i++) {
            in[i] &= (uint32_t)masks[at / 8];
        }
        struct sort_case expected = judge(&c, in);
        compare(&c, &expected, in, "masked");
        sort_case_free(&expected);
        free(in);
    }
}

/* 8- and 16-bit keys beside the number of their values, where counting begins; and so many of one value that
 * a block's counter of it is full. */
static void counted(gf_device device)
{
    static const array_data kinds[] = {ARRAY_TWOVALUED, ARRAY_CONSTANT, ARRAY_RANDOM, ARRAY_TWOVALUED};
    static const struct {
        gf_depth type;
        int64_t n;
    } cases[] = {{GF_U8, 255},   {GF_S16, (1 << 20) + 3}, {GF_U8, 256},
                 {GF_U8, 70001}, {GF_U16, 1 << 20},       {GF_U16, 65537}};
    for (int at = 0; at < 6 * 4; at++) {
        struct sort_case c = {.algo = "auto",
                              .device = device,
                              .type = cases[at % 6].type,
                              .n = cases[at % 6].n,
                              .threads = 3,
                              .offset = (size_t)at % 16,
                              .keys_in_place = at & 1,
                              .descending = at / 6 & 1};
        if (!check_slice(at % 16, 16)) {
            continue;
        }
        void *in = sort_case_data(c.type, c.n, kinds[at / 6], 1);
        struct sort_case expected = judge(&c, in);
        compare(&c, &expected, in, array_data_name(kinds[at / 6]));
        c.offset = (size_t)at % 7;
        compare(&c, &expected, in, array_data_name(kinds[at / 6]));
        sort_case_free(&expected);
        free(in);
    }
}

/* 16-bit keys, counted: eight neighbours, as a lane reads them, that are equal but for one; in turn each of
 * the eight, each in a warp's worth of lanes. */
static void nearly_equal(gf_device device)
{
    struct sort_case c = {.algo = "auto", .device = device, .type = GF_U16, .n = 1 << 20};
    uint16_t *in = calloc((size_t)c.n, sizeof *in);
    CHECK(in != NULL);
    for (int64_t i = 0; in && i < c.n; i++) {
        in[i] = (uint16_t)(i % 8 == i / 256 % 9 ? 40000 + i / 256 % 9 : 7);
    }
    if (in) {
        check_keys(&c, in, "nearly equal");
    }
    free(in);
}

static void cpu_digits(void)
{
    idle_passes(GF_DEVICE_CPU);
    counted(GF_DEVICE_CPU);
    nearly_equal(GF_DEVICE_CPU);
}

static void cuda_digits(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    idle_passes(0);
    counted(0);
    nearly_equal(0);
}

/* As the text has it, a key alone needs no place beside it, unless it is a float, which may be one of several
 * NaN; and the radix sort scans once a bit, in up and down sweeps of a launch a level. */
static void cuda_published(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int type = GF_U8; type <= GF_S64; type++) {
        gf_sort_options options = GF_SORT_OPTIONS_INIT;
        size_t alone = 1, pairs = 0;
        options.array.type = (gf_depth)type;
        options.array.algo = "bitonic";
        CHECK_EQ_INT(gf_sort_scratch(0, &options, 1000, &alone, NULL), GF_OK);
        options.value_size = 4;
        CHECK_EQ_INT(gf_sort_scratch(0, &options, 1000, &pairs, NULL), GF_OK);
        CHECK_EQ_INT(alone >= 4000, type == GF_F32 || type == GF_F64);
        CHECK(alone == 0 || alone >= 4000);
        CHECK(pairs >= 8000);
    }
    for (int at = 0; at < 4; at++) { /* each NaN keeps its bits, and its turn */
        struct sort_case c = {.algo = "bitonic",
                              .device = 0,
                              .type = at & 1 ? GF_F64 : GF_F32,
                              .n = 700 + at,
                              .descending = at >> 1};
        void *in = sort_case_data(c.type, c.n, ARRAY_SPECIAL, (uint64_t)at);
        check_keys(&c, in, "special");
        free(in);
    }
#ifdef GF_EMU
    struct sort_case c = {.algo = "radix-1bit", .device = 0, .type = GF_S16, .n = 500};
    const size_t up = launches_of("gf_scan_tree_up"), down = launches_of("gf_scan_tree_down");
    void *in = sort_case_data(c.type, c.n, ARRAY_RANDOM, 5);
    check_keys(&c, in, "random");
    free(in);
    CHECK_EQ_INT(launches_of("gf_scan_tree_up") - up, 16 * 9);
    CHECK_EQ_INT(launches_of("gf_scan_tree_down") - down, 16 * 9);
#endif
}

/* Tiles that wait for what others have not published yet: the emulator's schedules, one after the other. */
static void cuda_look_back(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    struct sort_case c = {.algo = "auto", .device = 0, .type = GF_U16, .n = 9 * 2048 + 5, .tile = 2048};
    void *in = sort_case_data(c.type, c.n, ARRAY_RANDOM, 5);
#ifdef GF_EMU
    const uint64_t seed = gf_emu_options.seed;
    for (uint64_t k = 0; k < 8; k++) {
        gf_emu_options.seed = 8 * seed + k + 1;
        check_keys(&c, in, "random");
    }
    gf_emu_options.seed = seed;
#else
    check_keys(&c, in, "random");
#endif
    free(in);
}

/* ---- What must not matter ------------------------------------------------------------------------ */

static void threads(void)
{
    int64_t n = 300007;
    void *in = sort_case_data(GF_F32, n, ARRAY_SPECIAL, 9);
    struct sort_case first = {
        .algo = "auto", .device = GF_DEVICE_CPU, .type = GF_F32, .n = n, .value_size = 4, .threads = 1};
    sort_case_run(&first, in);
    for (int count = 2; count <= 9; count++) {
        struct sort_case c = {.algo = "auto",
                              .device = GF_DEVICE_CPU,
                              .type = GF_F32,
                              .n = n,
                              .value_size = 4,
                              .threads = count};
        compare(&c, &first, in, "special");
    }
    sort_case_free(&first);
    free(in);
}

/* ---- What is refused --------------------------------------------------------------------------------- */

static gf_status attempt(gf_sort_options options, const void *keys, const void *values, void *keys_out,
                         void *values_out, size_t scratch_short, gf_error *error)
{
    static _Alignas(256) char scratch[1 << 17];
    size_t bytes = 0;
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_status status = gf_sort_scratch(GF_DEVICE_CPU, &options, 100, &bytes, error);
    if (status != GF_OK) {
        return status;
    }
    CHECK(bytes <= sizeof scratch && bytes >= scratch_short);
    return gf_sort(queue, &options, keys, values, 100, keys_out, values_out, scratch, bytes - scratch_short,
                   error);
}

static void refusals(void)
{
    static uint32_t keys[101], values[101];
    gf_sort_options good = GF_SORT_OPTIONS_INIT, options = good;
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(attempt(good, keys, NULL, keys, NULL, 0, &error), GF_OK);
    CHECK_EQ_INT(attempt(good, NULL, NULL, keys, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(attempt(good, keys, NULL, NULL, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(attempt(good, (char *)keys + 1, NULL, keys, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "aligned");
    CHECK_EQ_INT(attempt(good, keys, NULL, keys, NULL, 1, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "scratch");
    CHECK_EQ_INT(attempt(good, keys, values, keys, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "value_size");
    options.value_size = 4;
    CHECK_EQ_INT(attempt(options, keys, values, keys, values, 0, &error), GF_OK);
    CHECK_EQ_INT(attempt(options, keys, NULL, keys, values, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(attempt(options, keys, (char *)values + 2, keys, values, 0, &error), GF_ERROR_ARGUMENT);
    options.value_size = 3;
    CHECK_EQ_INT(attempt(options, keys, values, keys, values, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "4 or 8");
    options = good;
    options.struct_size = 4;
    CHECK_EQ_INT(attempt(options, keys, NULL, keys, NULL, 0, &error), GF_ERROR_ARGUMENT);
    options = good;
    options.array.algo = "quick";
    CHECK_EQ_INT(attempt(options, keys, NULL, keys, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "sequential");
    options = good;
    options.array.type = (gf_depth)77;
    CHECK_EQ_INT(attempt(options, keys, NULL, keys, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    size_t bytes = 0;
    CHECK_EQ_INT(gf_sort_scratch(GF_DEVICE_CPU, &good, -1, &bytes, &error), GF_ERROR_ARGUMENT);
}

static const struct check_case cases[] = {
    {"sorted by hand", by_hand},
    {"the definition's properties", properties},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
    {"CPU passes without a digit, counted keys", cpu_digits},
    {"CUDA passes without a digit, counted keys", cuda_digits},
    {"CUDA tiles that wait", cuda_look_back},
    {"CUDA, as published", cuda_published},
    {"any number of threads", threads},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
