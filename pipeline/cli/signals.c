#define _POSIX_C_SOURCE 200809L
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(const char *) temporary;

static void end(int number)
{
    const char *path = atomic_load(&temporary);
    if (path) {
        unlink(path);
    }
    raise(number); /* SA_RESETHAND: the default action, once this handler returns */
}

void signals_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, action = {.sa_handler = end};
        action.sa_flags = (int)SA_RESETHAND;
        sigfillset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

void signals_temporary(void *user, const char *path)
{
    (void)user;
    atomic_store(&temporary, path);
}
