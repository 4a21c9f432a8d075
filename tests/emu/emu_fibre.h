/* Fibres: stacks that one operating-system thread switches between. */
#ifndef GF_TESTS_EMU_FIBRE_H
#define GF_TESTS_EMU_FIBRE_H

#include <stddef.h>

struct gf_fibre {
    void *sp = nullptr;    /* saved stack pointer while it does not run */
    char *stack = nullptr; /* lowest usable byte; NULL for the thread's own stack */
    size_t size = 0;
    void (*entry)(void *) = nullptr;
    void *argument = nullptr;
    char *low = nullptr;        /* where the stack ended when it finished; NULL: it did not */
    void *fake_stack = nullptr; /* AddressSanitizer's */
    void *tsan = nullptr;       /* ThreadSanitizer's fibre */
};

/* Maps a stack, with a page below it that faults. Once a fibre; stacks live as long as the process. */
void gf_fibre_map(gf_fibre *f, unsigned number);

/* Makes the next switch to f call entry(argument) on an empty stack. entry never returns: it
 * leaves by gf_fibre_switch(.., true). May be called on a fibre stopped anywhere. */
void gf_fibre_prepare(gf_fibre *f, void (*entry)(void *), void *argument);

/* Leaves `from` (the running one) for `to`. finished: from will not be continued. */
void gf_fibre_switch(gf_fibre *from, gf_fibre *to, bool finished);

/* Happens-before for ThreadSanitizer, nothing otherwise: what the running fibre did before
 * publish(where) is seen by one that calls observe(where) later. */
void gf_fibre_publish(void *where);
void gf_fibre_observe(void *where);

#endif
