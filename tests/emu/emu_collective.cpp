/* Where threads meet: the barriers of a block and the operations of a warp. */
#include "emu_block.h"

static emu_thread *self()
{
    return static_cast<emu_thread *>(gf_emu_self);
}

/* ---- Barriers ------------------------------------------------------------------------------------------ */

gf_emu_votes gf_emu_barrier(const char *what, int predicate, const char *file, int line)
{
    emu_thread *t = self();
    emu_block *b = t->in;
    t->what = what;
    t->file = file;
    t->line = line;
    if (b->arrived == 0) {
        b->votes = {0, 1, 0};
        b->first = t;
    } else if (b->first->what != what || b->first->line != line || strcmp(b->first->file, file) != 0) {
        emu_fault("divergent barrier: at %s, %s:%d, while thread (%u,%u,%u) waits at %s, %s:%d", what, file,
                  line, b->first->thread.x, b->first->thread.y, b->first->thread.z, b->first->what,
                  b->first->file, b->first->line);
    }
    if (b->live != emu_now.block_threads) {
        emu_fault("divergent barrier: at %s, %s:%d, after %u threads of the block ended", what, file, line,
                  emu_now.block_threads - b->live);
    }
    b->arrived++;
    b->votes.count += predicate != 0;
    b->votes.all &= predicate != 0;
    b->votes.any |= predicate != 0;
    gf_fibre_publish(b);
    if (b->arrived < emu_now.block_threads) {
        emu_wait(EMU_AT_BARRIER);
    } else {
        b->arrived = 0;
        emu_now.idle = 0;
        for (unsigned i = 0; i < emu_now.block_threads; i++) {
            b->threads[i]->votes = b->votes;
            if (b->threads[i] != t) {
                emu_wake(b->threads[i]);
            }
        }
        if (emu_now.any_order) {
            emu_let_others_run();
        }
    }
    gf_fibre_observe(b);
    return t->votes;
}

/* ---- Warps --------------------------------------------------------------------------------------------- */

static const char *op_name(gf_emu_warp_op op)
{
    static const char *const names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                        "__shfl_down_sync",  "__shfl_xor_sync",   "__ballot_sync",
                                        "__match_any_sync",  "__reduce_add_sync", "__reduce_min_sync",
                                        "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",
                                        "__reduce_xor_sync"};
    return names[op];
}

/* The lane whose value a shuffle hands to `lane`. */
static unsigned source(const emu_warp_call &c, unsigned lane)
{
    const unsigned base = lane & ~(c.width - 1), end = base + c.width;
    switch (c.op) {
    case GF_EMU_SHFL:
        return base + (c.lane & (c.width - 1));
    case GF_EMU_SHFL_UP:
        return lane < base + c.lane ? lane : lane - c.lane;
    case GF_EMU_SHFL_DOWN:
        return c.lane >= end - lane ? lane : lane + c.lane;
    default:
        return (lane ^ c.lane) >= end ? lane : lane ^ c.lane;
    }
}

static unsigned combine(gf_emu_warp_op op, unsigned a, unsigned b)
{
    switch (op) {
    case GF_EMU_ADD:
        return a + b;
    case GF_EMU_MIN:
        return b < a ? b : a;
    case GF_EMU_MAX:
        return a < b ? b : a;
    case GF_EMU_AND:
        return a & b;
    case GF_EMU_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t result(const emu_warp_call &c, const uint64_t *in, unsigned lane)
{
    uint64_t set = 0;
    switch (c.op) {
    case GF_EMU_SYNC:
        return 0;
    case GF_EMU_SHFL:
    case GF_EMU_SHFL_UP:
    case GF_EMU_SHFL_DOWN:
    case GF_EMU_SHFL_XOR: {
        const unsigned from = source(c, lane);
        if (from > 31 || (c.mask >> from & 1u) == 0) {
            emu_fault("wrong mask: lane %u shuffles from lane %u, which mask %08x lacks", lane, from, c.mask);
        }
        return in[from];
    }
    default:
        break;
    }
    /* The others give every lane the same, but for match. */
    unsigned all = static_cast<unsigned>(in[lane]);
    for (unsigned i = 0; i < 32; i++) {
        if ((c.mask >> i & 1u) != 0) {
            const bool hit = c.op == GF_EMU_BALLOT ? in[i] != 0 : in[i] == in[lane];
            set |= static_cast<uint64_t>(hit) << i;
            all = i == lane ? all : combine(c.op, all, static_cast<unsigned>(in[i]));
        }
    }
    return c.op == GF_EMU_BALLOT || c.op == GF_EMU_MATCH ? set : all;
}

/* Gives every lane of the mask its result; t came last. */
static void finish_warp(emu_warp *w, emu_thread *t)
{
    const emu_warp_call &mine = t->call;
    uint64_t in[32] = {};
    unsigned first = 32;
    for (unsigned i = 0; i < 32; i++) {
        if ((mine.mask >> i & 1u) != 0) {
            const emu_thread *other = w->lanes[i];
            if (other->call.op != mine.op || other->call.mask != mine.mask || other->line != t->line ||
                strcmp(other->file, t->file) != 0) {
                emu_fault("divergent warp: %s mask %08x, %s:%d; lane %u at %s mask %08x, %s:%d", t->what,
                          mine.mask, t->file, t->line, i, other->what, other->call.mask, other->file,
                          other->line);
            }
            in[i] = other->call.value;
            first = i < first ? i : first;
        }
    }
    const bool uniform = mine.op == GF_EMU_BALLOT || mine.op >= GF_EMU_ADD;
    for (unsigned i = first; i < 32; i++) {
        if ((mine.mask >> i & 1u) != 0) {
            emu_thread *lane = w->lanes[i];
            lane->call.value = uniform && i > first ? w->lanes[first]->call.value : result(lane->call, in, i);
        }
    }
}

uint64_t gf_emu_warp(gf_emu_warp_op op, unsigned mask, uint64_t value, unsigned lane, unsigned width,
                     const char *file, int line)
{
    emu_thread *t = self();
    emu_warp *w = t->warp;
    t->what = op_name(op);
    t->file = file;
    t->line = line;
    t->call = {op, mask, value, lane, width};
    const unsigned own = 1u << (t->index % 32);
    if ((mask & own) == 0) {
        emu_fault("wrong mask: %s with mask %08x, which lacks the calling lane %u, %s:%d", t->what, mask,
                  t->index % 32, file, line);
    }
    if ((mask & ~w->live) != 0) {
        emu_fault("wrong mask: %s with mask %08x, but only lanes %08x exist and have not ended, %s:%d",
                  t->what, mask, w->live, file, line);
    }
    w->waiting |= own;
    gf_fibre_publish(w);
    if ((w->waiting & mask) != mask) {
        emu_wait(EMU_AT_WARP);
    } else {
        finish_warp(w, t);
        w->waiting &= ~mask;
        emu_now.idle = 0;
        for (unsigned i = 0; i < 32; i++) {
            if ((mask >> i & 1u) != 0 && w->lanes[i] != t) {
                emu_wake(w->lanes[i]);
            }
        }
        if (emu_now.any_order) {
            emu_let_others_run();
        }
    }
    gf_fibre_observe(w);
    return t->call.value;
}
