#define _POSIX_C_SOURCE 200809L
#include "base/message.h"

#include "base/text_buffer.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2048 };

static enum cli_verbosity chosen = CLI_NORMAL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of standard error */
static int status_columns;                               /* of the passing line; 0: none */
static char said[TEXT_SIZE];                             /* the last error */
static _Thread_local gf_error *caught; /* where this thread's errors go; NULL: they are said */

void cli_catch(gf_error *error)
{
    caught = error;
}

void cli_set_verbosity(enum cli_verbosity verbosity)
{
    chosen = verbosity;
}

enum cli_verbosity cli_verbosity(void)
{
    return chosen;
}

/* Called under the lock. */
static void erase_status(void)
{
    if (status_columns > 0) {
        fprintf(stderr, "\r%*s\r", status_columns, "");
        status_columns = 0;
    }
}

void cli_status(const char *text)
{
    pthread_mutex_lock(&lock);
    erase_status();
    if (*text) {
        status_columns = fprintf(stderr, "gpufilter: %s", text);
    }
    fflush(stderr);
    pthread_mutex_unlock(&lock);
}

static void say(const char *prefix, const char *format, va_list arguments)
{
    char text[TEXT_SIZE + 32];
    const size_t before = (size_t)snprintf(text, 32, "gpufilter: %s", prefix);
    vsnprintf(text + before, TEXT_SIZE, format, arguments);
    if (*prefix) {
        memcpy(said, text + before, sizeof said);
    }
    cli_say_line(text);
}

gf_status cli_fail(gf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (caught) {
        caught->code = status;
        vsnprintf(caught->message, sizeof caught->message, format, arguments);
    } else {
        say("error: ", format, arguments);
    }
    va_end(arguments);
    return status;
}

gf_status cli_need_memory(bool there)
{
    return there ? GF_OK : cli_fail(GF_ERROR_MEMORY, "out of memory");
}

void cli_say_line(const char *text)
{
    pthread_mutex_lock(&lock);
    erase_status();
    text_print(text, strlen(text), true, stderr);
    pthread_mutex_unlock(&lock);
}

void cli_fail_system(int number)
{
    if (caught) {
        caught->system = number;
    }
}

gf_status cli_fail_error(gf_status status, const gf_error *error)
{
    cli_fail_system(error->system);
    return cli_fail(status, "%s", error->message[0] ? error->message : gf_status_name(status));
}

gf_status cli_told(gf_status status, const gf_error *error)
{
    return status == GF_OK ? GF_OK : cli_fail_error(status, error);
}

const char *cli_error_said(void)
{
    return said;
}

gf_status cli_error(gf_error *error, gf_status status, const char *format, ...)
{
    va_list arguments;
    error->code = status;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

void cli_note(const char *format, ...)
{
    if (chosen == CLI_QUIET) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

void cli_detail(const char *format, ...)
{
    if (chosen != CLI_VERBOSE) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}
