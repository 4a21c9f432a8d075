/* Whether what a run says of a fault is what happened. */
#include "fault_scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CODE_DEVICE = 5, CODE_MEMORY = 6 };

bool fault_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    return false;
}

static bool is_memory(const char *message)
{
    return strstr(message, "memory") != NULL;
}

static bool is_device(const char *message)
{
    return strstr(message, "cuda") || strstr(message, "kernel ") || strstr(message, "device ");
}

bool fault_message_fits(bool heap, int error, bool codes_are_own, const struct fault_run *run)
{
    bool may_be_memory = heap || error == 0 || error == 2;
    bool may_be_device = !heap && error != 2;
    bool says_memory = is_memory(run->message), says_device = is_device(run->message);
    const char *first = run->is_program ? strstr(run->message, "gpufilter: error: ") : run->message;
    if (!first || !*first || !run->code) {
        return fault_wrong("code %d without a message: %s", run->code, run->message);
    }
    if (run->is_program && strstr(first + 1, "gpufilter: error: ")) {
        return fault_wrong("more than one error message: %s", run->message);
    }
    if (!(may_be_memory && says_memory) && !(may_be_device && says_device)) {
        return fault_wrong("code %d, and the message names no fault of this kind: %s", run->code,
                           run->message);
    }
    int expected = says_memory && may_be_memory ? CODE_MEMORY : CODE_DEVICE;
    if (!codes_are_own && run->code != expected) {
        return fault_wrong("code %d instead of %d: %s", run->code, expected, run->message);
    }
    return true;
}
