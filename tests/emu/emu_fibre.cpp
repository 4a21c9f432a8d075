#include "emu_fibre.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define EMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMU_ASAN 1
#endif
#endif

#ifdef EMU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GF_EMU_TSAN /* set instead of -fsanitize=thread for the emulator's own files */
#include <sanitizer/tsan_interface.h>
#endif

static const size_t STACK_SIZE = 256 * 1024; /* mapped lazily: a fibre costs the pages it touches */

/* ---- The switch itself ------------------------------------------------------------------ */

extern "C" void gf_fibre_begin(void);

#if defined(__x86_64__) && !defined(GF_EMU_UCONTEXT)
/* Saves the registers a callee must keep on the old stack and takes them from the new one. */
extern "C" void gf_fibre_swap(void **save, void *load);
asm(R"(
.text
.p2align 4
.globl gf_fibre_swap
.type gf_fibre_swap, @function
gf_fibre_swap:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size gf_fibre_swap, . - gf_fibre_swap
)");

static void prepare_stack(gf_fibre *f, char *top)
{
    uint64_t *sp = reinterpret_cast<uint64_t *>(top);
    *--sp = 0; /* where gf_fibre_begin would return to, and its alignment */
    *--sp = reinterpret_cast<uint64_t>(&gf_fibre_begin);
    for (int i = 0; i < 6; i++) {
        *--sp = 0;
    }
    f->sp = sp;
}

static void swap_stacks(gf_fibre *from, gf_fibre *to)
{
    gf_fibre_swap(&from->sp, to->sp);
}
#else
#include <ucontext.h>

static ucontext_t *context_of(gf_fibre *f)
{
    if (f->sp == nullptr) {
        f->sp = calloc(1, sizeof(ucontext_t));
    }
    return static_cast<ucontext_t *>(f->sp);
}

static void prepare_stack(gf_fibre *f, char *top)
{
    ucontext_t *context = context_of(f);
    getcontext(context);
    context->uc_stack.ss_sp = f->stack;
    context->uc_stack.ss_size = static_cast<size_t>(top - f->stack);
    context->uc_link = nullptr;
    makecontext(context, gf_fibre_begin, 0);
}

static void swap_stacks(gf_fibre *from, gf_fibre *to)
{
    swapcontext(context_of(from), context_of(to));
}
#endif

/* ---- With the sanitizers' book-keeping ------------------------------------------------------ */

static gf_fibre *running, *previous; /* the two ends of the latest switch */

/* First thing on the new side of every switch. */
static void arrive(void)
{
#ifdef EMU_ASAN
    const void *bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(running->fake_stack, &bottom, &size);
    if (previous->stack == nullptr) { /* the thread's own stack: learn where it is */
        previous->stack = static_cast<char *>(const_cast<void *>(bottom));
        previous->size = size;
    }
#endif
}

extern "C" void gf_fibre_begin(void)
{
    arrive();
    running->entry(running->argument);
    abort(); /* entry leaves by a switch */
}

void gf_fibre_switch(gf_fibre *from, gf_fibre *to, bool finished)
{
    previous = from;
    running = to;
#ifdef EMU_ASAN
    __sanitizer_start_switch_fiber(finished ? nullptr : &from->fake_stack, to->stack, to->size);
#endif
    from->low = finished ? static_cast<char *>(__builtin_frame_address(0)) - 1024 : nullptr;
#ifdef GF_EMU_TSAN
    if (from->tsan == nullptr) {
        from->tsan = __tsan_get_current_fiber();
    }
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
    swap_stacks(from, to);
    arrive();
}

void gf_fibre_map(gf_fibre *f, unsigned number)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, STACK_SIZE + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
        perror("emulator: no memory for a fibre's stack");
        abort();
    }
    f->stack = static_cast<char *>(memory) + page;
    /* Tops at different distances from a page boundary: else all fall into the same cache sets. */
    f->size = STACK_SIZE - (number % 64) * 320;
}

void gf_fibre_prepare(gf_fibre *f, void (*entry)(void *), void *argument)
{
#ifdef EMU_ASAN
    /* Frames that were left by a switch are poisoned still. A fibre that finished has few. */
    char *from = f->low != nullptr ? f->low : f->stack;
    __asan_unpoison_memory_region(from, static_cast<size_t>(f->stack + f->size - from));
    f->fake_stack = nullptr;
#endif
#ifdef GF_EMU_TSAN
    if (f->tsan !=
        nullptr) { /* a new identity: what the last thread on this stack saw is not known to this one */
        __tsan_destroy_fiber(f->tsan);
    }
    f->tsan = __tsan_create_fiber(0);
#endif
    f->entry = entry;
    f->argument = argument;
    prepare_stack(f, f->stack + f->size);
}

void gf_fibre_publish(void *where)
{
#ifdef GF_EMU_TSAN
    __tsan_release(where);
#else
    (void)where;
#endif
}

void gf_fibre_observe(void *where)
{
#ifdef GF_EMU_TSAN
    __tsan_acquire(where);
#else
    (void)where;
#endif
}
