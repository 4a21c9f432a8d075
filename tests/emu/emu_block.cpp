/* What lives inside a block: shared arrays, copies under way, and the arithmetic of warps. */
#include "emu_block.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

/* ---- Shared memory ------------------------------------------------------------------------------ */

static const size_t GUARD = 256;
static const unsigned char GUARD_BYTE = 0x5a;

static void fill(const emu_shared_array &a)
{
    ASAN_UNPOISON_MEMORY_REGION(a.memory, a.bytes + 2 * GUARD);
    memset(a.memory, GUARD_BYTE, a.bytes + 2 * GUARD);
    gf_emu_fill(a.memory + GUARD, a.bytes);
    ASAN_POISON_MEMORY_REGION(a.memory, GUARD);
    ASAN_POISON_MEMORY_REGION(a.memory + GUARD + a.bytes, GUARD);
}

static void add(std::vector<emu_shared_array> *shared, const void *site, const char *name, size_t bytes)
{
    void *memory = nullptr;
    if (posix_memalign(&memory, GUARD, bytes + 2 * GUARD) != 0) {
        abort();
    }
    shared->push_back({site, name, bytes, static_cast<char *>(memory)});
    fill(shared->back());
}

void *emu_block::array(const void *site, const char *name, size_t bytes)
{
    size_t sum = bytes;
    for (size_t i = 1; i < shared.size(); i++) {
        if (shared[i].site == site) {
            gf_fibre_observe(shared[i].memory);
            return shared[i].memory + GUARD;
        }
        sum += shared[i].bytes;
    }
    if (sum > GF_EMU_SHARED_DEFAULT) {
        emu_fault("GF_SHARED arrays of %zu bytes together: more than 48 KB", sum);
    }
    /* gf_cuda.h asks CUDA for more than 48 KB only when the dynamic part is above 32 KB. */
    const size_t dynamic = shared[0].bytes;
    if (sum + dynamic > (dynamic > 32 * 1024 ? GF_EMU_SHARED_LIMIT : GF_EMU_SHARED_DEFAULT)) {
        emu_fault("%zu bytes of GF_SHARED beside %zu dynamic bytes of shared memory: too much", sum, dynamic);
    }
    add(&shared, site, name, bytes);
    gf_fibre_publish(shared.back().memory);
    return shared.back().memory + GUARD;
}

void emu_block::free_shared()
{
    for (const emu_shared_array &a : shared) {
        ASAN_UNPOISON_MEMORY_REGION(a.memory, a.bytes + 2 * GUARD);
        free(a.memory);
    }
    shared.clear();
}

void emu_block::clear_shared(size_t dynamic_bytes)
{
    free_shared();
    add(&shared, nullptr, "dynamic shared memory", dynamic_bytes);
}

void emu_block::begin_shared()
{
    for (const emu_shared_array &a : shared) {
        fill(a);
    }
}

bool emu_block::end_shared()
{
    for (const emu_shared_array &a : shared) {
        ASAN_UNPOISON_MEMORY_REGION(a.memory, a.bytes + 2 * GUARD);
        for (size_t i = 0; i < GUARD; i++) {
            const bool before = static_cast<unsigned char>(a.memory[i]) != GUARD_BYTE;
            if (before || static_cast<unsigned char>(a.memory[GUARD + a.bytes + i]) != GUARD_BYTE) {
                emu_fault("block (%u,%u,%u) wrote %s %s (%zu bytes)", threads[0]->block.x,
                          threads[0]->block.y, threads[0]->block.z,
                          before ? "in front of" : "past the end of", a.name, a.bytes);
                return false;
            }
        }
    }
    return true;
}

static emu_thread *self()
{
    return static_cast<emu_thread *>(gf_emu_self);
}

void *gf_emu_shared(const void *site, const char *name, size_t bytes)
{
    return self()->in->array(site, name, bytes);
}
void *gf_emu_shared_dynamic()
{
    return self()->in->shared[0].memory + GUARD;
}

/* ---- Copies that finish at the wait ------------------------------------------------------------------ */

void gf_emu_async_copy(void *to, const void *from, size_t bytes)
{
    self()->copies.push_back({to, from, bytes, self()->open_group});
}

void gf_emu_async_commit()
{
    self()->open_group++;
}

void gf_emu_async_wait(unsigned open_groups)
{
    emu_thread *t = self();
    size_t left = 0;
    for (const emu_async_copy &c : t->copies) {
        if (c.group + open_groups < t->open_group) {
            memcpy(c.to, c.from, c.bytes);
        } else {
            t->copies[left++] = c;
        }
    }
    t->copies.resize(left);
}
