#define _GNU_SOURCE /* pthread_sigmask */
#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

bool gf_thread_create(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool created = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return created;
}
