/* Guarded memory, fibres, and all that the sanitizers want to know about them. */
#include "emu_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <sanitizer/asan_interface.h> /* without AddressSanitizer its macros do nothing */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define EMU_ASAN
#endif
#ifdef GF_EMU_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum { GUARD = 256, GUARD_BYTE = 0x5a };

char *emu_guarded(size_t bytes)
{
    void *all = nullptr;
    if (posix_memalign(&all, GUARD, GUARD + bytes + GUARD) != 0) { return nullptr; }
    char *memory = static_cast<char *>(all) + GUARD;
    memset(all, GUARD_BYTE, GUARD + bytes + GUARD);
    ASAN_POISON_MEMORY_REGION(memory - GUARD, GUARD);
    ASAN_POISON_MEMORY_REGION(memory + bytes, GUARD);
    for (size_t i = 0; i < bytes; i++) { memory[i] = static_cast<char>(i % 2 == 0 ? 0xa5 : 0xff); }
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

/* Mapped, but for `context` untouched until used: a fibre costs the pages it needs. */
struct emu_fibre {
    char wall[64 * 1024]; /* no access: a stack that overflows stops here */
    char stack[256 * 1024];
    void *going_on[5]; /* __builtin_setjmp's */
    bool is_new;
    void *asan, *tsan;  /* AddressSanitizer's fake stack while it does not run; ThreadSanitizer's fibre */
    ucontext_t context; /* how it starts, and with GF_EMU_UCONTEXT how it goes on */
};

static emu_fibre home;
emu_fibre *const emu_home = &home;
static emu_fibre *running, *previous; /* the two ends of the latest switch */
#ifdef EMU_ASAN
static const void *home_stack; /* of the thread that called GF_LAUNCH */
static size_t home_size;
#endif

void emu_arrive()
{
#ifdef EMU_ASAN
    const bool left_home = previous == &home;
    __sanitizer_finish_switch_fiber(running->asan, left_home ? &home_stack : nullptr,
                                    left_home ? &home_size : nullptr);
#endif
}

/* swapcontext saves the signal mask, two system calls; where the compiler can do without, it does. Not
 * instrumented: before a jump AddressSanitizer would forget the stack. */
__attribute__((noinline, no_sanitize("address"))) static void swap(emu_fibre *from, emu_fibre *to)
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
#ifdef EMU_ASAN
    __sanitizer_start_switch_fiber(&from->asan, to == &home ? home_stack : to->stack,
                                   to == &home ? home_size : sizeof to->stack);
#endif
#ifdef GF_EMU_TSAN
    from->tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
    swap(from, to);
    emu_arrive();
}

void emu_fibre_reset(emu_fibre *f)
{
    ASAN_UNPOISON_MEMORY_REGION(f->stack, sizeof f->stack); /* frames that were left by a switch */
    f->is_new = true;
    f->asan = nullptr;
#ifdef GF_EMU_TSAN
    if (f->tsan != nullptr) { /* what it did comes before what follows */
        __tsan_switch_to_fiber(f->tsan, 0);
        __tsan_switch_to_fiber(home.tsan, 0);
        __tsan_destroy_fiber(f->tsan);
    }
    f->tsan = __tsan_create_fiber(0);
#endif
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = sizeof f->stack;
    makecontext(&f->context, emu_live, 0);
}

emu_fibre *emu_fibre_make()
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(nullptr, sizeof(emu_fibre), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, sizeof home.wall, PROT_NONE) != 0) {
        perror("emulator: no memory for a fibre's stack");
        abort();
    }
    emu_fibre *f = static_cast<emu_fibre *>(memory);
    emu_fibre_reset(f);
    return f;
}

#ifdef EMU_ASAN
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
