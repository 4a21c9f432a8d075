/* The emulator's scheduler: who runs next, blocks that start and end, what it means to be stuck. */
#include "emu_block.h"
#include "emu_control.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>

static const unsigned SPIN_LIMIT = 1u << 17, PATIENCE = 64, MOST_THREADS = 1u << 14;

static unsigned long long number_from(const char *variable, unsigned long long otherwise)
{
    const char *text = getenv(variable);
    return text != nullptr ? strtoull(text, nullptr, 0) : otherwise;
}
gf_emu_settings gf_emu_options = {
    number_from("GF_EMU_SEED", 0), int(number_from("GF_EMU_BLOCKS", 4)), false, 0, 0, 0};
gf_emu_grid gf_emu_now;
gf_emu_thread *gf_emu_self;

/* The launch that runs. Threads are kept from one to the next, with their fibres. */
static struct {
    const std::function<void()> *body;
    unsigned size; /* threads of a block */
    std::vector<emu_block> blocks;
    std::vector<emu_thread> threads; /* those of blocks[0], of blocks[1], ... */
    std::vector<uint64_t> order;     /* of the blocks of the grid */
    emu_thread *queue[MOST_THREADS]; /* who can run: a ring of `count` from `head` */
    size_t started, head, count;     /* started: of `order` */
    std::mt19937_64 random;
    bool any_order, failed;
    const emu_block *held; /* its threads do not go on until all others wait; NULL: no such block now */
    uint64_t idle, alive;  /* polls since anything changed; threads of the blocks that have started */
} run;

char emu_report[4096];
static emu_fibre *here = emu_home;
static uint64_t switches, launches;

static emu_thread *&queued(size_t i) { return run.queue[(run.head + i) % MOST_THREADS]; }

void emu_wake(emu_thread *t) { queued(run.count++) = t; }

/* Any of the queue. Now and then one block is held up, so that others get as far as they can without it: were
 * all threads equally likely, blocks would keep pace, and hardly ever wait for each other. */
static size_t draw()
{
    uint64_t drawn = run.random();
    if (run.held == nullptr && drawn >> 54 == 0) { run.held = queued(drawn % run.count)->in; }
    if (run.idle > run.count) { run.held = nullptr; } /* all others have polled in vain */
    for (int i = 0; run.held != nullptr && queued(drawn % run.count)->in == run.held; i++) {
        if (i == 16) { run.held = nullptr; } /* nobody else can run */
        drawn = run.random();
    }
    return drawn % run.count;
}

/* NULL: nobody can run. */
static emu_thread *next()
{
    if (run.count == 0) { return nullptr; }
    if (run.any_order) { std::swap(queued(0), queued(draw())); }
    run.count--;
    return run.queue[run.head++ % MOST_THREADS];
}

/* Leaves the running fibre for that of t, or for home; returns when its own turn comes again. */
static void go_on_with(emu_thread *t)
{
    emu_fibre *from = here;
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
    b->all = {"barrier", threads, nullptr, run.size, run.size, 0, 0, {}};
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
            b->warps[k / 32] = {"warp", t, nullptr, lanes, lanes, 0, 0, {}};
        }
        emu_wake(t);
    }
    run.alive += run.size;
    emu_publish(&b->starts);
}

/* A fault when somebody waits for it. */
static void end_thread(emu_thread *t)
{
    for (emu_group *g : {&t->in->warps[t->index / 32], &t->in->all}) {
        g->live--;
        if (g->arrived > 0) { emu_fault(g->first, "divergent %s: ended, but", g->kind); }
    }
}

/* Runs a thread to its end, and then, on the stack that is empty again, any that has not started. */
void emu_live()
{
    emu_arrive();
    for (;;) {
        emu_thread *t = emu_self();
        emu_block *b = t->in;
        t->started = true;
        emu_observe(&b->starts);
        (*run.body)();
        gf_emu_progress();
        emu_publish(&b->ends);
        end_thread(t);
        run.alive--;
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

template <class... A> static void say(const char *format, A... a)
{
    const size_t used = strlen(emu_report);
    snprintf(emu_report + used, sizeof emu_report - used, format, a...);
}

static void say_where(const char *before, const emu_thread *t)
{
    const uint3 &i = t->thread, &b = t->block;
    say("%sthread (%u,%u,%u) of block (%u,%u,%u)", before, i.x, i.y, i.z, b.x, b.y, b.z);
    if (t->at.what != nullptr) { say(" at %s, %s:%d", t->at.what, t->at.file, t->at.line); }
}

static void begin_report()
{
    snprintf(emu_report, sizeof emu_report, "kernel %s, seed %llu, launch %llu", gf_emu_now.name,
             gf_emu_options.seed + 0ull, launches + 0ull);
    if (gf_emu_self != nullptr) { say_where(", ", emu_self()); }
}

static void end_report()
{
    if (!gf_emu_options.keep_going) {
        fprintf(stderr, "emulator: %s\n", emu_report);
        abort();
    }
    run.failed = true;
    if (gf_emu_self != nullptr) { go_on_with(nullptr); }
}

void emu_fault(const emu_thread *other, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    begin_report();
    say(": %s", what);
    if (other != nullptr) { say_where(" ", other); }
    end_report();
}

void emu_say_where()
{
    if (gf_emu_self == nullptr) { return; }
    begin_report();
    fprintf(stderr, "emulator: in %s\n", emu_report);
}

/* Nobody can go on: says who waits where, the first of each kind. */
static void report_deadlock()
{
    const emu_thread *before = nullptr;
    unsigned waiting = 0;
    begin_report();
    say("%s", ": deadlock");
    for (const emu_thread &t : run.threads) {
        if (t.at.what == nullptr) { continue; }
        const bool is_next = before != nullptr && before->in == t.in && before->at.line == t.at.line;
        if (!is_next) { say_where("\n  ", &t); }
        before = &t;
        waiting++;
    }
    say("\n  %u threads wait", waiting);
    end_report();
}

void gf_emu_misaligned(const void *p, size_t bytes)
{
    emu_fault(nullptr, "%zu-byte access at %p, which is not aligned to it", bytes, p);
}

void gf_emu_progress()
{
    run.idle = 0;
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
    t->at = at;
    emu_wake(t);
    bool stuck = ++run.idle > PATIENCE * run.count; /* all who can run poll, and have for long */
    for (size_t i = 0; i < run.count && stuck; i++) { stuck = queued(i)->at.what != nullptr; }
    if (stuck) { report_deadlock(); }
    emu_wait();
}

/* What ran, appended to GF_EMU_COVERAGE at the end. */
static struct coverage {
    std::map<std::string, std::pair<size_t, std::set<uint64_t>>> kernels; /* launches, their schedules */

    ~coverage()
    {
        const char *path = getenv("GF_EMU_COVERAGE");
        FILE *file = path != nullptr ? fopen(path, "a") : nullptr;
        if (file == nullptr) { return; }
        setvbuf(file, nullptr, _IOFBF, 1 << 16); /* one write: other processes append too */
        for (const auto &k : kernels) {
            fprintf(file, "%zu %zu %s\n", k.second.first, k.second.second.size(), k.first.c_str());
        }
        fclose(file);
    }
} covered;

uint64_t gf_emu_joins;

const char *gf_emu_kernel(size_t index, size_t *count)
{
    if (index >= covered.kernels.size()) { return nullptr; }
    const auto &kernel = *std::next(covered.kernels.begin(), ptrdiff_t(index));
    *count = kernel.second.first;
    return kernel.first.c_str();
}

int gf_emu_sms() { return gf_emu_options.processors > 0 ? gf_emu_options.processors : 4; }

/* Prepares `places` for blocks, and an order for those of the grid: any, with a seed. */
static void begin_run(size_t total, size_t places)
{
    launches++;
    run.failed = false;
    run.any_order = gf_emu_options.seed != 0;
    run.random.seed(gf_emu_options.seed * 0x9e3779b97f4a7c15u + launches);
    run.order.resize(total);
    for (size_t i = 0; i < total; i++) { run.order[i] = i; }
    if (run.any_order) { std::shuffle(run.order.begin(), run.order.end(), run.random); }
    run.held = nullptr;
    run.started = run.head = run.count = run.idle = run.alive = 0;
    run.blocks = std::vector<emu_block>(places);
    run.threads.resize(std::max(run.threads.size(), places * run.size));
    for (emu_thread &t : run.threads) {
        t.fibre = t.fibre != nullptr ? t.fibre : emu_fibre_make();
        t.at.what = nullptr;
    }
    const char *name = gf_emu_now.name + strspn(gf_emu_now.name, "( "); /* "(name<3, int>)" or the like */
    auto &c = covered.kernels[std::string(name, strcspn(name, "<() "))];
    c.first++;
    c.second.insert(run.any_order ? launches : 0);
}

static void end_run()
{
    for (emu_block &b : run.blocks) { emu_observe(&b.ends); }
    if (run.alive > 0 && !run.failed) { report_deadlock(); }
    if (!run.failed) { emu_check_overruns(); }
    for (emu_thread &t : run.threads) {
        if (run.failed && t.started) { emu_fibre_reset(t.fibre); } /* it stopped anywhere */
    }
    for (emu_block &b : run.blocks) { emu_end_block(&b); }
}

static cudaError_t run_grid(const gf_emu_grid &grid)
{
    const size_t total = static_cast<size_t>(grid.grid.x) * grid.grid.y * grid.grid.z;
    const size_t threads = size_t(grid.block.x) * grid.block.y * grid.block.z;
    const int resident = gf_emu_sms() * static_cast<int>(threads < 1024 ? 1024 / threads : 1);
    const int wanted = grid.cooperative ? resident : std::clamp(gf_emu_options.blocks, 1, 64);
    if (grid.shared > GF_EMU_SHARED_LIMIT) { return cudaErrorInvalidConfiguration; }
    if (grid.cooperative && total > size_t(resident)) { return cudaErrorCooperativeLaunchTooLarge; }
    gf_emu_now = grid;
    run.size = grid.block.x * grid.block.y * grid.block.z;
    begin_run(total, std::min<size_t>({total, static_cast<size_t>(wanted), MOST_THREADS / run.size}));
    for (emu_block &b : run.blocks) { start_block(&b); }
    go_on_with(next());
    end_run();
    return run.failed ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t gf_emu_run(const gf_emu_grid &grid, const std::function<void()> &body)
{
    const cudaError_t failure = emu_enter(cudaErrorUnknown);
    if (failure != cudaSuccess) { return emu_leave(failure); }
    if (!emu_is_here(grid.stream)) { return emu_leave(cudaErrorInvalidResourceHandle); }
    emu_catch_up(grid.stream);
    run.body = &body;
    return emu_leave(run_grid(grid));
}

const char *gf_emu_fault(void) { return emu_report; }
uint64_t gf_emu_switches(void) { return switches; }
