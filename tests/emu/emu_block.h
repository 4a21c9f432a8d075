/* The emulator's threads, blocks, fibres and memory, as its own files see them. */
#ifndef GF_TESTS_EMU_BLOCK_H
#define GF_TESTS_EMU_BLOCK_H

#include "emu.h"
#include <vector>

/* bytes, aligned to 256, with 256 more in front and behind that nobody may touch: poisoned for
 * AddressSanitizer, and checked by emu_overrun. Filled with the pattern of memory that nobody wrote: words
 * 0xffa5ffa5, a NaN as f32, 165 and 255 as bytes. NULL: out of memory. */
char *emu_guarded(size_t bytes);
void emu_unguard(char *memory, size_t bytes); /* frees it */
/* "in front of" or "past the end of": where somebody wrote outside; NULL: nowhere. */
const char *emu_overrun(const char *memory, size_t bytes);

/* Fibres: stacks that one operating-system thread switches between. */
struct emu_fibre;
extern emu_fibre *const emu_home; /* the stack that called GF_LAUNCH */
emu_fibre *emu_fibre_make();
void emu_fibre_reset(emu_fibre *f);                    /* stopped anywhere, it begins anew */
[[noreturn]] void emu_live();                          /* what every fibre does: the scheduler's */
void emu_arrive();                                     /* first thing after every switch */
void emu_fibre_switch(emu_fibre *from, emu_fibre *to); /* returns when somebody switches back */

/* For ThreadSanitizer, to which a switch orders nothing: what the running fibre did before publish(where) is
 * seen by one that calls observe(where) later. It takes a stack for a thread, so no thread may then run on
 * another's; and tells 255 apart: with more alive, each seed shows another part of the races. */
void emu_publish(void *where);
void emu_observe(void *where);
extern const bool emu_own_stacks;

struct emu_copy {
    void *to;
    const void *from;
    size_t bytes;
    unsigned group;
};
struct emu_thread : gf_emu_thread {
    struct emu_block *in;
    emu_fibre *fibre;
    bool started;
    gf_emu_site at;    /* where it waits; what == NULL: it does not */
    unsigned accesses; /* ordered and atomic ones since it waited or changed something */
    unsigned open_group;
    std::vector<emu_copy> copies; /* issued, not yet waited for */
};

/* What the threads of a block or the lanes of a warp brought to the place where they met. */
struct emu_meeting {
    uint64_t sum, lanes[32];
};
struct emu_group {
    const char *kind;
    emu_thread *threads, *first;  /* all; the first that arrived */
    unsigned size, live, arrived; /* threads: all; not ended; waiting for the rest */
    unsigned turn;
    emu_meeting meetings[2]; /* [turn]: whoever is late in the last must not see what comes to this one */
};

/* A place in which blocks run, one after the other. */
struct emu_block {
    emu_group all, warps[32];
    struct {
        const void *site;
        const char *name;
        char *memory;
        size_t bytes;
    } shared[16];
    unsigned n_shared;
    char starts, ends; /* to publish and observe */
};

static inline emu_thread *emu_self() { return static_cast<emu_thread *>(gf_emu_self); }
void emu_wake(emu_thread *t);     /* lets it run when its turn comes */
void emu_wait();                  /* stops the running thread until then */
void emu_end_block(emu_block *b); /* frees its shared arrays; a fault when a guard was overwritten */

/* Reports a fault of the running thread (or of the launch, outside a thread), with `other`, if any, at the
 * end, and ends the launch: returns only outside a thread, when the settings say to keep going. */
void emu_fault(const emu_thread *other, const char *format, ...) __attribute__((format(printf, 2, 3)));
extern char emu_report[4096];
void emu_say_where(); /* on stderr, where the running thread is: goes with a sanitizer's report */

/* A call of the shim holds its lock from enter, which gives its error when it is to fail, to leave. */
cudaError_t emu_enter(cudaError_t usual, bool counted = true);
cudaError_t emu_leave(cudaError_t result);
void emu_check_overruns();                      /* of the device's memory */
bool emu_is_here(const gf_emu_handle *handle);  /* whether it is the current device's; NULL is */
void emu_catch_up(const gf_emu_handle *stream); /* makes the copies that the stream still owes */

#endif
