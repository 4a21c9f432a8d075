#include "message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2048 };

static enum cli_verbosity chosen = CLI_NORMAL;
static char said[TEXT_SIZE]; /* the last error */

void cli_set_verbosity(enum cli_verbosity verbosity)
{
    chosen = verbosity;
}

enum cli_verbosity cli_verbosity(void)
{
    return chosen;
}

static void say(const char *prefix, const char *format, va_list arguments)
{
    char text[TEXT_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    if (*prefix) {
        memcpy(said, text, sizeof said);
    }
    for (char *c = text; *c;
         c++) { /* our own further lines are indented; a name's could pass for a message */
        bool further_line = *c == '\n' && c[1] == ' ';
        if (((unsigned char)*c < ' ' && !further_line) || *c == 127) {
            *c = '?';
        }
    }
    fprintf(stderr, "gpufilter: %s%s\n", prefix, text);
}

gf_status cli_fail(gf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("error: ", format, arguments);
    va_end(arguments);
    return status;
}

gf_status cli_fail_error(gf_status status, const gf_error *error)
{
    return cli_fail(status, "%s", error->message[0] ? error->message : gf_status_name(status));
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
