/* The emulator's blocks, warps and threads, as its own files see them. */
#ifndef GF_TESTS_EMU_BLOCK_H
#define GF_TESTS_EMU_BLOCK_H

#include "emu.h"
#include "emu_fibre.h"

#include <memory>
#include <vector>

enum emu_state { EMU_ENDED, EMU_READY, EMU_POLLING, EMU_AT_BARRIER, EMU_AT_WARP };

struct emu_block;
struct emu_warp;

struct emu_warp_call {
    gf_emu_warp_op op;
    unsigned mask;
    uint64_t value; /* in: this lane's; out: its result */
    unsigned lane, width;
};

struct emu_async_copy {
    void *to;
    const void *from;
    size_t bytes;
    unsigned group;
};

struct emu_thread : gf_emu_thread {
    gf_fibre fibre;
    emu_state state = EMU_ENDED;
    unsigned index = 0; /* in its block */
    emu_block *in = nullptr;
    emu_warp *warp = nullptr;
    const char *what = "", *file = ""; /* where it waits, or did last */
    int line = 0;
    unsigned loads = 0; /* ordered loads since it last waited */
    gf_emu_votes votes = {};
    emu_warp_call call = {};
    std::vector<emu_async_copy> copies; /* issued, not yet waited for */
    unsigned open_group = 0;
};

struct emu_warp {
    unsigned live = 0, waiting = 0; /* sets of lanes */
    emu_thread *lanes[32] = {};
};

struct emu_shared_array {
    const void *site;
    const char *name;
    size_t bytes;
    char *memory; /* GUARD bytes before and after what the kernel gets */
};

struct emu_block {
    unsigned live = 0, arrived = 0; /* threads not ended; threads at the barrier */
    emu_thread *first = nullptr;    /* at the barrier */
    gf_emu_votes votes = {};
    std::vector<emu_thread *> threads;
    std::vector<emu_warp> warps;
    std::vector<emu_shared_array> shared; /* [0]: the dynamic array */

    ~emu_block() { free_shared(); }
    void free_shared();
    void *array(const void *site, const char *name, size_t bytes);
    void clear_shared(size_t dynamic_bytes); /* before a launch */
    void begin_shared();                     /* before a block: nothing written yet */
    bool end_shared();                       /* after it: false, and a fault, when a guard was overwritten */
};

/* The launch that runs. Fibres, stacks and shared arrays are kept from one to the next. */
struct emu_run {
    gf_emu_grid grid;
    void (*body)(const void *);
    const void *context;
    gf_fibre home; /* the scheduler's own stack */
    std::vector<std::unique_ptr<emu_thread>> threads;
    std::vector<std::unique_ptr<emu_block>> blocks;
    unsigned block_threads;
    uint64_t total, started, first, step; /* block i to start is (first + i * step) mod total */
    std::vector<emu_thread *> ready;      /* ring, a power of two */
    size_t head, count;
    uint64_t random, idle; /* idle: polls since anybody got on */
    bool any_order, failed;
    char starts, ends; /* places for gf_fibre_publish and _observe */
};
extern emu_run emu_now;

/* Stops the running thread until somebody wakes it. */
void emu_wait(emu_state state);
void emu_wake(emu_thread *t);
void emu_let_others_run();

/* Reports a fault of the running thread (or of the launch, outside a thread) and ends the
 * launch: returns only outside a thread, when the settings say to keep going. */
void emu_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
