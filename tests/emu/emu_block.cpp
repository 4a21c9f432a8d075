/* What lives inside a block: shared arrays, copies under way, and where threads meet. */
#include "emu_block.h"

void *gf_emu_shared(const void *site, const char *name, size_t bytes)
{
    emu_block *b = emu_self()->in;
    size_t sum = site != nullptr ? bytes : 0;
    for (unsigned i = 0; i < b->n_shared; i++) {
        const auto &a = b->shared[i];
        if (a.site == site) {
            emu_observe(a.memory);
            return a.memory;
        }
        sum += a.site != nullptr ? a.bytes : 0;
    }
    /* gf_cuda.h asks CUDA for more than 48 KB only when the dynamic part is above 32 KB. */
    const size_t dynamic = gf_emu_now.shared;
    const size_t limit = dynamic > 32 * 1024 ? GF_EMU_SHARED_LIMIT : GF_EMU_SHARED_DEFAULT;
    if (sum > GF_EMU_SHARED_DEFAULT || sum + dynamic > limit) {
        emu_fault(nullptr, "%zu bytes of GF_SHARED beside %zu dynamic ones: too much", sum, dynamic);
    }
    char *memory = b->n_shared < 16 ? emu_guarded(bytes) : nullptr;
    if (memory == nullptr) { emu_fault(nullptr, "a 17th shared array, or no memory for %zu bytes", bytes); }
    b->shared[b->n_shared++] = {site, name, memory, bytes};
    emu_publish(memory);
    return memory;
}

void emu_end_block(emu_block *b)
{
    while (b->n_shared > 0) {
        const auto a = b->shared[--b->n_shared];
        const char *where = emu_overrun(a.memory, a.bytes);
        emu_unguard(a.memory, a.bytes);
        if (where != nullptr) { emu_fault(nullptr, "wrote %s %s (%zu bytes)", where, a.name, a.bytes); }
    }
}

void gf_emu_async_copy(void *to, const void *from, size_t bytes)
{
    emu_self()->copies.push_back({to, from, bytes, emu_self()->open_group});
}

void gf_emu_async_commit() { emu_self()->open_group++; }

void gf_emu_async_wait(unsigned open_groups)
{
    emu_thread *t = emu_self();
    size_t done = 0;
    for (; done < t->copies.size() && t->copies[done].group + open_groups < t->open_group; done++) {
        const emu_copy &c = t->copies[done];
        memcpy(c.to, c.from, c.bytes);
    }
    t->copies.erase(t->copies.begin(), t->copies.begin() + static_cast<long>(done));
}

static bool is_same(const gf_emu_site &a, const gf_emu_site &b)
{
    return a.line == b.line && strcmp(a.file, b.file) == 0 && strcmp(a.what, b.what) == 0;
}

static const emu_meeting *meet(emu_group *g, const gf_emu_site &at, uint64_t value, bool orders)
{
    emu_thread *t = emu_self();
    emu_meeting *m = &g->meetings[g->turn];
    t->at = at;
    if (g->live < g->size) {
        emu_fault(nullptr, "divergent %s: %u of its threads have ended", g->kind, g->size - g->live);
    }
    if (g->arrived > 0 && !is_same(at, g->first->at)) { emu_fault(g->first, "divergent %s:", g->kind); }
    g->first = g->arrived == 0 ? t : g->first;
    m->sum = g->arrived == 0 ? value : m->sum + value;
    m->lanes[t->index % 32] = value;
    if (orders) { emu_publish(m); }
    if (++g->arrived == g->size) {
        g->arrived = 0;
        g->turn ^= 1;
        gf_emu_progress();
        for (unsigned i = 0; i < g->size; i++) { emu_wake(&g->threads[i]); }
    }
    emu_wait();
    if (orders) { emu_observe(m); }
    return m;
}

int gf_emu_meet_block(const gf_emu_site &at, bool p)
{
    return static_cast<int>(meet(&emu_self()->in->all, at, p, true)->sum);
}

const uint64_t *gf_emu_meet_warp(const gf_emu_site &at, unsigned mask, uint64_t value, bool orders)
{
    emu_group *g = &emu_self()->in->warps[emu_self()->index / 32];
    if (mask != ~0u || g->size < 32) {
        emu_self()->at = at;
        emu_fault(nullptr, "wrong mask: %08x in a warp of %u lanes, but all 32 must take part", mask,
                  g->size);
    }
    return meet(g, at, value, orders)->lanes;
}
