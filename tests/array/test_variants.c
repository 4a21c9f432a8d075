/* Two names of a primitive are two ways to compute it: no two variants are the same function, and on the
 * emulated device, which knows what was launched, each has a kernel that no other name of the primitive
 * launches. They may share helpers: what carries totals over, or writes the last word. */
#include "array_job.h"

#include "array/common/variant.h"

#ifdef GF_EMU
#include "emu_control.h"
#endif

static void functions(void)
{
#define GF_PRIMITIVE(name) extern const struct gf_array_primitive gf_primitive_##name;
#include "primitives/primitives.def"
#undef GF_PRIMITIVE
    static const struct gf_array_primitive *const primitives[] = {
#define GF_PRIMITIVE(name) &gf_primitive_##name,
#include "primitives/primitives.def"
#undef GF_PRIMITIVE
    };
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++) {
        const struct gf_array_variant *all = primitives[i]->variants;
        CHECK(all[0].info.name && all[1].info.name);
        for (const struct gf_array_variant *a = all; a->info.name; a++) {
            for (const struct gf_array_variant *b = all; b < a; b++) {
                CHECK_MSG(a->run != b->run, "%s: %s and %s are one function", primitives[i]->info.name,
                          a->info.name, b->info.name);
            }
        }
    }
}

#ifdef GF_EMU
enum { VARIANTS = 16, KERNELS = 256 };

/* Which kernels, by name, one variant launched. */
struct launched {
    const gf_variant *variant;
    const char *kernels[KERNELS];
    int count;
};

static bool has(const struct launched *l, const char *kernel)
{
    for (int i = 0; i < l->count; i++) {
        if (!strcmp(l->kernels[i], kernel)) {
            return true;
        }
    }
    return false;
}

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

/* Runs the variant, and sees whose count has risen. */
static void see(struct prim_job *job, const gf_variant *v, struct launched *l)
{
    struct {
        char name[80];
        size_t launches;
    } before[KERNELS];
    const gf_queue queue = {0, NULL};
    size_t known = 0, launches;
    const char *name;
    char *out = malloc(array_job_all_bytes(job) + 1);
    for (; known < KERNELS && (name = gf_emu_kernel(known, &launches)) != NULL; known++) {
        snprintf(before[known].name, sizeof before[known].name, "%s", name);
        before[known].launches = launches;
    }
    *l = (struct launched){.variant = v};
    *job->array = (gf_array_options){.algo = v->name, .type = job->type};
    CHECK(out && array_job_run(job, queue, 0, out) == GF_OK);
    for (size_t i = 0; (name = gf_emu_kernel(i, &launches)) != NULL && l->count < KERNELS; i++) {
        size_t old = 0;
        for (size_t k = 0; k < known; k++) {
            old = strcmp(before[k].name, name) ? old : before[k].launches;
        }
        if (launches_of(name) > old) {
            l->kernels[l->count++] = name;
        }
    }
    free(out);
}

/* Tells whether the variant has a kernel that none of the others has. */
static bool is_one_of_its_own(const struct launched *all, int count, int which)
{
    for (int k = 0; k < all[which].count; k++) {
        int others = 0;
        for (int i = 0; i < count; i++) {
            others += i != which && has(&all[i], all[which].kernels[k]);
        }
        if (others == 0) {
            return true;
        }
    }
    return false;
}

static void kernels_of(const char *line)
{
    struct prim_job job = {.driver = NULL};
    static struct launched all[VARIANTS];
    int count = 0;
    char *words;
    const gf_variant *v;
    size_t bytes = 0;
    if (array_job_make(line, 9001, false, &job, &words)) {
        for (size_t i = 0; (v = gf_primitive_variant(job.driver->name, i)) != NULL && count < VARIANTS; i++) {
            *job.array = (gf_array_options){.algo = v->name, .type = job.type};
            if (v->cuda && !v->vendor && job.driver->scratch(&job, 0, &bytes, NULL) != GF_ERROR_UNSUPPORTED) {
                see(&job, v, &all[count++]);
            }
        }
        CHECK_MSG(count >= 2, "%s: %d", line, count);
    }
    for (int i = 0; i < count; i++) {
        CHECK_MSG(is_one_of_its_own(all, count, i), "%s: all kernels of %s are those of other names, as %s",
                  line, all[i].variant->name, all[i].count ? all[i].kernels[0] : "none");
    }
    prim_job_destroy(&job);
    free(words);
}

/* Element types and operations that all variants take. */
static void kernels(void)
{
    static const char *const lines[] = {
        "reduce --type f32",
        "reduce --op max --type i32",
        "scan --type i32",
        "scan --op max --type f32",
        "compact --type u8 --keep ge:128 --data random",
        "compact --type f32 --keep lt:0.5 --indices",
        "sort --type u32",
        "sort --type f32 --values index",
        "merge --type u32",
        "merge --type i64 --values index",
        "histogram --type u8",
        "histogram_2d --type u8",
        "bounds --type u32",
        "adjacent_difference --type f32",
        "search --type i32 --at last",
        "matmul --type f32 --shape 65x33x129",
        "matmul --type f64 --shape 20x30x40",
        "spmv --type f32 --shape 100x90x20",
        "stencil --type f32 --shape 60x70 --steps 4",
        "bfs --graph rmat:7",
        "sssp --type i32 --graph rmat:7",
        "components --graph random:300x2"}; /* "smart" of ragged is one of two others: test_ragged sees which
                                             */
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        kernels_of(lines[i]);
    }
}
#else
static void kernels(void)
{
    SKIP("only the emulated device tells which kernels were launched");
}
#endif

static const struct check_case cases[] = {
    {"each name is a function of its own", functions},
    {"each name has a kernel of its own, CUDA", kernels},
};
CHECK_MAIN(cases)
