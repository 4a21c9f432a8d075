#define _POSIX_C_SOURCE 200809L
#include "job/signals.h"

#include "base/message.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that is being written. */
struct slot {
    _Atomic(const char *) temporary; /* exists, and is ours; kept by the library */
    atomic_bool creating;            /* a moment: whether the file is ours is not known yet */
    atomic_bool straight;            /* it is the output itself, whose folder has no rename */
};

static struct slot slots[SIGNALS_FILES];
static atomic_int creators; /* slots in that moment */
static atomic_int waiting;  /* the signal that came in that moment; 0: none */

static void (*_Atomic first)(
    int number); /* gets the first signal; NULL: it ends the program like the others */

static void remove_temporaries(void)
{
    for (int i = 0; i < SIGNALS_FILES; i++) {
        const char *path = atomic_load(&slots[i].temporary);
        if (path) {
            if (unlink(path) != 0 && truncate(path, 0) != 0) {
                continue; /* nothing can be said here */
            }
        }
    }
}

static void end(int number)
{
    int none = 0;
    bool may_be_asked = number == SIGINT || number == SIGTERM || number == SIGHUP;
    void (*asked)(int) = may_be_asked ? atomic_exchange(&first, NULL) : NULL;
    if (asked) {
        asked(number);
        return;
    }
    /* The moment may have passed before the signal was noted: then nobody else looks at the note. A second
     * signal does not wait. */
    if (atomic_load(&creators) && atomic_compare_exchange_strong(&waiting, &none, number) &&
        atomic_load(&creators)) {
        return;
    }
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number); /* comes when this handler returns */
}

void signals_first(void (*take)(int number))
{
    atomic_store(&first, take);
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
    atexit(remove_temporaries);
}

/* The program ends: nobody may begin another file, which would be left behind. */
static void stay(void)
{
    for (;;) {
        pause();
    }
}

static bool is_straight(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, ".gpufilter-", 11) != 0;
}

/* Called with the path twice, before and after the file is made, and with NULL when it is gone. */
static void on_temporary(void *user, const char *path)
{
    struct slot *slot = user;
    bool was = atomic_load(&slot->creating), made = path && was, creating = path && !was;
    atomic_store(&slot->straight, made && is_straight(path));
    atomic_store(&slot->temporary, made ? path : NULL);
    atomic_store(&slot->creating, creating);
    int left = creating ? atomic_fetch_add(&creators, 1) + 1 : atomic_fetch_sub(&creators, was) - was;
    int number = atomic_load(&waiting);
    if (number && creating) {
        left = atomic_fetch_sub(&creators, 1) - 1;
    }
    if (number && left == 0) { /* the thread that takes signals need not be this one */
        kill(getpid(), number);
    }
    if (number && creating) {
        stay();
    }
    if (made && is_straight(path)) {
        cli_detail("%s: written straight to its place, not atomic here: in its folder no file can be renamed",
                   path);
    }
}

const char *signals_temporary(int file)
{
    return atomic_load(&slots[file].straight) ? NULL : atomic_load(&slots[file].temporary);
}

bool signals_has_temporary(void)
{
    return signals_temporary(0) != NULL;
}

static void on_stale(void *user, const char *path)
{
    (void)user;
    cli_note("note: %s: left behind by a run that was killed, removed", path);
}

static void on_kept(void *user, const char *path, int is_cut)
{
    (void)user;
    cli_note("note: %s: cannot be removed (%s): %s", path, strerror(errno),
             is_cut ? "it is left empty" : "it is left with a part of the output");
}

void signals_watch(gf_write_options *options)
{
    signals_watch_file(options, 0);
}

void signals_watch_file(gf_write_options *options, int file)
{
    options->on_temporary = on_temporary;
    options->on_stale = on_stale;
    options->on_kept = on_kept;
    options->user = &slots[file];
}
