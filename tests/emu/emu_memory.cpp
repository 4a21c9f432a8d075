/* Guarded memory, fibres, and all that the sanitizers want to know about them. */
#include "emu_block.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature) /* clang; gcc defines the macro itself */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef GF_EMU_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

/* ---- Guarded memory --------------------------------------------------------------------------------- */

static const size_t GUARD = 256;
static const char GUARD_BYTE = 0x5a;

void emu_fill(char *memory, size_t bytes)
{
    const uint32_t word = 0xffa5ffa5u;
    for (size_t i = 0; i < bytes; i += 4) { memcpy(memory + i, &word, bytes - i < 4 ? bytes - i : 4); }
}

char *emu_guarded(size_t bytes)
{
    void *all = nullptr;
    if (posix_memalign(&all, GUARD, GUARD + bytes + GUARD) != 0) { return nullptr; }
    char *memory = static_cast<char *>(all) + GUARD;
    memset(memory - GUARD, GUARD_BYTE, GUARD);
    memset(memory + bytes, GUARD_BYTE, GUARD);
    ASAN_POISON_MEMORY_REGION(memory - GUARD, GUARD);
    ASAN_POISON_MEMORY_REGION(memory + bytes, GUARD);
    emu_fill(memory, bytes);
    return memory;
}

void emu_unguard(char *memory, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(memory - GUARD, GUARD + bytes + GUARD);
    free(memory - GUARD);
}

__attribute__((no_sanitize("address"))) const char *emu_overrun(const char *memory, size_t bytes)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (memory[bytes + i] != GUARD_BYTE) { return "past the end of"; }
        if (memory[i - GUARD] != GUARD_BYTE) { return "in front of"; }
    }
    return nullptr;
}

/* ---- Fibres -------------------------------------------------------------------------------------------- */

static const size_t STACK_SIZE = 256 * 1024; /* mapped lazily: a fibre costs the pages it touches */

struct emu_fibre {
    void *going_on[5]; /* __builtin_setjmp's */
    bool is_new;
    char *stack; /* lowest usable byte; this struct lies above the highest */
    size_t size;
    void *asan, *tsan;  /* AddressSanitizer's fake stack while it does not run; ThreadSanitizer's fibre */
    ucontext_t context; /* how it starts, and with GF_EMU_UCONTEXT how it goes on */
};

static emu_fibre home;
emu_fibre *const emu_home = &home;
static emu_fibre *running, *previous; /* the two ends of the latest switch */

/* First thing on the new side of every switch. */
static void arrive()
{
#ifdef __SANITIZE_ADDRESS__
    const void *bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(running->asan, &bottom, &size);
    if (previous == &home) { /* any thread's stack: learn where it is */
        home.stack = static_cast<char *>(const_cast<void *>(bottom));
        home.size = size;
    }
#endif
}

static void begin()
{
    arrive();
    emu_live();
}

/* swapcontext saves the signal mask, two system calls; where the compiler can do without, it does. Not
 * instrumented: before a jump AddressSanitizer would forget the stack. */
__attribute__((noinline, no_sanitize("address", "undefined"))) static void swap(emu_fibre *from,
                                                                                emu_fibre *to)
{
#if defined(__x86_64__) && !defined(GF_EMU_UCONTEXT)
    if (__builtin_setjmp(from->going_on) == 0) {
        if (!to->is_new) { __builtin_longjmp(to->going_on, 1); }
        to->is_new = false;
        setcontext(&to->context);
        abort(); /* so that this is no tail call: `from` comes back to this frame */
    }
#else
    swapcontext(&from->context, &to->context);
#endif
}

void emu_fibre_switch(emu_fibre *from, emu_fibre *to)
{
    previous = from;
    running = to;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&from->asan, to->stack, to->size);
#endif
#ifdef GF_EMU_TSAN
    from->tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
    swap(from, to);
    arrive();
}

void emu_fibre_reset(emu_fibre *f)
{
    ASAN_UNPOISON_MEMORY_REGION(f->stack, f->size); /* frames that were left by a switch */
    f->is_new = true;
    f->asan = nullptr;
#ifdef GF_EMU_TSAN
    if (f->tsan != nullptr) { __tsan_destroy_fiber(f->tsan); }
    f->tsan = __tsan_create_fiber(0);
#endif
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = f->size;
    makecontext(&f->context, begin, 0);
}

emu_fibre *emu_fibre_make()
{
    static size_t made;
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, page + STACK_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
        perror("emulator: no memory for a fibre's stack");
        abort();
    }
    char *stack = static_cast<char *>(memory) + page;
    /* Tops at different distances from a page boundary: else all fall into the same cache sets. */
    const size_t size = STACK_SIZE - 2048 - (made++ % 64) * 320;
    emu_fibre *f = new (stack + size) emu_fibre();
    f->stack = stack;
    f->size = size;
    emu_fibre_reset(f);
    return f;
}

#ifdef __SANITIZE_ADDRESS__
static const int hook = (__sanitizer_set_death_callback(emu_say_where), 0);
#endif
#ifdef GF_EMU_TSAN /* set for the emulator's own files, instead of -fsanitize=thread */
extern "C" void __tsan_on_report(void *) { emu_say_where(); }
const bool emu_own_stacks = true;
void emu_publish(void *where) { __tsan_release(where); }
void emu_observe(void *where) { __tsan_acquire(where); }
#else
const bool emu_own_stacks = false;
void emu_publish(void *) {}
void emu_observe(void *) {}
#endif
