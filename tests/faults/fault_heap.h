/* Allocations of the C library, counted, remembered, and made to fail by number. For one thread.
 *
 * A program that links fault_heap.c passes each function wrapped there to the linker as --wrap
 * (tests/CMakeLists.txt): calls from the project's own objects then come here, those inside shared libraries
 * do not. What the emulated device takes for itself passes through, uncounted. */
#ifndef FAULT_HEAP_H
#define FAULT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th allocation from now (1: the next) fails with ENOMEM, from_then_on those after it too. 0: none does
 * any more, and counting goes on. */
void fault_heap_fail(long n, bool from_then_on);

/* Allocations since fault_heap_fail with an n. */
long fault_heap_calls(void);

/* Blocks and streams now held. */
long fault_heap_held(void);

/* Returns which allocation since then made a block that is still held; 0: none did. */
long fault_heap_unreleased(void);

#endif
