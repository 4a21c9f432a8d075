#define _POSIX_C_SOURCE 200809L
#include "signals.h"

#include "message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(const char *) temporary; /* exists, and is ours; kept by the library */
static atomic_bool creating;            /* a moment: whether the file is ours is not known yet */
static atomic_int waiting;              /* the signal that came in that moment; 0: none */

static void remove_temporary(void)
{
    const char *path = atomic_load(&temporary);
    if (path) {
        unlink(path);
    }
}

static void end(int number)
{
    int none = 0;
    /* The moment may have passed before the signal was noted: then nobody else looks at the note. A second
     * signal does not wait. */
    if (atomic_load(&creating) && atomic_compare_exchange_strong(&waiting, &none, number) &&
        atomic_load(&creating)) {
        return;
    }
    remove_temporary();
    signal(number, SIG_DFL);
    raise(number); /* comes when this handler returns */
}

void signals_install(void)
{
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT,   SIGABRT,
                                  SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, action = {.sa_handler = end};
        sigfillset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN);
    atexit(remove_temporary);
}

/* Called with the path twice, before and after the file is made, and with NULL when it is gone. */
static void on_temporary(void *user, const char *path)
{
    (void)user;
    bool made = path && atomic_load(&creating);
    atomic_store(&temporary, made ? path : NULL);
    atomic_store(&creating, path && !made);
    if (!atomic_load(&creating) && atomic_load(&waiting)) {
        raise(atomic_load(&waiting));
    }
}

bool signals_has_temporary(void)
{
    return atomic_load(&temporary) != NULL;
}

static void on_stale(void *user, const char *path)
{
    (void)user;
    cli_note("note: %s: left behind by a run that was killed, removed", path);
}

void signals_watch(gf_write_options *options)
{
    options->on_temporary = on_temporary;
    options->on_stale = on_stale;
}
