/* The emulator's scheduler: blocks, barriers, warps, and what it means to be stuck. */
#include "emu.h"

#include "emu_block.h"
#include "emu_control.h"

#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <unistd.h>

static gf_emu_settings from_environment()
{
    const char *seed = getenv("GF_EMU_SEED"), *blocks = getenv("GF_EMU_BLOCKS");
    return {seed != nullptr ? strtoull(seed, nullptr, 0) : 0, blocks != nullptr ? atoi(blocks) : 4, false};
}

gf_emu_settings gf_emu_options = from_environment();
gf_emu_thread *gf_emu_self;

static const unsigned SPIN_LIMIT = 1u << 17;

static std::mutex launch_lock;
static char fault_text[2048];
static uint64_t switches, launches;

emu_run emu_now;

static uint64_t draw()
{
    emu_now.random ^= emu_now.random << 13;
    emu_now.random ^= emu_now.random >> 7;
    emu_now.random ^= emu_now.random << 17;
    return emu_now.random * 0x2545f4914f6cdd1dull >> 16;
}

/* ---- Faults -------------------------------------------------------------------------------------- */

static emu_thread *self()
{
    return static_cast<emu_thread *>(gf_emu_self);
}

static void leave(bool finished)
{
    gf_fibre_switch(&self()->fibre, &emu_now.home, finished);
}

static void append(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void append(const char *format, ...)
{
    const size_t used = strlen(fault_text);
    va_list args;
    va_start(args, format);
    vsnprintf(fault_text + used, sizeof fault_text - used, format, args);
    va_end(args);
}

static void append_thread(const emu_thread *t)
{
    append("thread (%u,%u,%u) of block (%u,%u,%u)", t->thread.x, t->thread.y, t->thread.z, t->block.x,
           t->block.y, t->block.z);
}

/* Ends the report begun with append. In a fibre it does not return. */
static void give_up()
{
    append(" [kernel %s, seed %llu, launch %llu]", emu_now.grid.name,
           static_cast<unsigned long long>(gf_emu_options.seed), static_cast<unsigned long long>(launches));
    if (!gf_emu_options.keep_going) {
        fprintf(stderr, "emulator: %s\n", fault_text);
        abort();
    }
    emu_now.failed = true;
    if (gf_emu_self != nullptr) {
        gf_fibre_publish(&emu_now.ends);
        leave(true);
    }
}

static void begin_report()
{
    fault_text[0] = '\0';
}

void emu_fault(const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    begin_report();
    if (gf_emu_self != nullptr) {
        append_thread(self());
        append(": ");
    }
    append("%s", text);
    give_up();
}

/* Nobody can go on: says who waits where, the first few of them. */
static void report_deadlock()
{
    unsigned listed = 0, waiting = 0;
    begin_report();
    append("deadlock:");
    for (const auto &t : emu_now.threads) {
        if (t->state != EMU_AT_BARRIER && t->state != EMU_AT_WARP && t->state != EMU_POLLING) {
            continue;
        }
        /* One of a kind: a thread that waits where the one before it in the block does is only counted. */
        const bool same =
            waiting > 0 && t->index > 0 && (&t)[-1]->state == t->state && (&t)[-1]->line == t->line;
        waiting++;
        if (!same && listed++ < 6) {
            append("\n  ");
            append_thread(t.get());
            append(t->state == EMU_POLLING ? " polls" : " waits at %s, %s:%d", t->what, t->file, t->line);
        }
    }
    append("\n  %u threads wait", waiting);
    give_up();
}

/* ---- The queue of those who can run ------------------------------------------------------------------ */

static void push(emu_thread *t)
{
    emu_now.ready[(emu_now.head + emu_now.count++) & (emu_now.ready.size() - 1)] = t;
}

static emu_thread *pop()
{
    const size_t mask = emu_now.ready.size() - 1;
    if (emu_now.any_order && emu_now.count > 1) {
        std::swap(emu_now.ready[emu_now.head & mask],
                  emu_now.ready[(emu_now.head + draw() % emu_now.count) & mask]);
    }
    emu_now.count--;
    return emu_now.ready[emu_now.head++ & mask];
}

/* Stops the running thread until somebody makes it ready; or, when it is so already, for a while. */
void emu_wait(emu_state state)
{
    emu_thread *t = self();
    t->state = state;
    t->loads = state == EMU_READY ? t->loads : 0;
    leave(false);
}

void emu_wake(emu_thread *t)
{
    t->state = EMU_READY;
    push(t);
}

void emu_let_others_run()
{
    push(self());
    emu_wait(EMU_READY);
}

void gf_emu_poll()
{
    if (++emu_now.idle > 256 * emu_now.threads.size() + 1024) {
        self()->state = EMU_POLLING;
        report_deadlock();
    }
    push(self());
    emu_wait(EMU_POLLING);
}

void gf_emu_on_load(const void *p, size_t bytes)
{
    gf_emu_check_aligned(p, bytes);
    if (++self()->loads > SPIN_LIMIT) {
        emu_fault("%u ordered loads in a row without gf_poll: would spin for ever", SPIN_LIMIT);
    }
    if (emu_now.any_order && draw() % 8 == 0) {
        emu_let_others_run();
    }
}

void gf_emu_on_store(void *p, size_t bytes, bool changes)
{
    gf_emu_check_aligned(p, bytes);
    if (changes) {
        emu_now.idle = 0;
        self()->loads = 0;
    }
    if (emu_now.any_order && draw() % 8 == 0) {
        emu_let_others_run();
    }
}

void gf_emu_misaligned(const void *p, size_t bytes)
{
    emu_fault("%zu-byte access at %p, which is not aligned to it", bytes, p);
}

/* ---- A thread's life
 * ------------------------------------------------------------------------------------------ */

static void end_thread(emu_thread *t)
{
    emu_block *b = t->in;
    emu_now.idle = 0;
    b->live--;
    t->warp->live &= ~(1u << (t->index % 32));
    if (b->arrived > 0) {
        emu_fault("divergent barrier: ended while thread (%u,%u,%u) waits at %s, %s:%d", b->first->thread.x,
                  b->first->thread.y, b->first->thread.z, b->first->what, b->first->file, b->first->line);
    }
    for (unsigned i = 0; i < 32; i++) {
        if ((t->warp->waiting >> i & 1u) != 0 &&
            (t->warp->lanes[i]->call.mask >> (t->index % 32) & 1u) != 0) {
            emu_fault("wrong mask: ended while lane %u waits for it at %s, %s:%d", i, t->warp->lanes[i]->what,
                      t->warp->lanes[i]->file, t->warp->lanes[i]->line);
        }
    }
    t->state = EMU_ENDED;
}

static void live(void *argument)
{
    emu_thread *t = static_cast<emu_thread *>(argument);
    gf_fibre_observe(&emu_now.starts);
    emu_now.body(emu_now.context);
    end_thread(t);
    gf_fibre_publish(&emu_now.ends);
    leave(true);
}

/* Starts the next block of the grid, if there is one, in a place whose block has ended. */
static void start_block(emu_block *b)
{
    if (emu_now.started == emu_now.total) {
        return;
    }
    const uint64_t number = (emu_now.first + emu_now.started++ * emu_now.step) % emu_now.total;
    const dim3 &g = emu_now.grid.grid, &s = emu_now.grid.block;
    const uint3 where = {static_cast<unsigned>(number % g.x), static_cast<unsigned>(number / g.x % g.y),
                         static_cast<unsigned>(number / g.x / g.y)};
    b->live = emu_now.block_threads;
    b->arrived = 0;
    b->begin_shared();
    for (unsigned i = 0; i < (emu_now.block_threads + 31) / 32; i++) {
        const unsigned lanes = emu_now.block_threads - 32 * i;
        b->warps[i].live = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
        b->warps[i].waiting = 0;
    }
    for (unsigned i = 0; i < emu_now.block_threads; i++) {
        emu_thread *t = b->threads[i];
        t->thread = {i % s.x, i / s.x % s.y, i / s.x / s.y};
        t->block = where;
        t->block_size = s;
        t->grid_size = g;
        t->copies.clear();
        t->open_group = 0;
        gf_fibre_prepare(&t->fibre, live, t);
        emu_wake(t);
    }
    gf_fibre_publish(&emu_now.starts);
    emu_now.idle = 0;
}

/* ---- A launch
 * --------------------------------------------------------------------------------------------------- */

static void lay_out(unsigned alive)
{
    const size_t need = static_cast<size_t>(alive) * emu_now.block_threads;
    while (emu_now.threads.size() < need) {
        emu_now.threads.push_back(std::make_unique<emu_thread>());
        gf_fibre_map(&emu_now.threads.back()->fibre, static_cast<unsigned>(emu_now.threads.size()));
    }
    for (auto &t : emu_now.threads) {
        t->state = EMU_ENDED;
    }
    while (emu_now.blocks.size() < alive) {
        emu_now.blocks.push_back(std::make_unique<emu_block>());
    }
    for (unsigned b = 0; b < alive; b++) {
        emu_block *block = emu_now.blocks[b].get();
        block->clear_shared(emu_now.grid.shared);
        block->threads.resize(emu_now.block_threads);
        block->warps.assign((emu_now.block_threads + 31) / 32, emu_warp());
        for (unsigned i = 0; i < emu_now.block_threads; i++) {
            emu_thread *t = emu_now.threads[b * emu_now.block_threads + i].get();
            block->threads[i] = t;
            t->in = block;
            t->index = i;
            t->warp = &block->warps[i / 32];
            t->warp->lanes[i % 32] = t;
        }
    }
    size_t ring = 1;
    while (ring < need) {
        ring *= 2;
    }
    emu_now.ready.assign(ring, nullptr);
    emu_now.head = emu_now.count = 0;
}

/* Which block starts when: in order, or with a seed one of the orders i -> first + i * step. */
static void choose_order()
{
    emu_now.random = (gf_emu_options.seed * 0x9e3779b97f4a7c15ull + launches) * 0xd1342543de82ef95ull | 1;
    emu_now.any_order = gf_emu_options.seed != 0;
    emu_now.started = 0;
    emu_now.first = 0;
    emu_now.step = 1;
    if (emu_now.any_order && emu_now.total > 1) {
        uint64_t a, b;
        emu_now.first = draw() % emu_now.total;
        do {
            emu_now.step = a = 1 + draw() % (emu_now.total - 1 < 0xffff ? emu_now.total - 1 : 0xffff);
            b = emu_now.total;
            while (b != 0) { /* step and total without a common factor: every block once */
                const uint64_t rest = a % b;
                a = b;
                b = rest;
            }
        } while (a != 1);
    }
}

/* What ran: of GF_EMU_COVERAGE. */
struct coverage {
    uint64_t launches, shuffled;
};
static std::map<std::string, coverage> covered;

static void write_coverage()
{
    std::string lines;
    for (const auto &kernel : covered) {
        const coverage &c = kernel.second;
        const uint64_t schedules = c.shuffled + (c.shuffled < c.launches); /* each shuffled one is its own */
        lines += std::to_string(c.launches) + ' ' + std::to_string(schedules) + ' ' + kernel.first + '\n';
    }
    const int file = open(getenv("GF_EMU_COVERAGE"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
        perror("emulator: GF_EMU_COVERAGE");
    }
    close(file);
}

/* A kernel's name as launched, "(name<3, int>)", to its name. */
static void cover(const char *launched)
{
    static const bool wanted = getenv("GF_EMU_COVERAGE") != nullptr && atexit(write_coverage) == 0;
    if (wanted) {
        const char *name = launched + strspn(launched, "( ");
        coverage &c = covered[std::string(name, strcspn(name, "<() "))];
        c.launches++;
        c.shuffled += gf_emu_options.seed != 0;
    }
}

static void schedule()
{
    while (emu_now.count > 0 && !emu_now.failed) {
        emu_thread *t = pop();
        gf_emu_self = t;
        switches++;
        gf_fibre_switch(&emu_now.home, &t->fibre, false);
        gf_emu_self = nullptr;
        if (t->state == EMU_ENDED && t->in->live == 0 && !emu_now.failed) {
            gf_fibre_observe(&emu_now.ends);
            if (!t->in->end_shared()) {
                return;
            }
            start_block(t->in);
        }
    }
    bool stuck = false;
    for (const auto &t : emu_now.threads) {
        stuck = stuck || t->state != EMU_ENDED;
    }
    if (stuck && !emu_now.failed) {
        report_deadlock();
    }
    const void *p = emu_now.failed ? nullptr : gf_emu_overwritten();
    if (p != nullptr) {
        emu_fault("the kernel wrote past the end of the device allocation at %p", p);
    }
}

cudaError_t gf_emu_run(const gf_emu_grid &grid, void (*body)(const void *), const void *context)
{
    EMU_ENTER(cudaErrorUnknown);
    if (grid.shared > GF_EMU_SHARED_LIMIT) {
        return gf_emu_leave(cudaErrorInvalidConfiguration);
    }
    std::lock_guard<std::mutex> hold(launch_lock);
    emu_now.grid = grid;
    emu_now.body = body;
    emu_now.context = context;
    emu_now.failed = false;
    emu_now.idle = 0;
    emu_now.block_threads = grid.block.x * grid.block.y * grid.block.z;
    emu_now.total = static_cast<uint64_t>(grid.grid.x) * grid.grid.y * grid.grid.z;
    if (grid.cooperative && emu_now.total > static_cast<uint64_t>(GF_EMU_SMS)) {
        return gf_emu_leave(cudaErrorCooperativeLaunchTooLarge);
    }
    const int wanted = grid.cooperative ? GF_EMU_SMS : gf_emu_options.blocks;
    const uint64_t limit = wanted < 1 ? 1 : wanted > 64 ? 64 : static_cast<uint64_t>(wanted);
    const unsigned alive = static_cast<unsigned>(emu_now.total < limit ? emu_now.total : limit);
    launches++;
    cover(grid.name);
    lay_out(alive);
    choose_order();
    for (unsigned b = 0; b < alive; b++) {
        start_block(emu_now.blocks[b].get());
    }
    schedule();
    gf_fibre_observe(&emu_now.ends);
    if (emu_now.failed) {
        gf_emu_set_sticky(cudaErrorLaunchFailure);
        return cudaErrorLaunchFailure;
    }
    return cudaSuccess;
}

const char *gf_emu_fault(void)
{
    return fault_text;
}

void gf_emu_reset(void)
{
    fault_text[0] = '\0';
    gf_emu_set_sticky(cudaSuccess);
}

uint64_t gf_emu_switches(void)
{
    return switches;
}
