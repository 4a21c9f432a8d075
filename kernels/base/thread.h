/* Threads of the library: they take no signals, which are for the program's. */
#ifndef GF_BASE_THREAD_H
#define GF_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* false: no thread can be had; the caller does the work itself. */
bool gf_thread_create(pthread_t *thread, void *(*run)(void *argument), void *argument);

#endif
