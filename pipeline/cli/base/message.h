/* What the program says on standard error, and how it fails.
 *
 * Errors are always shown, notes unless -q, details with -v only. Control characters in a
 * message are shown as '?', so that a file name cannot steer the terminal. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>

enum cli_verbosity { CLI_QUIET = -1, CLI_NORMAL = 0, CLI_VERBOSE = 1 };

/* Set once, while the options are read. */
void cli_set_verbosity(enum cli_verbosity verbosity);
enum cli_verbosity cli_verbosity(void);

/* "gpufilter: error: ...". Returns `status`, so that a caller can fail in one line. */
gf_status cli_fail(gf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the status of a call that failed to the caller. */
#define CLI_TRY(call)                                                                                        \
    do {                                                                                                     \
        gf_status cli_try_status = (call);                                                                   \
        if (cli_try_status != GF_OK) {                                                                       \
            return cli_try_status;                                                                           \
        }                                                                                                    \
    } while (0)

/* GF_ERROR_MEMORY, said, where what was asked for is not there. */
gf_status cli_need_memory(bool there);

/* A line that goes on with what an error says. */
void cli_say_line(const char *text);

/* The same with the message of a failed call of the library. */
gf_status cli_fail_error(gf_status status, const gf_error *error);
/* Hands on what a call of the library returned, after saying its error where it failed. */
gf_status cli_told(gf_status status, const gf_error *error);
/* The number of the failed call to the system, for an error of this thread that is caught. */
void cli_fail_system(int number);

/* From now on, what this thread fails with is put into *error instead of being said; NULL: it is said again.
 * It is for those who do many things, some of which fail, and tell later. */
void cli_catch(gf_error *error);

/* The text of the last error that was said, without "gpufilter: error: "; "" before. */
const char *cli_error_said(void);

/* Fills an error as a call of the library would, to be said or shown later. Returns `status`. */
gf_status cli_error(gf_error *error, gf_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "gpufilter: ..." unless -q. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "gpufilter: ..." with -v. */
void cli_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Replaces the passing line at the end of a terminal by "gpufilter: TEXT", or by nothing for "". Messages
 * take its place. From any thread. */
enum { CLI_STATUS_SIZE = 160 };
void cli_status(const char *text);
