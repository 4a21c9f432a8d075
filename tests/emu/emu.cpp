/* The emulator's scheduler: who runs next, blocks that start and end, what it means to be stuck. */
#include "emu_block.h"
#include "emu_control.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>

static const unsigned SPIN_LIMIT = 1u << 17, PATIENCE = 64, MOST_THREADS = 16384;

static unsigned long long number_from(const char *variable, unsigned long long otherwise)
{
    const char *text = getenv(variable);
    return text != nullptr ? strtoull(text, nullptr, 0) : otherwise;
}
gf_emu_settings gf_emu_options = {number_from("GF_EMU_SEED", 0), int(number_from("GF_EMU_BLOCKS", 4)), false};
gf_emu_grid gf_emu_now;
gf_emu_thread *gf_emu_self;

/* The launch that runs. Threads are kept from one to the next, with their fibres. */
static struct {
    const std::function<void()> *body;
    unsigned size; /* threads of a block */
    std::vector<emu_block> blocks;
    std::vector<emu_thread> threads; /* those of blocks[0], of blocks[1], ... */
    std::vector<uint64_t> order;     /* of the blocks of the grid */
    size_t started;
    std::vector<emu_thread *> queue; /* who can run: a ring of `count` from `head`, its size a power of two */
    size_t head, count;
    std::mt19937_64 random;
    bool any_order, failed;
    uint64_t progress;
} run;

static emu_fibre *here = emu_home;
static uint64_t switches, launches;

/* ---- Who runs next ------------------------------------------------------------------------------- */

static emu_thread *&queued(size_t i) { return run.queue[(run.head + i) & (run.queue.size() - 1)]; }

void emu_wake(emu_thread *t) { queued(run.count++) = t; }

/* NULL: nobody can run. */
static emu_thread *next()
{
    if (run.count == 0) { return nullptr; }
    if (run.any_order) { std::swap(queued(0), queued(run.random() % run.count)); }
    emu_thread *t = queued(0);
    run.head++;
    run.count--;
    return t;
}

/* Leaves the running fibre for that of t, or for home; returns when its own turn comes again. */
static void go_on_with(emu_thread *t)
{
    emu_fibre *from = here;
    if (gf_emu_self != nullptr) { emu_publish(&emu_self()->in->ends); }
    gf_emu_self = t;
    here = t != nullptr ? t->fibre : emu_home;
    if (here != from) {
        switches++;
        emu_fibre_switch(from, here);
    }
}

void emu_wait()
{
    emu_thread *t = emu_self();
    go_on_with(next());
    t->accesses = 0;
    t->at.what = nullptr;
}

/* Starts the next block of the grid, if there is one, in a place where none runs. */
static void start_block(emu_block *b)
{
    if (run.started == run.order.size()) { return; }
    const uint64_t i = run.order[run.started++];
    const dim3 &g = gf_emu_now.grid, &s = gf_emu_now.block;
    const uint3 block = {unsigned(i % g.x), unsigned(i / g.x % g.y), unsigned(i / g.x / g.y)};
    emu_thread *threads = &run.threads[static_cast<size_t>(b - run.blocks.data()) * run.size];
    b->all = {"barrier", threads, run.size, run.size, 0, 0, nullptr, {}};
    for (unsigned k = 0; k < run.size; k++) {
        emu_thread *t = &threads[k];
        t->thread = {k % s.x, k / s.x % s.y, k / s.x / s.y};
        t->block = block;
        t->index = k;
        t->in = b;
        t->started = false;
        t->open_group = 0;
        t->copies.clear();
        if (k % 32 == 0) {
            const unsigned lanes = std::min(run.size - k, 32u);
            b->warps[k / 32] = {"warp", t, lanes, lanes, 0, 0, nullptr, {}};
        }
        emu_wake(t);
    }
    emu_publish(&b->starts);
}

/* Runs a thread to its end, and then, on the stack that is empty again, any that has not started. */
void emu_live()
{
    for (;;) {
        emu_thread *t = emu_self();
        emu_block *b = t->in;
        t->started = true;
        emu_observe(&b->starts);
        (*run.body)();
        gf_emu_progress();
        emu_end_thread(t);
        if (b->all.live == 0) {
            emu_observe(&b->ends);
            emu_end_block(b);
            start_block(b);
        }
        emu_thread *then = next();
        if (then != nullptr && !then->started && !emu_own_stacks) { std::swap(t->fibre, then->fibre); }
        go_on_with(then);
    }
}

/* ---- Faults -------------------------------------------------------------------------------------- */

static char report[4096];

struct emu_text {
    char text[512];
};
static emu_text where(const emu_thread *t)
{
    emu_text w = {};
    const int n = t == nullptr
                      ? 0
                      : snprintf(w.text, sizeof w.text, "thread (%u,%u,%u) of block (%u,%u,%u)", t->thread.x,
                                 t->thread.y, t->thread.z, t->block.x, t->block.y, t->block.z);
    if (n > 0 && t->at.what != nullptr) {
        snprintf(w.text + n, sizeof w.text - n, " at %s, %s:%d", t->at.what, t->at.file, t->at.line);
    }
    return w;
}

static void compose(const char *what, const emu_thread *other)
{
    const bool in_thread = gf_emu_self != nullptr;
    snprintf(report, sizeof report, "%s%s%s%s [kernel %s, seed %llu, launch %llu]", where(emu_self()).text,
             in_thread ? ": " : "", what, where(other).text, gf_emu_now.name,
             static_cast<unsigned long long>(gf_emu_options.seed), static_cast<unsigned long long>(launches));
}

void emu_fault(const emu_thread *other, const char *format, ...)
{
    char what[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    compose(what, other);
    if (!gf_emu_options.keep_going) {
        fprintf(stderr, "emulator: %s\n", report);
        abort();
    }
    run.failed = true;
    if (gf_emu_self != nullptr) { go_on_with(nullptr); }
}

void emu_say_where()
{
    if (gf_emu_self == nullptr) { return; }
    compose("as reported by the sanitizer", nullptr);
    fprintf(stderr, "emulator: %s\n", report);
}

/* Nobody can go on: says who waits where, the first few of a kind. */
static void report_deadlock()
{
    char list[1800] = "";
    const emu_thread *before = nullptr;
    unsigned waiting = 0;
    for (const emu_thread &t : run.threads) {
        if (t.at.what == nullptr) { continue; }
        const size_t n = strlen(list);
        if (before == nullptr || before->in != t.in || before->at.line != t.at.line) {
            snprintf(list + n, sizeof list - n, "\n  %s", where(&t).text);
        }
        before = &t;
        waiting++;
    }
    emu_fault(nullptr, "deadlock%s\n  %u threads wait", list, waiting);
}

void gf_emu_misaligned(const void *p, size_t bytes)
{
    emu_fault(nullptr, "%zu-byte access at %p, which is not aligned to it", bytes, p);
}

void gf_emu_progress()
{
    run.progress++;
    emu_self()->accesses = 0;
}

void gf_emu_access(const void *p, size_t bytes)
{
    gf_emu_check_aligned(p, bytes);
    if (++emu_self()->accesses > SPIN_LIMIT) {
        emu_fault(nullptr, "%u ordered loads in a row without gf_poll: would spin for ever", SPIN_LIMIT);
    }
    if (run.any_order && run.random() % 8 == 0) {
        emu_wake(emu_self());
        go_on_with(next());
    }
}

void gf_emu_poll(const gf_emu_site &at)
{
    emu_thread *t = emu_self();
    t->polls = t->polls_since == run.progress ? t->polls + 1 : 1;
    t->polls_since = run.progress;
    t->at = at;
    emu_wake(t);
    bool stuck = t->polls % PATIENCE == 0; /* all who can run poll, and have so since anything changed */
    for (size_t i = 0; i < run.count && stuck; i++) {
        const emu_thread *other = queued(i);
        stuck = other->at.what != nullptr && other->polls_since == run.progress && other->polls >= PATIENCE;
    }
    if (stuck) { report_deadlock(); }
    emu_wait();
}

/* ---- A launch ------------------------------------------------------------------------------------------ */

/* What ran, appended to GF_EMU_COVERAGE at the end. */
static struct coverage {
    std::map<std::string, std::pair<unsigned long, unsigned long>> kernels; /* launches in order, shuffled */

    ~coverage()
    {
        const char *path = getenv("GF_EMU_COVERAGE");
        FILE *file = path != nullptr ? fopen(path, "a") : nullptr;
        if (file == nullptr) { return; }
        setvbuf(file, nullptr, _IOFBF, 1 << 16); /* one write: other processes append too */
        for (const auto &k : kernels) {
            const unsigned long in_order = k.second.first, shuffled = k.second.second;
            fprintf(file, "%lu %lu %s\n", in_order + shuffled, (in_order > 0) + shuffled, k.first.c_str());
        }
        fclose(file);
    }
} covered;

/* Prepares `places` for blocks, and an order for those of the grid: any, with a seed. */
static void begin_run(size_t total, size_t places)
{
    launches++;
    run.failed = false;
    run.any_order = gf_emu_options.seed != 0;
    run.random.seed(gf_emu_options.seed * 0x9e3779b97f4a7c15u + launches);
    run.order.resize(total);
    std::iota(run.order.begin(), run.order.end(), 0);
    if (run.any_order) { std::shuffle(run.order.begin(), run.order.end(), run.random); }
    run.started = run.head = run.count = 0;
    run.blocks = std::vector<emu_block>(places);
    run.threads.resize(std::max(run.threads.size(), places * run.size));
    run.queue.resize(MOST_THREADS);
    for (emu_thread &t : run.threads) {
        t.fibre = t.fibre != nullptr ? t.fibre : emu_fibre_make();
        t.at.what = nullptr;
    }
    const char *name = gf_emu_now.name + strspn(gf_emu_now.name, "( "); /* "(name<3, int>)" or the like */
    auto &c = covered.kernels[std::string(name, strcspn(name, "<() "))];
    (run.any_order ? c.second : c.first)++;
}

static cudaError_t end_run()
{
    bool stuck = false;
    for (emu_block &b : run.blocks) {
        emu_observe(&b.ends);
        stuck = stuck || b.all.live > 0;
    }
    if (stuck && !run.failed) { report_deadlock(); }
    if (!run.failed) { emu_check_overruns(); }
    for (emu_block &b : run.blocks) { emu_end_block(&b); }
    if (!run.failed) { return cudaSuccess; }
    for (emu_thread &t : run.threads) { emu_fibre_reset(t.fibre); } /* they stopped anywhere */
    return cudaErrorLaunchFailure;
}

cudaError_t gf_emu_run(const gf_emu_grid &grid, const std::function<void()> &body)
{
    cudaError_t result = emu_enter(cudaErrorUnknown);
    const size_t total = static_cast<size_t>(grid.grid.x) * grid.grid.y * grid.grid.z;
    const size_t places =
        static_cast<size_t>(grid.cooperative ? GF_EMU_SMS : std::clamp(gf_emu_options.blocks, 1, 64));
    if (result == cudaSuccess && grid.shared > GF_EMU_SHARED_LIMIT) {
        result = cudaErrorInvalidConfiguration;
    } else if (result == cudaSuccess && grid.cooperative && total > places) {
        result = cudaErrorCooperativeLaunchTooLarge;
    } else if (result == cudaSuccess) {
        gf_emu_now = grid;
        run.body = &body;
        run.size = grid.block.x * grid.block.y * grid.block.z;
        begin_run(total, std::min({total, places, static_cast<size_t>(MOST_THREADS / run.size)}));
        for (emu_block &b : run.blocks) { start_block(&b); }
        go_on_with(next());
        result = end_run();
    }
    return emu_leave(result);
}

/* ---- Control ----------------------------------------------------------------------------------------------
 */

const char *gf_emu_fault(void) { return report; }
uint64_t gf_emu_switches(void) { return switches; }
void gf_emu_reset(void)
{
    report[0] = '\0';
    emu_find_device();
}
